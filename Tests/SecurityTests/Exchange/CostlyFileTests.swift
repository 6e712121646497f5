// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import Testing

@Suite("A file that demands too much is refused at once")
struct CostlyFileTests {
    private let workshop: ExchangeWorkshop

    init() throws {
        workshop = try ExchangeWorkshop()
    }

    @Test("whose passphrase is to be hashed for ever", .timeLimit(.minutes(60)))
    func costs() throws {
        try workshop.makeChain()
        let number: [UInt8] = [0x02, 0x02, 0x08, 0x00]
        for options in [[], ["-legacy"]] as [[String]] {
            let file = try workshop.pkcs12(options)
            for rounds in [[0x7F, 0xFF], [0x00, 0x00], [0xFF, 0xFF], [0x80, 0x00]] as [[UInt8]] {
                // 2048, wherever it stands, becomes another number, of as many bytes or of eight.
                for replacement in [[0x02, 0x02] + rounds, [0x02, 0x08, 0x7F] + [UInt8](repeating: 0xFF, count: 7)] {
                    let data = file.replacing(number, with: replacement)
                    let before = CPUTime.ofThread
                    Refusal.expect(data, "PKCS#12")
                    #expect(CPUTime.ofThread - before < .seconds(5))
                }
            }
        }
        for rounds in [
            [0x7F, 0xFF, 0xFF, 0xFF], [0x01, 0x31, 0x2D, 0x01], [0x7F] + [UInt8](repeating: 0xFF, count: 8), [0],
        ] {
            let key = HandDER.wrappedKey(rounds: rounds)
            for data in [key, HandDER.pem("ENCRYPTED PRIVATE KEY", key)] {
                let before = CPUTime.ofThread
                Refusal.expect(data, "wrapped")
                #expect(CPUTime.ofThread - before < .seconds(5))
            }
        }
        // One alone is borne; what many cost is counted before any is tried.
        let text = HandDER.pem("ENCRYPTED PRIVATE KEY", HandDER.wrappedKey(rounds: [0x6F, 0xFF, 0xFF]))
        let before = CPUTime.ofThread
        #expect(Exchange.importing(text + text + text, passphrase: Refusal.passphrase).status == errSecDecode)
        #expect(Llavero.lastFailure?.contains("iteration count") == true)
        #expect(CPUTime.ofThread - before < .seconds(5))
    }

    @Test("with numbers beyond all measure", .timeLimit(.minutes(60)))
    func sizes() throws {
        let exponent = HandDER.integer([1, 0, 1])
        for bits in [512, 1016, 16384, 1 << 17, 1 << 20] {
            let numbers = HandDER.sequence(HandDER.large(bits: bits), exponent)
            Refusal.expect(numbers, "\(bits)")
            Refusal.expect(HandDER.sequence(HandDER.rsa, HandDER.element(3, Data([0]) + numbers)), "\(bits)")
            let (n, p) = (HandDER.large(bits: bits), HandDER.large(bits: bits / 2))
            let own = HandDER.sequence(HandDER.integer([0]), n, exponent, n, p, p, p, p, p)
            Refusal.expect(own, "\(bits)")
            Refusal.expect(
                HandDER.sequence(HandDER.integer([0]), HandDER.rsa, HandDER.element(4, own)), "\(bits) in PKCS#8")
        }
        let deep = (0..<5000).reduce(Data([5, 0])) { inner, _ in HandDER.element(0x30, inner) }
        Refusal.expect(deep, "deep")
        Refusal.expect(HandDER.sequence(HandDER.sequence(deep), HandDER.element(4, Data([1]))), "deep and wrapped")
        Refusal.expect(HandDER.pem("ENCRYPTED PRIVATE KEY", HandDER.sequence(deep, HandDER.element(4, deep))), "deep")
        Refusal.expect(Data(count: (64 << 20) + 1), "too large")
    }

    @Test("text that is no PEM, or nothing but lines")
    func texts() throws {
        let key = try workshop.text("genpkey", "-algorithm", "ED25519")
        let broken = [
            key.replacingOccurrences(of: "END", with: "DNE"), String(key.dropFirst(12)),
            "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
            key.replacingOccurrences(of: "BEGIN PRIVATE", with: "BEGIN PUBLIC"), key + "-----BEGIN X-----",
            key.replacingOccurrences(of: "PRIVATE", with: "RSA\u{1F511}PRIVATE"),
            String(repeating: "-----BEGIN ", count: 9999),
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: NONE,\n\nAAAA\n-----END RSA PRIVATE KEY-----",
            "no file at all\n",
        ]
        for text in broken { Refusal.expect(Data(text.utf8), text.prefix(40).description) }
        let keys = String(repeating: key, count: 101)
        #expect(Exchange.importing(Data(keys.utf8)).status == errSecDecode)
        #expect(Exchange.importing(Data(String(repeating: key, count: 100).utf8)).items?.count == 100)
    }
}

extension Data {
    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) -> Data {
        var result = Data()
        var rest = self[...]
        while let place = rest.range(of: Data(old)) {
            result += rest[rest.startIndex..<place.lowerBound] + new
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}
