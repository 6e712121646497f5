// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct TypeNumberTests {
    @Test("a truth value is told from a number, however it was made")
    func booleans() {
        for object in [true as AnyObject, false as AnyObject, NSNumber(value: true), NSNumber(value: false)] {
            #expect(CFGetTypeID(object) == CFBooleanGetTypeID())
        }
        #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(kCFBooleanFalse) == CFBooleanGetTypeID())
        for object in [1 as AnyObject, NSNumber(value: 0), NSNumber(value: Int8(1)), 1.0 as AnyObject] {
            #expect(CFGetTypeID(object) == CFNumberGetTypeID())
        }
        #expect(CFBooleanGetTypeID() != CFNumberGetTypeID())
    }

    @Test("a truth value out of a dictionary is still one")
    func booleanInDictionary() {
        let query = [kSecReturnData: true, kSecMatchLimit: 1] as [CFString: Any] as CFDictionary
        #expect(CFGetTypeID(query.object(forKey: kSecReturnData) as AnyObject) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(query.object(forKey: kSecMatchLimit) as AnyObject) == CFNumberGetTypeID())
    }

    @Test("a Swift value has the type number of the class it bridges to")
    func bridged() {
        #expect(CFGetTypeID("a" as AnyObject) == CFStringGetTypeID())
        #expect(CFGetTypeID(NSMutableString(string: "a")) == CFStringGetTypeID())
        #expect(CFGetTypeID(Data() as AnyObject) == CFDataGetTypeID())
        #expect(CFGetTypeID(Date() as AnyObject) == CFDateGetTypeID())
        #expect(CFGetTypeID(["a": 1] as AnyObject) == CFDictionaryGetTypeID())
        #expect(CFGetTypeID(["a"] as AnyObject) == CFArrayGetTypeID())
        #expect(CFGetTypeID(Set(["a"]) as AnyObject) == CFSetGetTypeID())
        #expect(CFGetTypeID(NSURL(fileURLWithPath: "/")) == CFURLGetTypeID())
        #expect(CFGetTypeID(NSError()) == CFErrorGetTypeID())
        #expect(CFGetTypeID(kCFNull) == CFNullGetTypeID())
        #expect(CFGetTypeID(kCFAllocatorNull) == CFAllocatorGetTypeID())
    }

    @Test("another class, and no object at all, have the type number 0")
    func others() {
        final class Other {}
        #expect(CFGetTypeID(Other()) == 0)
        #expect(CFGetTypeID(nil) == 0)
    }

    @Test("no two classes share a type number")
    func distinct() {
        let numbers = [
            CFAllocatorGetTypeID(), CFNullGetTypeID(), CFSetGetTypeID(), CFDictionaryGetTypeID(), CFArrayGetTypeID(),
            CFDataGetTypeID(), CFBooleanGetTypeID(), CFNumberGetTypeID(), CFErrorGetTypeID(), CFURLGetTypeID(),
            CFDateGetTypeID(), CFStringGetTypeID(), SecAccessControlGetTypeID(), SecKeyGetTypeID(),
            SecCertificateGetTypeID(), SecIdentityGetTypeID(), SecPolicyGetTypeID(), SecTrustGetTypeID(),
            SecKeychainItemGetTypeID(),
        ]
        #expect(Set(numbers).count == numbers.count)
        #expect(!numbers.contains(0))
    }

    @Test("each kind of reference has the number of its class")
    func references() throws {
        let key = try #require(
            SecKeyCreateRandomKey([kSecAttrKeyType: kSecAttrKeyTypeEd25519] as [CFString: Any] as CFDictionary, nil))
        #expect(CFGetTypeID(key) == SecKeyGetTypeID())
        #expect(CFGetTypeID(SecPolicyCreateBasicX509()) == SecPolicyGetTypeID())
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)
        #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
        try IsolatedKeychain().use {
            var item: CFTypeRef?
            let password = [kSecClass: kSecClassGenericPassword, kSecReturnRef: true] as [CFString: Any]
            #expect(SecItemAdd(password as CFDictionary, &item) == errSecSuccess)
            #expect(CFGetTypeID(item) == SecKeychainItemGetTypeID())
        }
    }
}
