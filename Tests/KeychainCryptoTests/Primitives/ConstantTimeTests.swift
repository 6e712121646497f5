// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import Testing

@Suite struct ConstantTimeTests {
    @Test("bytes equal their copy, and not a copy with one changed bit, a longer one or a shorter one")
    func compares() throws {
        let bytes: PrimitiveBytes = "00112233445566778899aabbccddeeff00"
        #expect(try isEqual(bytes, bytes))
        let longer = PrimitiveBytes(bytes.array + [0])
        let shorter = PrimitiveBytes(bytes.array.dropLast())
        let equal = try (bytes.withOneByteChanged + [longer, shorter, ""]).filter { try isEqual(bytes, $0) }
        #expect(equal.isEmpty)
        #expect(try isEqual("", ""))
    }

    private func isEqual(_ left: PrimitiveBytes, _ right: PrimitiveBytes) throws(CryptoError) -> Bool {
        try left.lend { left throws(CryptoError) in
            try right.lend { right throws(CryptoError) in isEqualInConstantTime(left, right) }
        }
    }
}
