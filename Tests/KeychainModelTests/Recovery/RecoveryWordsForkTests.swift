// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainModel
import Testing

@Suite struct RecoveryWordsForkTests {
    @Test("a child writes no words of its parent's key, and can write those of its own")
    func abandoned() throws {
        let bytes = Array(1...16) as [UInt8]
        let key = SecretBytes(count: 16) { $0.copyBytes(from: bytes) }
        let text = try recoveryText(of: bytes)
        let result = inChild {
            do throws(RecoveryWordsError) {
                _ = try RecoveryWords.text(of: key, checksum: standInChecksum)
                return 1
            } catch {
                guard error == .abandoned else { return 2 }
            }
            guard let own = try? recoveryText(of: bytes), own == text else { return 3 }
            guard let read = try? recoveryKey(from: text), read == bytes else { return 4 }
            return 0
        }
        #expect(result == 0)
        #expect(try recoveryText(of: bytes) == text)
    }
}
