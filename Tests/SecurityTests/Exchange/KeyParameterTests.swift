// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("The parameters of keys are honoured or refused")
struct KeyParameterTests {
    private let file: Data
    private let key: SecKey

    init() throws {
        key = try TestKey.made(kSecAttrKeyTypeRSA, 1024)
        file = try #require(Exchange.exporting(key, .formatBSAFE).data)
    }

    private func importing(_ change: (inout SecItemImportExportKeyParameters) -> Void) -> Exchange.Imported {
        Exchange.importing(file, .formatUnknown, .itemTypeUnknown, change)
    }

    private func usage(_ names: [Any]) -> Exchange.Imported {
        let array = names as NSArray
        return withExtendedLifetime(array) { importing { $0.keyUsage = Unmanaged.passUnretained(array) } }
    }

    private func attributes(_ names: [Any], keychain: SecKeychain? = nil) -> Exchange.Imported {
        let array = names as NSArray
        return withExtendedLifetime(array) {
            Exchange.importing(file, keychain: keychain) { $0.keyAttributes = Unmanaged.passUnretained(array) }
        }
    }

    private func canSign(_ key: SecKey) -> Bool {
        SecKeyCreateSignature(key, .rsaSignatureMessagePKCS1v15SHA256, Data("x".utf8) as NSData, nil) != nil
    }

    @Test("the use of a key binds both halves of it")
    func usage() throws {
        let free: SecKey = try Exchange.only(usage([]))
        #expect(canSign(free))
        let signing: SecKey = try Exchange.only(usage([kSecAttrCanSign]))
        #expect(canSign(signing))
        let attributes = try #require(SecKeyCopyAttributes(signing))
        #expect(attributes[kSecAttrCanSign] as? Bool == true && attributes[kSecAttrCanDecrypt] as? Bool == false)
        let decrypting: SecKey = try Exchange.only(usage([kSecAttrCanDecrypt, kSecAttrCanUnwrap]))
        #expect(!canSign(decrypting))
        let other = try #require(SecKeyCopyPublicKey(decrypting))
        let plain = Data("x".utf8) as NSData
        #expect(SecKeyCreateEncryptedData(other, .rsaEncryptionPKCS1, plain, nil) == nil)
        for wrong in [[kSecAttrIsPermanent], [7], ["sign", NSNull()]] as [[Any]] {
            #expect(usage(wrong).status == errSecParam)
        }
    }

    @Test("the attributes of a key are those that are listed")
    func attributes() throws {
        let usual: SecKey = try Exchange.only(importing { _ in })
        #expect(SecKeyCopyExternalRepresentation(usual, nil) != nil)
        let none: SecKey = try Exchange.only(attributes([]))
        #expect(Exchange.exporting(none, .formatPKCS12, passphrase: "p").status == errSecDataNotAvailable)
        let extractable: SecKey = try Exchange.only(attributes([kSecAttrIsExtractable]))
        #expect(SecKeyCopyExternalRepresentation(extractable, nil) != nil)
        let both: SecKey = try Exchange.only(attributes([kSecAttrIsExtractable, kSecAttrIsSensitive]))
        #expect(Exchange.exporting(both).status == errSecKeyIsSensitive)
        #expect(Exchange.exporting(both, .formatWrappedPKCS8, passphrase: "p").status == errSecSuccess)
        // Where it would be stored is to be said.
        #expect(attributes([kSecAttrIsPermanent]).status == errSecParam)
        #expect(attributes([kSecAttrCanSign]).status == errSecParam)
        // With a keychain, and said not to be permanent, the key stays in memory; nothing else is there to store.
        #expect(attributes([kSecAttrIsExtractable], keychain: Exchange.keychain).status == errSecSuccess)
    }

    @Test("one private key alone, where that is asked")
    func onlyOne() throws {
        #expect(importing { $0.flags = .importOnlyOne }.status == errSecSuccess)
        let two = try [key, TestKey.made(kSecAttrKeyTypeEC, 256)] as NSArray
        let text = try #require(Exchange.exporting(two).data)
        #expect(Exchange.importing(text).items?.count == 2)
        #expect(Exchange.importing(text) { $0.flags = .importOnlyOne }.status == errSecMultiplePrivKeys)
    }

    @Test("what cannot be done is refused")
    func refused() throws {
        #expect(importing { $0.flags = .securePassphrase }.status == errSecUnimplemented)
        #expect(importing { $0.flags = .noAccessControl }.status == errSecSuccess)
        #expect(importing { $0.flags = SecKeyImportExportFlags(rawValue: 8) }.status == errSecParam)
        #expect(importing { $0.version = 1 }.status == errSecParam)
        let array = [kSecAttrCanSign] as NSArray
        withExtendedLifetime(array) {
            #expect(Exchange.exporting(key) { $0.keyUsage = Unmanaged.passUnretained(array) }.status == errSecParam)
            #expect(
                Exchange.exporting(key) { $0.keyAttributes = Unmanaged.passUnretained(array) }.status == errSecParam)
        }
        #expect(Exchange.exporting(key, flags: SecItemImportExportFlags(rawValue: 4)).status == errSecParam)
    }

    @Test("a failing call leaves what it would have set as it was")
    func untouched() throws {
        let failed = Exchange.importing(file.dropLast(), .formatBSAFE, .itemTypePrivateKey)
        #expect(failed.status == errSecDecode && failed.items == nil)
        #expect(failed.format == .formatBSAFE && failed.type == .itemTypePrivateKey)
        #expect(Exchange.exporting(key, .formatSSH).data == nil)
        var items: CFArray? = ["before"]
        #expect(SecItemImport(Data([0]) as NSData, nil, nil, nil, [], nil, nil, &items) == errSecUnknownFormat)
        #expect(items == ["before"])
        #expect(SecItemImport(file as NSData, nil, nil, nil, [], nil, nil, nil) == errSecSuccess)
    }
}
