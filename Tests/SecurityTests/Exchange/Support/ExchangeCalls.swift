// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The functions of files, as tests call them.
enum Exchange {
    struct Imported {
        let status: OSStatus
        let format: SecExternalFormat
        let type: SecExternalItemType
        /// nil when none were given.
        let items: [AnyObject]?
    }

    static func importing(
        _ data: Data, _ format: SecExternalFormat = .formatUnknown, _ type: SecExternalItemType = .itemTypeUnknown,
        name: String? = nil, passphrase: Any? = nil, flags: SecItemImportExportFlags = [],
        keychain: SecKeychain? = nil, _ change: (inout SecItemImportExportKeyParameters) -> Void = { _ in }
    ) -> Imported {
        var (format, type) = (format, type)
        var items: CFArray?
        let status = withParameters(passphrase, change) { parameters in
            SecItemImport(
                data as NSData, name as NSString?, &format, &type, flags, parameters, keychain, &items)
        }
        return Imported(status: status, format: format, type: type, items: items?.map { $0 as AnyObject })
    }

    static func exporting(
        _ object: CFTypeRef, _ format: SecExternalFormat = .formatUnknown, passphrase: Any? = nil,
        flags: SecItemImportExportFlags = [], _ change: (inout SecItemImportExportKeyParameters) -> Void = { _ in }
    ) -> (status: OSStatus, data: Data?) {
        var data: CFData?
        let status = withParameters(passphrase, change) { parameters in
            SecItemExport(object, format, flags, parameters, &data)
        }
        return (status, data as Data?)
    }

    static var keychain: SecKeychain? {
        var keychain: SecKeychain?
        SecKeychainCopyDefault(&keychain)
        return keychain
    }

    static func identities(
        _ data: Data, _ passphrase: Any? = "secret", _ options: [CFString: Any] = [:]
    ) -> (status: OSStatus, items: [NSDictionary]?) {
        var options = options
        options[kSecImportExportPassphrase] = passphrase
        var items: CFArray?
        let status = SecPKCS12Import(data as NSData, options as CFDictionary, &items)
        return (status, items?.map { $0 as AnyObject } as? [NSDictionary])
    }

    private static func withParameters(
        _ passphrase: Any?, _ change: (inout SecItemImportExportKeyParameters) -> Void,
        _ body: (UnsafePointer<SecItemImportExportKeyParameters>) -> OSStatus
    ) -> OSStatus {
        let object = passphrase.map { $0 as AnyObject }
        return withExtendedLifetime(object) {
            var parameters = SecItemImportExportKeyParameters()
            parameters.passphrase = object.map { Unmanaged.passUnretained($0) }
            change(&parameters)
            return body(&parameters)
        }
    }

    /// The only thing that was imported.
    static func only<Object>(_ imported: Imported, as type: Object.Type = Object.self) throws -> Object {
        #expect(imported.status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
        #expect(imported.items?.count == 1)
        return try #require(imported.items?.first as? Object)
    }
}

extension SecKey {
    /// Whether the other key verifies what this one signs; agreement alone is not asked.
    func isPrivateHalf(of other: SecKey) -> Bool {
        let message = Data("message".utf8) as NSData
        let algorithms: [SecKeyAlgorithm] = [
            .rsaSignatureMessagePKCS1v15SHA256, .ecdsaSignatureMessageX962SHA256,
            .edDSASignatureMessageCurve25519SHA512,
        ]
        guard let algorithm = algorithms.first(where: { SecKeyIsAlgorithmSupported(self, .sign, $0) }),
            let signature = SecKeyCreateSignature(self, algorithm, message, nil)
        else { return false }
        return SecKeyVerifySignature(other, algorithm, message, signature, nil)
    }
}
