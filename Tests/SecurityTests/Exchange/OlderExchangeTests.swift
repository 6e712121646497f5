// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("SecKeychainItemImport and SecKeychainItemExport do what the newer two do")
struct OlderExchangeTests {
    private func importing(
        _ data: Data, keychain: SecKeychain? = nil, _ change: (inout SecKeyImportExportParameters) -> Void = { _ in }
    ) -> (status: OSStatus, format: SecExternalFormat, items: [AnyObject]) {
        var (format, type) = (SecExternalFormat.formatUnknown, SecExternalItemType.itemTypeUnknown)
        var items: CFArray?
        var parameters = SecKeyImportExportParameters()
        change(&parameters)
        let status = SecKeychainItemImport(data as NSData, nil, &format, &type, [], &parameters, keychain, &items)
        return (status, format, items?.map { $0 as AnyObject } ?? [])
    }

    private func exporting(
        _ object: CFTypeRef, _ format: SecExternalFormat, _ change: (inout SecKeyImportExportParameters) -> Void
    ) -> (status: OSStatus, data: Data?) {
        var data: CFData?
        var parameters = SecKeyImportExportParameters()
        change(&parameters)
        return (SecKeychainItemExport(object, format, [], &parameters, &data), data as Data?)
    }

    @Test("a key goes out under a passphrase and comes back")
    func roundTrip() throws {
        let key = try TestKey.made(kSecAttrKeyTypeRSA, 2048)
        let passphrase = "secret" as NSString
        try withExtendedLifetime(passphrase) {
            let sealed = exporting(key, .formatWrappedPKCS8) { $0.passphrase = .passUnretained(passphrase) }
            #expect(sealed.status == errSecSuccess)
            let data = try #require(sealed.data)
            #expect(importing(data).status == errSecPassphraseRequired)
            let opened = importing(data) { $0.passphrase = .passUnretained(passphrase) }
            #expect(opened.status == errSecSuccess && opened.format == .formatWrappedPKCS8)
            let back = try #require(opened.items.first as? SecKey)
            #expect(SecKeyCopyExternalRepresentation(back, nil) == SecKeyCopyExternalRepresentation(key, nil))
        }
        var plain: CFData?
        #expect(SecKeychainItemExport(key, .formatOpenSSL, .pemArmour, nil, &plain) == errSecSuccess)
        let text = try #require(plain)
        #expect(
            SecKeychainItemImport(text, "key.pem" as NSString, nil, nil, .pemArmour, nil, nil, nil) == errSecSuccess)
        #expect(SecKeychainItemExport(key, .formatOpenSSL, [], nil, &plain) == errSecSuccess)
        #expect(SecKeychainItemExport(NSNumber(1), .formatOpenSSL, [], nil, &plain) == errSecParam)
    }

    @Test("what a key is and does is said in bits")
    func bits() throws {
        let data = try #require(Exchange.exporting(try TestKey.made(kSecAttrKeyTypeRSA, 2048), .formatBSAFE).data)
        let signing = importing(data) { $0.keyUsage = CSSM_KEYUSE_SIGN }
        let key = try #require(signing.items.first as? SecKey)
        let attributes = try #require(SecKeyCopyAttributes(key))
        #expect(attributes[kSecAttrCanSign] as? Bool == true && attributes[kSecAttrCanDecrypt] as? Bool == false)
        let free = importing(data) { $0.keyUsage = CSSM_KEYUSE_ANY }
        let unbound = try #require(free.items.first as? SecKey)
        let all = try #require(SecKeyCopyAttributes(unbound))
        #expect(all[kSecAttrCanSign] as? Bool == true && all[kSecAttrCanDecrypt] as? Bool == true)
        let sensitive = importing(data) { parameters in
            parameters.keyAttributes = CSSM_KEYATTR_SENSITIVE | CSSM_KEYATTR_EXTRACTABLE | CSSM_KEYATTR_RETURN_REF
        }
        let bound = try #require(sensitive.items.first as? SecKey)
        #expect(Exchange.exporting(bound).status == errSecKeyIsSensitive)
        for wrong in [0x1000, CSSM_KEYUSE_SIGN_RECOVER] as [CSSM_KEYUSE] {
            #expect(importing(data) { $0.keyUsage = wrong }.status == errSecParam)
        }
        #expect(importing(data) { $0.keyAttributes = CSSM_KEYATTR_PRIVATE }.status == errSecParam)
        #expect(importing(data) { $0.keyAttributes = CSSM_KEYATTR_PERMANENT }.status == errSecParam)
        #expect(importing(data) { $0.version = 1 }.status == errSecParam)
        #expect(exporting(key, .formatOpenSSL) { $0.keyUsage = CSSM_KEYUSE_SIGN }.status == errSecParam)
    }

    @Test("a key that is stored is found with the numbers of its attributes")
    func stored() throws {
        let isolated = try IsolatedKeychain()
        try isolated.use {
            let made = try TestKey.made(kSecAttrKeyTypeRSA, 2048)
            let data = try #require(Exchange.exporting(made, .formatBSAFE).data)
            #expect(importing(data, keychain: Exchange.keychain).status == errSecSuccess)
            let size: [UInt8] = [0x00, 0x08, 0x00, 0x00]
            let found = try #require(first(.privateKeyItemClass, kSecKeyKeySizeInBits, size))
            #expect(first(.publicKeyItemClass, kSecKeyKeySizeInBits, size) == nil)
            #expect(first(.privateKeyItemClass, kSecKeyKeySizeInBits, [0, 4, 0, 0]) == nil)
            #expect(first(.privateKeyItemClass, kSecKeySign, [1, 0, 0, 0]) == found)
            #expect(first(.privateKeyItemClass, kSecKeyPrintName, Array("Imported Private Key".utf8)) == nil)
            #expect(value(found, kSecKeyKeyClass) == [1, 0, 0, 0])
            #expect(value(found, kSecKeyKeyType) == [42, 0, 0, 0])
            let label = try #require(SecKeyCopyAttributes(made)?[kSecAttrApplicationLabel] as? Data)
            #expect(value(found, kSecKeyLabel) == Array(label))
            #expect(first(.privateKeyItemClass, kSecKeyLabel, Array(label)) == found)
            #expect(rename(found, "mine") == errSecSuccess)
            #expect(first(.privateKeyItemClass, kSecKeyPrintName, Array("mine".utf8)) == found)
            #expect(value(found, kSecKeyPrintName) == Array("mine".utf8))
        }
        var info: UnsafeMutablePointer<SecKeychainAttributeInfo>?
        #expect(
            SecKeychainAttributeInfoForItemID(nil, SecItemClass.privateKeyItemClass.rawValue, &info) == errSecSuccess)
        let described = try #require(info)
        let tags = (0..<Int(described.pointee.count)).map { described.pointee.tag[$0] }
        #expect(tags == Array(0...UInt32(kSecKeyUnwrap)))
        #expect(SecKeychainFreeAttributeInfo(described) == errSecSuccess)
    }

    /// The first key that has this attribute.
    private func first(_ itemClass: SecItemClass, _ tag: Int, _ value: [UInt8]) -> SecKeychainItem? {
        var search: SecKeychainSearch?
        let status = withList(tag, value) { SecKeychainSearchCreateFromAttributes(nil, itemClass, $0, &search) }
        guard status == errSecSuccess, let search else {
            Issue.record("the search cannot be begun: \(status), \(Llavero.lastFailure ?? "")")
            return nil
        }
        var item: SecKeychainItem?
        return SecKeychainSearchCopyNext(search, &item) == errSecSuccess ? item : nil
    }

    private func rename(_ item: SecKeychainItem, _ name: String) -> OSStatus {
        withList(kSecKeyPrintName, Array(name.utf8)) { SecKeychainItemModifyAttributesAndData(item, $0, 0, nil) }
    }

    private func withList(
        _ tag: Int, _ value: [UInt8], _ body: (UnsafePointer<SecKeychainAttributeList>) -> OSStatus
    ) -> OSStatus {
        var value = value
        return value.withUnsafeMutableBytes { bytes in
            var attribute = SecKeychainAttribute(
                tag: SecKeychainAttrType(tag), length: UInt32(bytes.count), data: bytes.baseAddress)
            return withUnsafeMutablePointer(to: &attribute) { pointer in
                var list = SecKeychainAttributeList(count: 1, attr: pointer)
                return body(&list)
            }
        }
    }

    private func value(_ item: SecKeychainItem, _ tag: Int) -> [UInt8]? {
        var attribute = SecKeychainAttribute(tag: SecKeychainAttrType(tag), length: 0, data: nil)
        return withUnsafeMutablePointer(to: &attribute) { pointer in
            var list = SecKeychainAttributeList(count: 1, attr: pointer)
            guard SecKeychainItemCopyContent(item, nil, &list, nil, nil) == errSecSuccess else { return nil }
            defer { SecKeychainItemFreeContent(&list, nil) }
            return pointer.pointee.data.map {
                Array(UnsafeRawBufferPointer(start: $0, count: Int(pointer.pointee.length)))
            }
        }
    }
}
