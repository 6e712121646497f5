// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct BadInputTests {
    @Test("a wrong entry is refused by all four functions, and nothing happens", arguments: BadValue.all)
    func refused(bad: BadValue) throws {
        let keychain = try IsolatedKeychain(.inMemory)
        let item = NSMutableDictionary(dictionary: ["class": bad.itemClass, "labl": "kept"])
        let wrong = copy(of: item)
        wrong.setObject(bad.value, forKey: key(bad))
        let changes = NSMutableDictionary()
        changes.setObject(bad.value, forKey: key(bad))
        let everything = copy(of: item)
        everything.setObject("m_LimitAll", forKey: "m_Limit" as NSString)
        keychain.use {
            let before = SecItemAdd(item, nil)
            var result: CFTypeRef?
            let statuses = [
                before, SecItemAdd(wrong, &result), SecItemCopyMatching(wrong, &result),
                SecItemUpdate(wrong, ["labl": "x"] as NSDictionary), SecItemDelete(wrong),
                SecItemUpdate(item, changes),
            ]
            let said = Llavero.lastFailure ?? ""
            let after = SecItemCopyMatching(everything, &result)
            #expect(statuses == [errSecSuccess] + Array(repeating: bad.status, count: 4) + [bad.inChanges])
            #expect(after == errSecSuccess && (result as? NSArray)?.count == 0 && !said.contains("kumquat "))
        }
    }

    private func copy(of dictionary: NSDictionary) -> NSMutableDictionary {
        dictionary.mutableCopy() as? NSMutableDictionary ?? NSMutableDictionary()
    }

    private func key(_ bad: BadValue) -> NSObject { bad.key as? NSObject ?? NSNull() }
}
