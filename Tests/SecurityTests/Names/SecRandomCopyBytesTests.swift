// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct SecRandomCopyBytesTests {
    @Test("every byte that was asked for is filled, and none beyond", arguments: [1, 16, 255, 256, 257, 512, 5000])
    func filled(count: Int) {
        // A byte that stays 0 in 16 draws was never written: by chance that happens once in 2^128.
        var seen = [UInt8](repeating: 0, count: count)
        for _ in 0..<16 {
            var bytes = [UInt8](repeating: 0, count: count + 8)
            #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess)
            #expect(bytes[count...].allSatisfy { $0 == 0 })
            for index in 0..<count { seen[index] |= bytes[index] }
        }
        #expect(!seen.contains(0))
    }

    @Test("two calls never give the same 32 bytes")
    func distinct() {
        var first = [UInt8](repeating: 0, count: 32)
        var second = first
        #expect(unsafe SecRandomCopyBytes(nil, 32, &first) == errSecSuccess)
        #expect(unsafe SecRandomCopyBytes(nil, 32, &second) == errSecSuccess)
        #expect(first != second)
    }

    @Test("no bytes is a success, a negative number of bytes an error, and neither writes")
    func bounds() {
        var bytes: [UInt8] = [1, 2, 3]
        #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, 0, &bytes) == errSecSuccess)
        #expect(unsafe SecRandomCopyBytes(kSecRandomDefault, -1, &bytes) == errSecParam)
        #expect(bytes == [1, 2, 3])
    }

    @Test("it fills Data, as the usual snippet does")
    func snippet() {
        var data = Data(count: 32)
        let status = unsafe data.withUnsafeMutableBytes { buffer in
            guard let address = buffer.baseAddress else { return errSecAllocate }
            return unsafe SecRandomCopyBytes(kSecRandomDefault, buffer.count, address)
        }
        #expect(status == errSecSuccess)
        #expect(data != Data(count: 32))
    }
}
