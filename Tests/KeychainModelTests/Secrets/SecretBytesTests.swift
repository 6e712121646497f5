// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite struct SecretBytesTests {
    private struct Refusal: Error, Equatable {}

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    private func isZero(_ bytes: [UInt8]) -> Bool {
        secret(bytes).isAllZero
    }

    private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        secret(left).isEqualInConstantTime(to: secret(right))
    }

    private func copy(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withUnsafeBytes { Array($0) }
    }

    @Test("a secret lends what it was filled with", arguments: [0, 1, 16, 32, 1000, 1024, 1025, 100_000])
    func lends(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let filled = secret(bytes)
        let size = filled.count
        #expect(size == count)
        let lent = copy(filled)
        #expect(lent == bytes)
        let cloned = copy(filled.clone())
        #expect(cloned == bytes)
        let span = bytes.span.bytes
        let again = copy(span.withUnsafeBytes { SecretBytes(copying: $0) })
        #expect(again == bytes)
    }

    @Test("the bytes to fill are zero")
    func zeroed() {
        let secret = SecretBytes(count: 48) { bytes in #expect(bytes.allSatisfy { $0 == 0 }) }
        let isZero = secret.isAllZero
        #expect(isZero)
    }

    @Test("a secret that ended has left zeros where it was")
    func wiped() {
        // Another test may take the slot at once and fill it with bytes of its own, so not zeros but ours are looked for.
        var address: UnsafeRawPointer?
        do {
            let secret = secret(Array(repeating: 0x5A, count: 200))
            address = secret.withUnsafeBytes { $0.baseAddress }
            let isThere = secret.withUnsafeBytes { $0.allSatisfy { $0 == 0x5A } }
            #expect(isThere)
        }
        #expect(!isStillMarked(UnsafeRawBufferPointer(start: address, count: 200), with: 0x5A))
    }

    @Test("an error thrown while filling arrives as its own type, and the half-written secret is gone")
    func throwing() {
        var address: UnsafeMutableRawPointer?
        do throws(Refusal) {
            let secret = try SecretBytes(count: 400) { bytes throws(Refusal) in
                bytes.initializeMemory(as: UInt8.self, repeating: 0x77)
                address = bytes.baseAddress
                throw Refusal()
            }
            Issue.record("made a secret of \(secret.count) bytes")
        } catch {
            #expect(error == Refusal())
        }
        #expect(!isStillMarked(UnsafeRawBufferPointer(start: address, count: 400), with: 0x77))
    }

    @Test("an error thrown while a secret is lent arrives as its own type")
    func throwingLoan() {
        let secret = secret([1])
        do throws(Refusal) {
            try secret.withUnsafeBytes { _ throws(Refusal) in throw Refusal() }
        } catch {
            #expect(error == Refusal())
        }
    }

    @Test("two secrets are equal when all their bytes are")
    func equality() {
        #expect(areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!areEqual([1, 2, 3], [0, 2, 3]))
        #expect(!areEqual([1, 2, 3], [1, 2]))
        #expect(areEqual([], []))
    }

    @Test("one bit anywhere makes a secret other than zero")
    func zero() {
        #expect(isZero([]))
        #expect(isZero(Array(repeating: 0, count: 33)))
        for position in 0..<33 {
            var bytes = [UInt8](repeating: 0, count: 33)
            bytes[position] = 0x80
            #expect(!isZero(bytes))
        }
    }

    /// Whether a run of the mark is left that no other content has by accident.
    private func isStillMarked(_ bytes: UnsafeRawBufferPointer, with mark: UInt8) -> Bool {
        bytes.split(whereSeparator: { $0 != mark }).contains { $0.count >= 8 }
    }
}
