// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainParsing
import Security
import Testing

/// A dictionary that hashes nothing is one like others to whoever it is handed to.
@Suite struct ListedDictionaryTests {
    private let listed = ListedDictionary(
        keys: ["acct" as NSString, "svce" as NSString, "v_Data" as NSString],
        values: ["ada" as NSString, "mail" as NSString, NSData(data: Data([1, 2]))])

    private func isWhole(_ dictionary: NSDictionary) -> Bool {
        dictionary.count == 3 && dictionary.object(forKey: "acct") as? String == "ada"
            && dictionary["svce"] as? String == "mail" && dictionary["v_Data"] as? Data == Data([1, 2])
            && dictionary.object(forKey: "none") == nil
    }

    @Test("it is found in, listed and enumerated")
    func read() {
        #expect(isWhole(listed))
        #expect(listed.allKeys as? [String] == ["acct", "svce", "v_Data"])
        #expect(listed.allValues.count == 3)
        var seen: [String] = []
        listed.enumerateKeysAndObjects(options: []) { key, _, _ in seen.append(key as? String ?? "?") }
        #expect(seen.sorted() == ["acct", "svce", "v_Data"])
        #expect(Array(listed).count == 3)
    }

    @Test("copies of it, that can change or not, have all its entries")
    func copied() throws {
        #expect(isWhole(try #require(listed.copy() as? NSDictionary)))
        let changing = try #require(listed.mutableCopy() as? NSMutableDictionary)
        #expect(isWhole(changing))
        changing["acct"] = "eve"
        #expect(changing["acct"] as? String == "eve" && isWhole(listed))
        #expect(isWhole(NSDictionary(dictionary: listed)))
        let other = NSMutableDictionary(dictionary: listed)
        #expect(isWhole(other) && other.isEqual(changing) == false)
        other.removeObject(forKey: "svce")
        #expect(other.count == 2 && listed.count == 3)
    }
}
