// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite struct RecoveryWordsTests {
    /// A key, the first two bytes of its real SHA-256, and its words; made by another program.
    struct Vector: Sendable {
        let key: [UInt8]
        let sum: (UInt8, UInt8)
        let text: String
    }

    static let vectors = [
        Vector(
            key: Array(repeating: 0, count: 16), sum: (0x37, 0x47),
            text: "absent absent absent absent absent absent absent absent absent absent absent absent absent tablet"),
        Vector(
            key: Array(repeating: 0xFF, count: 16), sum: (0x5A, 0xC6),
            text: "zoom zoom zoom zoom zoom zoom zoom zoom zoom zoom zoom zoom zipper heap"),
        Vector(
            key: Array(0..<16), sum: (0xBE, 0x45),
            text: "absent agenda buffalo salsa album bike hunter admire apricot clean salmon drain avenue weekend"),
        Vector(
            key: [
                0x8F, 0x3A, 0x51, 0xC6, 0xE2, 0x09, 0x7D, 0xB4, 0xA8, 0x6F, 0x1E, 0x30, 0xC9, 0x5B, 0x77, 0x24,
            ], sum: (0x18, 0xE9),
            text: "mixer tulip both regular apology wagon engage borrow bring science newborn talent canyon glove"),
    ]

    @Test("a key on paper can be read for ever", arguments: vectors)
    func format(vector: Vector) throws {
        let checksum: RecoveryWords.Checksum = { bytes in
            #expect(Array(bytes) == vector.key)
            return vector.sum
        }
        #expect(try recoveryText(of: vector.key, checksum: checksum) == vector.text)
        #expect(try recoveryKey(from: vector.text, checksum: checksum) == vector.key)
    }

    @Test("any key comes back from its words, whole or abbreviated")
    func roundTrip() throws {
        var numbers = RecoveryNumbers(1)
        for _ in 0..<2000 {
            let key = numbers.key()
            let text = try recoveryText(of: key)
            #expect(text.split(separator: " ", omittingEmptySubsequences: false).count == 14)
            #expect(try recoveryKey(from: text) == key)
            let short = text.split(separator: " ").map { $0.prefix(Int.random(in: 4...7, using: &numbers)) }
            #expect(try recoveryKey(from: short.joined(separator: " ")) == key)
        }
    }

    @Test(
        "a key may be typed in many ways",
        arguments: [
            "MIXER Tulip bOTH regular apology wagon engage borrow bring science newborn talent canyon glove",
            "mixe tuli both regu apol wago enga borr brin scie newb tale cany glov",
            "mixer tulip both regula apolo wagon engag borro bring scienc newbo talen canyo glove",
            "\n\t mixer   tulip\r\nboth regular\tapology wagon\u{B}engage borrow\u{C}bring science newborn talent canyon glove \n",
            "mixer-tulip-both-regular-apology-wagon-engage-borrow-bring-science-newborn-talent-canyon-glove",
            "mixer,tulip, both ,regular - apology--wagon,,engage,borrow,bring,science,newborn,talent,canyon,glove,",
            """
            1. mixer  2. tulip  3. both  4. regular  5. apology  6. wagon  7. engage
            8. borrow  9. bring  10. science  11. newborn  12. talent  13. canyon  14. glove
            """,
            "1.mixer 2.tulip 3.both 4.regular 5.apology 6.wagon 7.engage 8.borrow 9.bring 10.science 11.newborn "
                + "12.talent 13.canyon 14.glove",
            "1) Mixe 2) Tuli 3) Both 4)Regu 5 Apol 6 Wago 7-Enga 8, Borr Brin Scie Newb Tale Cany 14) Glov",
        ])
    func typed(text: String) throws {
        let vector = Self.vectors[3]
        #expect(try recoveryKey(from: text, checksum: { _ in vector.sum }) == vector.key)
    }
}
