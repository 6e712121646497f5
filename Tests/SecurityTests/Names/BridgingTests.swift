// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// What programs write for Apple's platforms, word for word.
@Suite struct BridgingTests {
    @Test("a dictionary keyed by constants becomes a CFDictionary and comes back in every form")
    func dictionaries() {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "bob", kSecReturnData: true,
        ]
        let dictionary = query as CFDictionary
        #expect(dictionary[kSecAttrAccount] as? String == "bob")
        #expect((dictionary as? [String: Any])?[kSecAttrAccount as String] as? String == "bob")
        #expect((dictionary as? [CFString: Any])?[kSecAttrAccount] as? String == "bob")
        #expect((dictionary as? [String: AnyObject])?["r_Data"] as? Bool == true)
        #expect((dictionary as? [NSObject: AnyObject])?[kSecAttrAccount] as? String == "bob")
    }

    @Test("a found item cast to [AnyHashable: Any] is read with a constant")
    func anyHashable() throws {
        let items: AnyObject = NSArray(array: [NSDictionary(dictionary: ["acct": "bob"])])
        let dictionaries = try #require(items as? [[AnyHashable: Any]])
        #expect(dictionaries[0][kSecAttrAccount] as? String == "bob")
        #expect(AnyHashable(kSecAttrAccount) == AnyHashable("acct"))
        #expect(AnyHashable(kSecAttrAccount).hashValue == AnyHashable("acct").hashValue)
        #expect((AnyHashable(kSecAttrAccount) as Any) as? NSString == kSecAttrAccount)
    }

    @Test("found items come as arrays of dictionaries, in Swift's types and in Foundation's")
    func arrays() {
        let item: CFTypeRef = NSArray(array: [NSDictionary(dictionary: ["acct": "bob", "v_Data": Data([1])])])
        #expect((item as? [[String: Any]])?.first?["v_Data"] as? Data == Data([1]))
        #expect((item as? [[CFString: Any]])?.first?[kSecAttrAccount] as? String == "bob")
        #expect((item as? [NSDictionary])?.count == 1)
        #expect((item as? [CFDictionary])?.count == 1)
        #expect((NSDictionary() as CFTypeRef) as? [[String: Any]] == nil)
    }

    @Test("a constant becomes a string by cast, initializer and interpolation")
    func strings() {
        #expect(kSecClass as String == "class")
        #expect(String(kSecClass) == "class")
        #expect("\(kSecClass)" == "class")
        #expect(NSString(format: kSecClass) as String == "class")
        #expect("class" as CFString == kSecClass)
    }

    @Test("kCFBooleanTrue is true in a query, unwrapped or not")
    func booleans() {
        var query: [String: AnyObject] = [:]
        query[kSecReturnData as String] = kCFBooleanTrue
        #expect(query["r_Data"] as? Bool == true)
        let values: [String: Any] = ["a": kCFBooleanTrue as Any, "b": kCFBooleanFalse as Any]
        #expect((values as CFDictionary)["a"] as? Bool == true)
        #expect((values as CFDictionary)["b"] as? Bool == false)
        #expect(kCFBooleanTrue.boolValue)
        #expect(5 as CFNumber == 5)
        #expect(true as CFBoolean == kCFBooleanTrue)
    }

    @Test("a mutable dictionary takes values by setValue, and nil removes them")
    func setValue() {
        let query = NSMutableDictionary()
        query.setValue("bob", forKey: kSecAttrAccount as String)
        query.setValue(kCFBooleanTrue, forKey: kSecReturnData as String)
        #expect(query[kSecAttrAccount] as? String == "bob")
        query.setValue(nil, forKey: kSecAttrAccount as String)
        #expect(query.count == 1)
        #expect((query as CFDictionary)[kSecReturnData] as? Bool == true)
    }
}
