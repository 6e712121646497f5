// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct KeyChangeTests {
    /// KEYCHAIN_SEED=104: the port is kept in the clear, where a number and a text are never equal, and was compared by
    /// its bytes, as hashed attributes are.
    @Test("a synchronizable item whose port becomes the text of the same bytes leaves a tombstone at its old place")
    func portOfSameBytes() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        let query: Terms = ["class": .text("inet"), "acct": .text("a"), "sync": .flag(true)]
        let old = query.merging(["port": .number(1)]) { $1 }
        let statuses = keychain.use {
            [
                SecItemAdd(old.dictionary, nil),
                SecItemUpdate(query.dictionary, (["port": .text("\u{1}\0\0\0")] as Terms).dictionary),
                SecItemCopyMatching(old.merging(["tomb": .flag(true)]) { $1 }.dictionary, nil),
            ]
        }
        #expect(statuses == [errSecSuccess, errSecSuccess, errSecSuccess])
    }
}
