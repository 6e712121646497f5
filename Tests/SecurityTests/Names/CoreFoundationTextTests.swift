// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Core Foundation's functions on parts of text and data, on what is applied to collections, and on property lists.
@Suite struct CoreFoundationTextTests {
    private let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
    private let ascii = CFStringBuiltInEncodings.ASCII.rawValue

    private func pointer(_ object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    @Test("units of UTF-16 go in and out, and beyond the end nothing does")
    func units() throws {
        let units = Array("ab€".utf16)
        let text = try #require(CFStringCreateWithCharacters(nil, units, 3))
        #expect(text as String == "ab€")
        #expect(CFStringCreateWithCharacters(nil, nil, 0) as String? == "")
        #expect(CFStringCreateWithCharacters(nil, nil, 2) == nil && CFStringCreateWithCharacters(nil, units, -1) == nil)
        var room = [UniChar](repeating: 7, count: 3)
        CFStringGetCharacters(text, CFRangeMake(2, 2), &room)
        #expect(room == [7, 7, 7])
        CFStringGetCharacters(text, CFRangeMake(1, 2), &room)
        #expect(room == [units[1], units[2], 7])
    }

    @Test("bytes of text are written as far as there is room and as they can be said")
    func bytes() {
        let text = "a€b" as CFString
        let all = CFRangeMake(0, 3)
        var (used, room) = (CFIndex(-1), [UInt8](repeating: 0, count: 8))
        #expect(CFStringGetBytes(text, all, utf8, 0, false, nil, 0, &used) == 3 && used == 5)
        #expect(CFStringGetBytes(text, all, utf8, 0, false, &room, 8, &used) == 3 && used == 5)
        #expect(Array(room.prefix(5)) == Array("a€b".utf8))
        #expect(CFStringGetBytes(text, all, utf8, 0, false, &room, 3, &used) == 1 && used == 1)
        #expect(CFStringGetBytes(text, all, ascii, 0, false, &room, 8, &used) == 1 && used == 1)
        #expect(CFStringGetBytes(text, all, ascii, 63, false, &room, 8, &used) == 3 && used == 3)
        #expect(Array(room.prefix(3)) == Array("a?b".utf8))
        #expect(CFStringGetBytes(text, CFRangeMake(2, 5), utf8, 0, false, &room, 8, &used) == 0 && used == 0)
        #expect(CFStringGetBytes(text, all, 12345, 0, false, &room, 8, nil) == 0)
    }

    @Test("text is found, replaced and trimmed")
    func changed() throws {
        let text = try #require(CFStringCreateMutableCopy(nil, 0, "  Mail of Ada " as CFString))
        let found = CFStringFind(text, "ada" as CFString, .compareCaseInsensitive)
        #expect(found == CFRange(location: 10, length: 3))
        #expect(CFStringFind(text, "ada" as CFString, []).location == kCFNotFound)
        #expect(CFStringFind(text, "" as CFString, []).location == kCFNotFound)
        CFStringReplace(text, CFRangeMake(20, 3), "Eve" as CFString)
        CFStringReplace(text, found, "Eve" as CFString)
        CFStringTrimWhitespace(text)
        CFStringAppendCString(text, "!", utf8)
        #expect(text as String == "Mail of Eve!")
        #expect(CFStringGetDoubleValue("2.5 bits" as CFString) == 2.5)
        #expect(CFStringConvertEncodingToNSStringEncoding(utf8) == String.Encoding.utf8.rawValue)
        #expect(CFStringConvertEncodingToNSStringEncoding(3) == UInt(kCFStringEncodingInvalidId))
        #expect(CFStringGetSystemEncoding() == utf8)
    }

    @Test("data is found in data, and a part of it replaced")
    func data() throws {
        let data = try #require(CFDataCreateMutableCopy(nil, 0, Data([1, 2, 3, 1, 2]) as CFData))
        let (wanted, all) = (Data([1, 2]) as CFData, CFRangeMake(0, 5))
        #expect(CFDataFind(data, wanted, all, []) == CFRange(location: 0, length: 2))
        #expect(CFDataFind(data, wanted, all, .backwards) == CFRange(location: 3, length: 2))
        #expect(CFDataFind(data, wanted, CFRangeMake(1, 3), []).location == kCFNotFound)
        #expect(CFDataFind(data, wanted, CFRangeMake(1, 9), []).location == kCFNotFound)
        CFDataReplaceBytes(data, CFRangeMake(1, 1), [7, 8], 2)
        CFDataReplaceBytes(data, CFRangeMake(4, 9), [9], 1)
        CFDataReplaceBytes(data, CFRangeMake(0, 1), nil, 1)
        #expect(data as Data == Data([1, 7, 8, 3, 1, 2]))
        CFDataReplaceBytes(data, CFRangeMake(0, 5), nil, 0)
        #expect(data as Data == Data([2]))
    }

    @Test("a function is called for each entry and each value, with what the caller passed")
    func applied() {
        let dictionary = [kSecAttrAccount: "ada", kSecAttrService: "ada"] as [CFString: Any] as CFDictionary
        var count = 0
        CFDictionaryApplyFunction(
            dictionary,
            { key, value, context in
                if key != nil, value != nil { context?.assumingMemoryBound(to: Int.self).pointee += 1 }
            }, &count)
        #expect(count == 2)
        #expect(CFDictionaryGetCountOfKey(dictionary, pointer(kSecAttrAccount)) == 1)
        #expect(CFDictionaryGetCountOfKey(dictionary, pointer(kSecAttrLabel)) == 0)
        let value = "ada" as NSString
        #expect(CFDictionaryGetCountOfValue(dictionary, pointer(value)) == 2)
        let add: CFArrayApplierFunction = { value, context in
            if value != nil { context?.assumingMemoryBound(to: Int.self).pointee += 10 }
        }
        CFArrayApplyFunction(["a", "b", "c"] as CFArray, CFRangeMake(1, 2), add, &count)
        CFArrayApplyFunction(["a"] as CFArray, CFRangeMake(1, 2), add, &count)
        #expect(count == 22)
        let set = NSSet(array: ["ada", "eve"])
        #expect(CFSetGetValue(set, pointer(value)) != nil)
        let other = "bob" as NSString
        #expect(CFSetGetValue(set, pointer(other)) == nil)
        var values = [UnsafeRawPointer?](repeating: nil, count: 2)
        CFSetGetValues(set, &values)
        #expect(values.allSatisfy { $0 != nil } && CFSetGetCount(CFSetCreateCopy(nil, set)) == 2)
    }

    @Test("a property list is written and read again, whole, and only what is one")
    func propertyLists() throws {
        let list: NSDictionary = ["name": "ada", "keys": [1, true, Data([1])], "at": Date(timeIntervalSince1970: 5)]
        for format in [CFPropertyListFormat.xmlFormat_v1_0, .binaryFormat_v1_0] {
            let data = try #require(CFPropertyListCreateData(nil, list, format, 0, nil)).takeRetainedValue()
            var found = CFPropertyListFormat.openStepFormat
            let read = CFPropertyListCreateWithData(nil, data, 0, &found, nil)?.takeRetainedValue()
            #expect(found == format && (read as? NSDictionary)?.isEqual(list) == true)
            #expect(CFPropertyListIsValid(list, format))
        }
        let options = CFPropertyListMutabilityOptions.mutableContainersAndLeaves.rawValue
        let copy = try #require(CFPropertyListCreateDeepCopy(nil, list, options) as? NSMutableDictionary)
        let key = "keys" as NSString
        let found = try #require(CFDictionaryGetValue(copy, pointer(key)))
        let keys = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
        (keys as? NSMutableArray)?.add("more")
        #expect((copy["keys"] as? [Any])?.count == 4 && (list["keys"] as? [Any])?.count == 3)

        let wrong =
            [NSObject(), NSNull(), ["a": NSNull()] as NSDictionary, [1: "number"] as NSDictionary] as [NSObject]
        for object in wrong {
            var error: Unmanaged<CFError>?
            #expect(CFPropertyListCreateData(nil, object, .xmlFormat_v1_0, 0, &error) == nil)
            #expect(error?.takeRetainedValue().domain == NSCocoaErrorDomain)
            #expect(CFPropertyListCreateDeepCopy(nil, object, 0) == nil)
        }
        let endless = NSMutableArray()
        endless.add(endless)
        #expect(!CFPropertyListIsValid(endless, .xmlFormat_v1_0))
        endless.removeAllObjects()
        #expect(CFPropertyListCreateWithData(nil, Data("no list".utf8) as CFData, 9, nil, nil) == nil)
        #expect(CFPropertyListCreateData(nil, list, .openStepFormat, 0, nil) == nil)
    }

    @Test("identifiers have a type, URLs have extensions, numbers have sizes")
    func others() {
        #expect(CFGetTypeID(CFUUIDCreate(nil)) == CFUUIDGetTypeID())
        #expect(CFCopyTypeIDDescription(CFUUIDGetTypeID()) as String? == "CFUUID")
        let folder = CFURLCreateWithFileSystemPath(nil, "/tmp" as CFString, .cfurlposixPathStyle, true)
        let file = CFURLCreateCopyAppendingPathComponent(nil, folder, "a.p12" as CFString, false)
        #expect(CFURLCopyPathExtension(file) as String? == "p12" && CFURLCopyPathExtension(folder) == nil)
        #expect(CFURLCopyPath(CFURLCopyAbsoluteURL(file)) as String? == "/tmp/a.p12")
        #expect(
            CFNumberGetByteSize(NSNumber(value: 1 << 40)) == 8 && CFNumberGetByteSize(NSNumber(value: Float(1.5))) == 4)
        #expect(CFNumberType.maxType == .cgFloatType)
    }
}
