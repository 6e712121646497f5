// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Core Foundation's functions on Foundation's objects.
@Suite struct CoreFoundationCollectionTests {
    private func pointer(_ object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    private func object(_ pointer: UnsafeRawPointer?) -> AnyObject? {
        pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    @Test("an array gives the very objects that it holds")
    func arrays() throws {
        let (first, second) = (NSObject(), "second" as NSString)
        var values: [UnsafeRawPointer?] = [pointer(first), pointer(second)]
        let callbacks = [kCFTypeArrayCallBacks]
        let array = try #require(CFArrayCreate(nil, &values, 2, callbacks))
        #expect(CFArrayGetCount(array) == 2)
        #expect(object(CFArrayGetValueAtIndex(array, 0)) === first)
        #expect(object(CFArrayGetValueAtIndex(array, 1)) as? String == "second")
        #expect(CFArrayGetValueAtIndex(array, 2) == nil)
        #expect(CFArrayGetValueAtIndex(array, -1) == nil)
        #expect(CFArrayContainsValue(array, CFRangeMake(0, 2), pointer(second)))
        #expect(!CFArrayContainsValue(array, CFRangeMake(0, 1), pointer(second)))
        #expect(CFArrayGetFirstIndexOfValue(array, CFRangeMake(0, 9), pointer(second)) == -1)
        var missing: [UnsafeRawPointer?] = [nil]
        #expect(CFArrayCreate(nil, &missing, 1, nil) == nil)
    }

    @Test("an array that Swift made is read by index, as strings, data, numbers and dictionaries")
    func bridged() {
        let array = ["a", Data([1]), 5, ["key": "value"]] as [Any] as CFArray
        #expect(object(CFArrayGetValueAtIndex(array, 0)) as? String == "a")
        #expect(object(CFArrayGetValueAtIndex(array, 1)) as? Data == Data([1]))
        #expect(object(CFArrayGetValueAtIndex(array, 2)) as? Int == 5)
        #expect((object(CFArrayGetValueAtIndex(array, 3)) as? NSDictionary)?["key"] as? String == "value")
    }

    @Test("a mutable array is changed by its functions, and beyond its end nothing happens")
    func mutableArrays() throws {
        let array = try #require(CFArrayCreateMutable(nil, 0, nil))
        let (first, second) = ("a" as NSString, "b" as NSString)
        CFArrayAppendValue(array, pointer(first))
        CFArrayInsertValueAtIndex(array, 0, pointer(second))
        #expect(array as? [String] == ["b", "a"])
        CFArraySetValueAtIndex(array, 1, pointer(second))
        CFArraySetValueAtIndex(array, 2, pointer(first))
        CFArraySetValueAtIndex(array, 9, pointer(first))
        #expect(array as? [String] == ["b", "b", "a"])
        CFArrayRemoveValueAtIndex(array, 0)
        CFArrayRemoveValueAtIndex(array, 7)
        #expect(array as? [String] == ["b", "a"])
        CFArrayAppendArray(array, ["c", "d"] as CFArray, CFRangeMake(1, 1))
        #expect(array as? [String] == ["b", "a", "d"])
        CFArrayRemoveAllValues(array)
        #expect(CFArrayGetCount(array) == 0)
    }

    @Test("a dictionary is looked into by equal keys, and enumerated")
    func dictionaries() throws {
        let dictionary = [kSecAttrAccount: "ada", kSecAttrService: "mail"] as [CFString: Any] as CFDictionary
        #expect(CFDictionaryGetCount(dictionary) == 2)
        let (key, other) = (NSString(string: "acct"), NSString(string: "none"))
        #expect(object(CFDictionaryGetValue(dictionary, pointer(key))) as? String == "ada")
        #expect(CFDictionaryGetValue(dictionary, pointer(other)) == nil)
        var value: UnsafeRawPointer?
        #expect(CFDictionaryGetValueIfPresent(dictionary, pointer(key), &value))
        #expect(object(value) as? String == "ada")
        #expect(!CFDictionaryGetValueIfPresent(dictionary, pointer(other), &value))
        var keys = [UnsafeRawPointer?](repeating: nil, count: 2)
        var values = [UnsafeRawPointer?](repeating: nil, count: 2)
        CFDictionaryGetKeysAndValues(dictionary, &keys, &values)
        let pairs = zip(keys, values).map { (object($0) as? String, object($1) as? String) }
        #expect(Set(pairs.map(\.0)) == ["acct", "svce"])
        #expect(pairs.allSatisfy { ($0.0 == "acct") == ($0.1 == "ada") })
    }

    @Test("a mutable dictionary is a query")
    func mutableDictionaries() throws {
        let dictionary = try #require(CFDictionaryCreateMutable(nil, 0, nil, nil))
        let (value, other) = ("x" as NSString, "y" as NSString)
        CFDictionaryAddValue(dictionary, pointer(kSecAttrAccount), pointer(value))
        CFDictionaryAddValue(dictionary, pointer(kSecAttrAccount), pointer(other))
        #expect(dictionary[kSecAttrAccount] as? String == "x")
        CFDictionarySetValue(dictionary, pointer(kSecAttrAccount), pointer(other))
        CFDictionaryReplaceValue(dictionary, pointer(kSecAttrService), pointer(other))
        #expect(dictionary as? [String: String] == ["acct": "y"])
        CFDictionarySetValue(dictionary, pointer(kSecClass), pointer(kSecClassGenericPassword))
        let keychain = try IsolatedKeychain()
        keychain.use { #expect(SecItemAdd(dictionary, nil) == errSecSuccess) }
        CFDictionaryRemoveValue(dictionary, pointer(kSecClass))
        #expect(CFDictionaryGetCount(dictionary) == 1)
        let copy = NSMutableDictionary(dictionary: dictionary as NSDictionary)
        CFDictionaryRemoveAllValues(dictionary)
        #expect(CFDictionaryGetCount(dictionary) == 0)
        #expect(copy as? [String: String] == ["acct": "y"])
    }

    @Test("equal objects have equal hashes, and a truth value is no number")
    func equality() {
        #expect(CFEqual("a" as CFString, NSString(string: "a")))
        #expect(CFHash("a" as CFString) == CFHash(NSString(string: "a")))
        #expect(!CFEqual("a" as CFString, Data([97]) as CFData))
        #expect(!CFEqual(kCFBooleanTrue, 1 as CFNumber))
        #expect(CFEqual(nil, nil))
        #expect(!CFEqual(nil, kCFBooleanTrue))
        #expect(CFCopyDescription("a" as CFString) as String == "a")
        #expect(CFCopyTypeIDDescription(SecKeyGetTypeID()) as String == "SecKey")
    }

    @Test("numbers are read as other types where they fit")
    func numbers() {
        var (small, large, fraction): (Int8, Int64, Double) = (0, 0, 0)
        #expect(CFNumberGetValue(77 as CFNumber, .sInt8Type, &small))
        #expect(small == 77)
        #expect(!CFNumberGetValue(300 as CFNumber, .sInt8Type, &small))
        #expect(CFNumberGetValue(1.5 as CFNumber, .doubleType, &fraction))
        #expect(fraction == 1.5)
        #expect(!CFNumberGetValue(1.5 as CFNumber, .sInt64Type, &large))
        var number: Int32 = -3
        #expect(CFNumberCreate(nil, .sInt32Type, &number) == NSNumber(value: -3))
        #expect(CFNumberIsFloatType(1.5 as CFNumber))
        #expect(CFNumberCompare(1 as CFNumber, 2 as CFNumber, nil) == .compareLessThan)
        #expect(CFBooleanGetValue(kCFBooleanTrue) && !CFBooleanGetValue(nil))
    }

    @Test("text goes to bytes and back, and only where it fits")
    func strings() {
        let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
        let text = "Grüße" as CFString
        var buffer = [CChar](repeating: 1, count: 8)
        #expect(CFStringGetCString(text, &buffer, 8, utf8))
        #expect(CFStringCreateWithCString(nil, buffer, utf8) == text)
        #expect(!CFStringGetCString(text, &buffer, 7, utf8))
        #expect(!CFStringGetCString(text, &buffer, 8, CFStringBuiltInEncodings.ASCII.rawValue))
        #expect(CFStringCreateWithBytes(nil, [0xFF], 1, utf8, false) == nil)
        #expect(CFStringGetLength(text) == 5)
        #expect(CFStringCreateExternalRepresentation(nil, text, utf8, 0).length == 7)
        #expect(CFStringHasPrefix(text, "Gr" as CFString) && !CFStringHasSuffix(text, "Gr" as CFString))
        #expect(CFStringCompare("A" as CFString, "a" as CFString, .compareCaseInsensitive) == .compareEqualTo)
        #expect(CFStringCreateWithSubstring(nil, text, CFRangeMake(4, 2)) == nil)
        #expect(CFStringGetMaximumSizeForEncoding(4, 99) == -1)
    }

    @Test("data, sets, dates, URLs and errors are made and read")
    func others() throws {
        let data = try #require(CFDataCreateMutableCopy(nil, 0, CFDataCreate(nil, [1, 2, 3], 3)))
        CFDataAppendBytes(data, [4], 1)
        CFDataDeleteBytes(data, CFRangeMake(0, 1))
        CFDataDeleteBytes(data, CFRangeMake(3, 1))
        #expect(data as Data == Data([2, 3, 4]))
        var part: [UInt8] = [0, 0]
        CFDataGetBytes(data, CFRangeMake(1, 2), &part)
        #expect(part == [3, 4])
        #expect(CFDataCreate(nil, nil, 1) == nil)
        let set = try #require(CFSetCreateMutable(nil, 0, nil))
        let member = "a" as NSString
        CFSetAddValue(set, pointer(member))
        #expect(CFSetGetCount(set) == 1)
        #expect(CFSetContainsValue(set, pointer(member)))
        CFSetRemoveValue(set, pointer(member))
        #expect(CFSetGetCount(set) == 0)
        #expect(CFDateCompare(CFDateCreate(nil, 1), CFDateCreate(nil, 2), nil) == .compareLessThan)
        let url = CFURLCreateWithString(nil, "https://example.org:8443/a/b" as CFString, nil)
        #expect(CFURLCopyHostName(url) as String == "example.org")
        #expect(CFURLGetPortNumber(url) == 8443)
        #expect(CFURLCopyPath(url) as String == "/a/b")
        let error = CFErrorCreate(nil, kCFErrorDomainOSStatus, Int(errSecParam), nil)
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect(CFUUIDCreateFromString(nil, CFUUIDCreateString(nil, CFUUIDCreate(nil))) != nil)
    }
}
