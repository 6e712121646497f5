// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct ShrinkingTests {
    @Test("after most items are removed the file is small again, and the others are there", arguments: [true, false])
    func small(atOnce: Bool) throws {
        let keychain = try IsolatedKeychain(
            .temporaryFolder, entitlements: Entitlements(keychainAccessGroups: ["shrinking"]))
        let folder = try #require(keychain.folder)
        func size() throws -> Int {
            keychain.reopen()
            return try FileManager.default.attributesOfItem(atPath: folder.path + "/keychain.db")[.size] as? Int ?? 0
        }
        func item(_ number: Int) -> [String: Any] {
            ["class": "genp", "svce": number % 40 == 0 ? "kept" : "going", "acct": "account \(number)"]
        }
        keychain.use {
            for number in 0..<400 {
                let secret = Data(repeating: UInt8(number % 251), count: 3000)
                #expect(SecItemAdd(item(number).merging(["v_Data": secret]) { $1 } as CFDictionary, nil) == 0)
            }
        }
        let before = try size()
        keychain.use {
            if atOnce {
                #expect(SecItemDelete(["class": "genp", "svce": "going"] as CFDictionary) == errSecSuccess)
            } else {
                for number in 0..<400 where number % 40 != 0 {
                    #expect(SecItemDelete(item(number) as CFDictionary) == errSecSuccess)
                }
            }
        }
        let after = try size()
        #expect(before > 1_200_000 && after < before / 2, "\(before), then \(after) bytes")
        keychain.use {
            for number in stride(from: 0, to: 400, by: 40) {
                var result: CFTypeRef?
                let query = item(number).merging(["r_Data": true]) { $1 } as CFDictionary
                #expect(SecItemCopyMatching(query, &result) == errSecSuccess)
                #expect(result as? Data == Data(repeating: UInt8(number % 251), count: 3000))
            }
        }
        #expect(try keychain.check() == [])
    }
}
