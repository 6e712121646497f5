// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainStore
import Testing

/// The same without our code for envelopes: what is stored, against every key that lies about.
@Suite struct MemoryKeysTests {
    /// One way in an envelope, as it is written.
    private struct Way {
        let id: [UInt8]
        let factors: UInt8
        let hasPassword: Bool
        let point: [UInt8]
        let passcodeFactor: [UInt8]
        let wrapped: [UInt8]

        init(_ sealed: SecretValue) throws {
            let bytes = Array(UnsafeRawBufferPointer(start: sealed.bytes, count: sealed.count))
            guard case .dictionary(let fields) = try PropertyList(decoding: bytes),
                case .data(let id)? = fields["id"], case .array(let ways)? = fields["ways"],
                case .dictionary(let way)? = ways.first, case .number(let factors)? = way["factors"],
                case .data(let wrapped)? = way["key"]
            else { throw CodingError.wrongType }
            self.id = id
            self.factors = UInt8(factors)
            self.wrapped = wrapped
            hasPassword = fields["cost"] != nil
            if case .data(let point)? = way["point"] { self.point = point } else { point = [] }
            if case .data(let factor)? = way["of"] { passcodeFactor = factor } else { passcodeFactor = [] }
        }

        /// Whether the key in it comes out under a secret.
        func opens(with secret: [UInt8]) -> Bool {
            let info = Array("llavero way".utf8) + [factors, hasPassword ? 1 : 0] + point + passcodeFactor
            guard let key = try? MemoryKeys.hkdf(secret, id, info) else { return false }
            return (try? MemoryKeys.unwrapped(wrapped, under: key)) != nil
        }
    }

    private static func constraint(_ keys: MemoryKeys, _ store: ConstrainedStore) throws -> [UInt8] {
        try MemoryKeys.hkdf(keys.indexKey, store.uuid.bytes, Array("llavero constraint".utf8))
    }

    @Test(
        "no key in memory, nor any two or three of them together, is a way's key",
        arguments: ConstrainedStore.Guard.allCases)
    func everyKey(guarding: ConstrainedStore.Guard) throws {
        let store = try ConstrainedStore()
        try store.add("a", "the secret", try ConstrainedStore.control(guarding.flags))
        let way = try Way(try store.opened(row: 1).sealed)
        let memory = try MemoryKeys(store)
        // Index key, root, and two for each of seven classes.
        #expect(Set(memory.keys).count == 16)
        let candidates = try memory.candidates(store.uuid.bytes) + store.keys.header.passcodeFactors + [way.point]
        let constraint = try Self.constraint(memory, store)
        var opening = 0
        for first in candidates {
            if way.opens(with: first) { opening += 1 }
            for second in candidates {
                if way.opens(with: constraint + first + second) || way.opens(with: first + second) { opening += 1 }
            }
        }
        // What agreeing on a key with the way's point gives, for each key that could be a private one.
        for key in memory.keys where !way.point.isEmpty {
            let share = try MemoryKeys.shared(key, way.point)
            for other in candidates where way.opens(with: constraint + share + other) { opening += 1 }
        }
        #expect(opening == 0)
    }

    @Test("with what a person shows the same search finds the key, so it can fail")
    func shown() throws {
        let store = try ConstrainedStore()
        let memory = try MemoryKeys(store)
        let constraint = try Self.constraint(memory, store)
        try store.add("a", "the secret", try ConstrainedStore.control(.devicePasscode))
        let passcode = try Way(try store.opened(row: 1).sealed)
        #expect(try passcode.opens(with: constraint + MemoryKeys.shared(memory.factor, passcode.point)))
        // A way that demands a finger is made of nothing that is not in memory.
        try store.add("b", "the secret", try ConstrainedStore.control(.biometryAny))
        let finger = try Way(try store.opened(row: 2).sealed)
        let name = Array("llavero any finger".utf8)
        #expect(finger.opens(with: constraint + (try MemoryKeys.hkdf(memory.indexKey, store.uuid.bytes, name))))
    }
}
