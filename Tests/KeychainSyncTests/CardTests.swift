// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainSync
import Testing

@Suite struct CardTests {
    @Test("a card is read back, and a byte more, less or other is another card or none")
    func bytes() throws {
        let signing = try P256.makeKey()
        let agreement = try P256.makeKey()
        let card = try #require(
            Card(signingKey: signing.publicKey, agreementKey: agreement.publicKey, kind: .software))
        let bytes = try card.encoded()
        #expect(try Card(decoding: bytes) == card)
        #expect(throws: CircleError.malformed) { try Card(decoding: bytes + [0]) }
        #expect(throws: CircleError.malformed) { try Card(decoding: Array(bytes.dropLast())) }
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            if let read = try? Card(decoding: other) { #expect(try read.id() != card.id()) }
        }
    }
}
