// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The functions for passwords that came before SecItem.
@Suite struct ClassicPasswordTests {
    private let keychain: IsolatedKeychain

    init() throws { keychain = try IsolatedKeychain() }

    private func add(_ account: String, _ password: String) -> (OSStatus, SecKeychainItem?) {
        var item: SecKeychainItem?
        let status = SecKeychainAddGenericPassword(
            nil, 4, "mail", UInt32(account.utf8.count), account, UInt32(password.utf8.count), password, &item)
        return (status, item)
    }

    private func find(_ account: String) -> (OSStatus, String?) {
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        let status = SecKeychainFindGenericPassword(
            nil, 4, "mail", UInt32(account.utf8.count), account, &length, &data, nil)
        guard let found = data else { return (status, nil) }
        let text = String(decoding: UnsafeRawBufferPointer(start: found, count: Int(length)), as: UTF8.self)
        #expect(SecKeychainItemFreeContent(nil, found) == errSecSuccess)
        return (status, text)
    }

    private func bytes(_ attribute: SecKeychainAttribute) -> [UInt8] {
        guard let data = attribute.data else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(attribute.length)))
    }

    /// What the item says of these attributes.
    private func attributes(_ item: SecKeychainItem, _ tags: [SecItemAttr]) -> (OSStatus, [[UInt8]]) {
        var given = tags.map { SecKeychainAttribute(tag: $0.rawValue, length: 0, data: nil) }
        return given.withUnsafeMutableBufferPointer { buffer in
            var list = SecKeychainAttributeList(count: UInt32(buffer.count), attr: buffer.baseAddress)
            let status = SecKeychainItemCopyContent(item, nil, &list, nil, nil)
            let values = buffer.map { bytes($0) }
            #expect(SecKeychainItemFreeContent(&list, nil) == errSecSuccess)
            return (status, values)
        }
    }

    private func modify(_ item: SecKeychainItem, _ tag: SecItemAttr, _ value: [UInt8]) -> OSStatus {
        var value = value
        return value.withUnsafeMutableBytes { bytes in
            var attribute = SecKeychainAttribute(
                tag: tag.rawValue, length: UInt32(bytes.count), data: bytes.baseAddress)
            return withUnsafeMutablePointer(to: &attribute) { pointer in
                var list = SecKeychainAttributeList(count: 1, attr: pointer)
                return SecKeychainItemModifyAttributesAndData(item, &list, 0, nil)
            }
        }
    }

    @Test("a password is added, found, changed and deleted")
    func whole() throws {
        try keychain.use {
            let (status, item) = add("ada", "first")
            #expect(status == errSecSuccess)
            #expect(add("ada", "again").0 == errSecDuplicateItem)
            #expect(find("ada") == (errSecSuccess, "first"))
            #expect(find("eve") == (errSecItemNotFound, nil))
            let found = try #require(item)
            #expect(SecKeychainItemModifyAttributesAndData(found, nil, 6, "second") == errSecSuccess)
            #expect(find("ada") == (errSecSuccess, "second"))
            #expect(SecKeychainItemDelete(found) == errSecSuccess)
            #expect(find("ada") == (errSecItemNotFound, nil))
            #expect(SecKeychainItemDelete(found) == errSecItemNotFound)
        }
    }

    @Test("the item functions see what the classic ones store, with the service as its label")
    func shared() throws {
        try keychain.use {
            #expect(add("ada", "secret").0 == errSecSuccess)
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "mail", kSecReturnAttributes: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            let found = try #require(result as? [String: Any])
            #expect(found[kSecAttrLabel as String] as? String == "mail")
            #expect(found[kSecAttrAccount as String] as? String == "ada")
        }
    }

    @Test("protocol and authentication type are stored as the texts of the item functions")
    func internet() throws {
        try keychain.use {
            var item: SecKeychainItem?
            let status = SecKeychainAddInternetPassword(
                nil, 11, "example.org", 0, nil, 3, "ada", 1, "/", 443, .HTTPS, .httpBasic, 6, "secret", &item)
            #expect(status == errSecSuccess)
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassInternetPassword, kSecAttrProtocol: kSecAttrProtocolHTTPS,
                kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic, kSecAttrPort: 443,
                kSecReturnData: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? Data == Data("secret".utf8))

            func find(_ ofServer: SecProtocolType, _ port: UInt16) -> OSStatus {
                SecKeychainFindInternetPassword(
                    nil, 11, "example.org", 0, nil, 0, nil, 0, nil, port, ofServer, .any, nil, nil, nil)
            }
            #expect(find(.any, 0) == errSecSuccess)
            #expect(find(.HTTPS, 443) == errSecSuccess)
            #expect(find(.HTTP, 0) == errSecItemNotFound)
            #expect(find(.any, 80) == errSecItemNotFound)

            let kept = try #require(item)
            let (said, values) = attributes(
                kept, [.protocolItemAttr, .authenticationTypeItemAttr, .portItemAttr, .serverItemAttr])
            #expect(said == errSecSuccess)
            let numbers = values.prefix(3).map { $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
            #expect(numbers == [SecProtocolType.HTTPS.rawValue, SecAuthenticationType.httpBasic.rawValue, 443])
            #expect(values[3] == Array("example.org".utf8))
        }
    }

    @Test("authentication types are four letters, the first in the lowest byte; protocols have it in the highest")
    func letters() {
        let types: [(SecAuthenticationType, String)] = [
            (.NTLM, "ntlm"), (.MSN, "msna"), (.DPA, "dpaa"), (.RPA, "rpaa"), (.httpBasic, "http"),
            (.httpDigest, "httd"), (.htmlForm, "form"), (.default, "dflt"),
        ]
        for (type, letters) in types {
            let number = letters.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(type.rawValue == number && SecAuthenticationType(rawValue: number) == type)
        }
        #expect(SecAuthenticationType.any.rawValue == 0 && SecAuthenticationType.allCases.count == types.count + 1)
        #expect(SecProtocolType.HTTPS.rawValue == 0x68_74_70_73 && SecProtocolType.SSH.rawValue == 0x73_73_68_20)
    }

    @Test("attributes are changed by their tags, and one that the class lacks is refused")
    func attributesChange() throws {
        try keychain.use {
            let item = try #require(add("ada", "secret").1)
            #expect(modify(item, .accountItemAttr, Array("eve".utf8)) == errSecSuccess)
            #expect(modify(item, .creatorItemAttr, [1, 2, 3, 4]) == errSecSuccess)
            let (status, values) = attributes(item, [.accountItemAttr, .creatorItemAttr])
            #expect(status == errSecSuccess)
            #expect(values == [Array("eve".utf8), [1, 2, 3, 4]])
            #expect(find("eve") == (errSecSuccess, "secret"))
            #expect(attributes(item, [.serverItemAttr]).0 == errSecNoSuchAttr)
            #expect(attributes(item, [.volumeItemAttr]).0 == errSecNoSuchAttr)
            #expect(modify(item, .creatorItemAttr, [1, 2, 3]) == errSecParam)
            let stamp = try #require(attributes(item, [.creationDateItemAttr]).1.first)
            #expect(stamp.count == 16 && stamp.suffix(2) == [UInt8(ascii: "Z"), 0])
        }
    }

    @Test("attributes and secret come out together, in a list of their own")
    func together() throws {
        try keychain.use {
            let item = try #require(add("ada", "secret").1)
            var tags = [SecItemAttr.accountItemAttr.rawValue, SecItemAttr.commentItemAttr.rawValue]
            tags.withUnsafeMutableBufferPointer { buffer in
                guard let first = buffer.baseAddress else { return }
                var info = SecKeychainAttributeInfo(count: 2, tag: first, format: nil)
                var itemClass = SecItemClass.certificateItemClass
                var list: UnsafeMutablePointer<SecKeychainAttributeList>?
                var (length, data) = (UInt32(0), UnsafeMutableRawPointer?.none)
                #expect(
                    SecKeychainItemCopyAttributesAndData(item, &info, &itemClass, &list, &length, &data)
                        == errSecSuccess)
                #expect(itemClass == .genericPasswordItemClass)
                #expect(length == 6)
                #expect(list?.pointee.count == 2)
                if let attributes = list?.pointee.attr {
                    #expect(bytes(attributes[0]) == Array("ada".utf8))
                    #expect(attributes[1].length == 0)
                }
                #expect(SecKeychainItemFreeAttributesAndData(list, data) == errSecSuccess)
                #expect(
                    SecKeychainItemCopyAttributesAndData(item, nil, nil, &list, nil, nil) == errSecParam)
            }
        }
    }

    @Test("an item is made of its content, copied, and found again by its stored reference")
    func content() throws {
        try keychain.use {
            var account = Array("ada".utf8)
            var item: SecKeychainItem?
            account.withUnsafeMutableBytes { bytes in
                var attribute = SecKeychainAttribute(
                    tag: SecItemAttr.accountItemAttr.rawValue, length: UInt32(bytes.count), data: bytes.baseAddress)
                withUnsafeMutablePointer(to: &attribute) { pointer in
                    var list = SecKeychainAttributeList(count: 1, attr: pointer)
                    #expect(
                        SecKeychainItemCreateFromContent(
                            .genericPasswordItemClass, &list, 6, "secret", nil, nil, &item) == errSecSuccess)
                    #expect(
                        SecKeychainItemCreateFromContent(
                            .privateKeyItemClass, &list, 6, "secret", nil, nil, nil) == errSecUnimplemented)
                }
            }
            let made = try #require(item)
            var reference: CFData?
            #expect(SecKeychainItemCreatePersistentReference(made, &reference) == errSecSuccess)
            var again: SecKeychainItem?
            let kept = try #require(reference)
            #expect(SecKeychainItemCopyFromPersistentReference(kept, &again) == errSecSuccess)
            #expect(again == made)
            var home: SecKeychain?
            #expect(SecKeychainItemCopyKeychain(made, &home) == errSecSuccess)
            #expect(home != nil)
            #expect(SecKeychainItemCreateCopy(made, nil, nil, &again) == errSecDuplicateItem)
        }
    }

    @Test("an item of another keychain is changed and copied there")
    func otherKeychain() throws {
        let folder = try KeychainsFolder()
        var other: SecKeychain?
        #expect(SecKeychainCreate(folder.path("other"), 0, nil, false, nil, &other) == errSecSuccess)
        try keychain.use {
            let item = try #require(add("ada", "secret").1)
            var copy: SecKeychainItem?
            #expect(SecKeychainItemCreateCopy(item, other, nil, &copy) == errSecSuccess)
            let copied = try #require(copy)
            var home: SecKeychain?
            #expect(SecKeychainItemCopyKeychain(copied, &home) == errSecSuccess)
            #expect(home == other)
            #expect(SecKeychainItemModifyContent(copied, nil, 5, "other") == errSecSuccess)
            #expect(find("ada") == (errSecSuccess, "secret"))
            #expect(SecKeychainFindGenericPassword(other, 4, "mail", 3, "ada", nil, nil, nil) == errSecSuccess)
            #expect(SecKeychainItemDelete(copied) == errSecSuccess)
            #expect(
                SecKeychainFindGenericPassword(other, 4, "mail", 3, "ada", nil, nil, nil)
                    == errSecItemNotFound)
        }
    }

    @Test("a search gives one item after the other, and says when there are no more")
    func search() throws {
        try keychain.use {
            for account in ["a", "b", "c"] { #expect(add(account, account).0 == errSecSuccess) }
            var search: SecKeychainSearch?
            #expect(
                SecKeychainSearchCreateFromAttributes(nil, .genericPasswordItemClass, nil, &search)
                    == errSecSuccess)
            let begun = try #require(search)
            var item: SecKeychainItem?
            for account in ["a", "b", "c"] {
                #expect(SecKeychainSearchCopyNext(begun, &item) == errSecSuccess)
                let found = try #require(item)
                #expect(attributes(found, [.accountItemAttr]).1 == [Array(account.utf8)])
            }
            #expect(SecKeychainSearchCopyNext(begun, &item) == errSecItemNotFound)
            var identities: SecIdentitySearch?
            #expect(SecIdentitySearchCreate(nil, 0, &identities) == errSecSuccess)
            var identity: SecIdentity?
            let none = try #require(identities)
            #expect(SecIdentitySearchCopyNext(none, &identity) == errSecItemNotFound)
            #expect(SecIdentitySearchCreate(nil, CSSM_KEYUSE_SIGN | CSSM_KEYUSE_DECRYPT, &identities) == errSecSuccess)
            #expect(SecIdentitySearchCreate(nil, 1 << 20, &identities) == errSecParam)
        }
    }

    @Test("what cannot be meant is refused, and nothing traps")
    func refused() {
        keychain.use {
            #expect(SecKeychainAddGenericPassword(nil, 4, nil, 0, nil, 0, nil, nil) == errSecParam)
            #expect(SecKeychainAddGenericPassword(nil, 0, nil, 0, nil, 5, nil, nil) == errSecParam)
            #expect(SecKeychainFindGenericPassword(NSNumber(1), 0, nil, 0, nil, nil, nil, nil) == errSecParam)
            #expect(SecKeychainItemFreeContent(nil, nil) == errSecSuccess)
            #expect(SecKeychainItemFreeAttributesAndData(nil, nil) == errSecSuccess)
            let latin: [CChar] = [-28]
            #expect(SecKeychainAddGenericPassword(nil, 1, latin, 0, nil, 0, nil, nil) == errSecParam)
        }
    }

    @Test("the attributes of a class are told with their forms")
    func forms() {
        var info: UnsafeMutablePointer<SecKeychainAttributeInfo>?
        #expect(SecKeychainAttributeInfoForItemID(nil, 0x8000_0000, &info) == errSecSuccess)
        guard let told = info else { return }
        let tags = (0..<Int(told.pointee.count)).map { told.pointee.tag[$0] }
        #expect(tags.contains(SecItemAttr.serviceItemAttr.rawValue))
        #expect(!tags.contains(SecItemAttr.serverItemAttr.rawValue))
        #expect(SecKeychainFreeAttributeInfo(told) == errSecSuccess)
        #expect(SecKeychainAttributeInfoForItemID(nil, 7, &info) == errSecNoSuchClass)
    }
}
