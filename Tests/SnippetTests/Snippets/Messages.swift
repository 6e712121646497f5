// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Cryptographic messages (CMS), and files with identities, certificates and keys.
import Foundation
import Security

struct StatusError: Error, Equatable {
    let status: OSStatus

    static func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw StatusError(status: status) }
    }
}

enum Messages {
    static func sign(_ content: Data, by identity: SecIdentity, detached: Bool) throws -> Data {
        var made: CMSEncoder?
        try StatusError.check(CMSEncoderCreate(&made))
        let encoder = made!
        try StatusError.check(CMSEncoderAddSigners(encoder, identity))
        try StatusError.check(CMSEncoderSetHasDetachedContent(encoder, detached))
        try StatusError.check(CMSEncoderSetSignerAlgorithm(encoder, kCMSEncoderDigestAlgorithmSHA256))
        try StatusError.check(CMSEncoderSetCertificateChainMode(encoder, .signerOnly))
        CMSEncoderAddSignedAttributes(encoder, .attrSigningTime)
        try content.withUnsafeBytes { bytes in
            try StatusError.check(CMSEncoderUpdateContent(encoder, bytes.baseAddress!, bytes.count))
        }
        var message: CFData?
        try StatusError.check(CMSEncoderCopyEncodedContent(encoder, &message))
        return message! as Data
    }

    static func decode(_ message: Data, detached: Data? = nil) throws -> CMSDecoder {
        var made: CMSDecoder?
        try StatusError.check(CMSDecoderCreate(&made))
        guard let decoder = made else { throw StatusError(status: errSecAllocate) }
        if let detached { CMSDecoderSetDetachedContent(decoder, detached as CFData) }
        try message.withUnsafeBytes {
            try StatusError.check(CMSDecoderUpdateMessage(decoder, $0.baseAddress!, message.count))
        }
        try StatusError.check(CMSDecoderFinalizeMessage(decoder))
        return decoder
    }

    static func signer(_ decoder: CMSDecoder) -> (status: CMSSignerStatus, certificate: SecCertificate?, at: Date?) {
        var count = 0
        CMSDecoderGetNumSigners(decoder, &count)
        var (status, trust, code) = (CMSSignerStatus.unsigned, SecTrust?.none, OSStatus(0))
        CMSDecoderCopySignerStatus(decoder, 0, SecPolicyCreateBasicX509(), false, &status, &trust, &code)
        var certificate: SecCertificate?
        CMSDecoderCopySignerCert(decoder, 0, &certificate)
        var time: CFAbsoluteTime = 0
        let isTimed = CMSDecoderCopySignerSigningTime(decoder, 0, &time) == errSecSuccess
        return (status, certificate, isTimed ? Date(timeIntervalSinceReferenceDate: time) : nil)
    }

    static func content(_ decoder: CMSDecoder) -> Data? {
        var content: CFData?
        return CMSDecoderCopyContent(decoder, &content) == noErr ? content as Data? : nil
    }

    static func encrypt(_ content: Data, for recipients: [SecCertificate]) throws -> Data {
        var message: CFData?
        let status = content.withUnsafeBytes { bytes in
            CMSEncodeContent(
                nil, recipients as CFArray, nil, false, [], bytes.baseAddress!, bytes.count, &message)
        }
        guard status == errSecSuccess, let message else { throw StatusError(status: status) }
        return message as Data
    }

    static func isEncrypted(_ decoder: CMSDecoder) -> Bool {
        var isEncrypted: DarwinBoolean = false
        CMSDecoderIsContentEncrypted(decoder, &isEncrypted)
        return isEncrypted.boolValue
    }
}

struct ImportedFile {
    var label: String?
    var identity: SecIdentity?
    var trust: SecTrust?
    var chain: [SecCertificate]?

    init(_ data: Data, password: String) throws {
        let options = [kSecImportExportPassphrase as String: password]
        var items: CFArray?
        let status = SecPKCS12Import(data as NSData, options as NSDictionary, &items)
        guard status == errSecSuccess else { throw StatusError(status: status) }
        guard let dictionaries = items as? [[String: AnyObject]], let first = dictionaries.first else {
            throw StatusError(status: errSecDecode)
        }
        func value<Value>(_ key: CFString) -> Value? { first[key as String] as? Value }
        label = value(kSecImportItemLabel)
        identity = value(kSecImportItemIdentity)
        trust = value(kSecImportItemTrust)
        chain = value(kSecImportItemCertChain)
    }
}

enum Files {
    static func export(_ item: CFTypeRef, as format: SecExternalFormat, password: String? = nil) -> Data? {
        var parameters = SecItemImportExportKeyParameters()
        parameters.version = UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION)
        let secret = password as CFString?
        if let secret { parameters.passphrase = Unmanaged.passUnretained(secret as CFTypeRef) }
        var data: CFData?
        let flags: SecItemImportExportFlags = format == .formatPEMSequence ? .pemArmour : []
        let status = withExtendedLifetime(secret) { SecItemExport(item, format, flags, &parameters, &data) }
        return status == errSecSuccess ? data as Data? : nil
    }

    static func read(_ data: Data, name: String) -> [AnyObject] {
        var format = SecExternalFormat.formatUnknown
        var kind = SecExternalItemType.itemTypeUnknown
        var items: CFArray?
        let status = SecItemImport(data as CFData, name as CFString, &format, &kind, [], nil, nil, &items)
        guard status == errSecSuccess else { return [] }
        return items as? [AnyObject] ?? []
    }

    /// The identities of an array, by Core Foundation's functions.
    static func identities(in array: CFArray) -> [SecIdentity] {
        (0..<CFArrayGetCount(array)).compactMap { index in
            let entry = unsafeBitCast(CFArrayGetValueAtIndex(array, index), to: CFDictionary.self)
            let key = Unmanaged.passUnretained(kSecImportItemIdentity).toOpaque()
            return CFDictionaryGetValue(entry, key).map { Unmanaged<SecIdentity>.fromOpaque($0).takeUnretainedValue() }
        }
    }
}

enum Identities {
    static func parts(_ identity: SecIdentity) -> (SecCertificate, SecKey)? {
        var (certificate, key) = (SecCertificate?.none, SecKey?.none)
        guard SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess,
            SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess
        else { return nil }
        return (certificate!, key!)
    }

    static func add(_ identity: SecIdentity, label: String) -> Data? {
        let query: [CFString: Any] = [
            kSecValueRef: identity, kSecAttrLabel: label, kSecReturnPersistentRef: true,
        ]
        var reference: CFTypeRef?
        let status = SecItemAdd(query as CFDictionary, &reference)
        return status == errSecSuccess ? reference as? Data : nil
    }

    static func find(label: String) -> SecIdentity? {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassIdentity, kSecAttrLabel: label, kSecReturnRef: kCFBooleanTrue!,
                kSecMatchLimit: kSecMatchLimitOne,
            ] as CFDictionary, &item)
        guard status == errSecSuccess, let item, CFGetTypeID(item) == SecIdentityGetTypeID() else { return nil }
        return (item as! SecIdentity)
    }

    static func all() -> [SecIdentity] {
        var items: CFTypeRef?
        let query: NSDictionary = [
            kSecClass: kSecClassIdentity, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        guard SecItemCopyMatching(query, &items) == noErr, let array = items as? NSArray else { return [] }
        return array.map { $0 as! SecIdentity }
    }

    static func prefer(_ identity: SecIdentity, for name: String) -> SecIdentity? {
        guard SecIdentitySetPreferred(identity, name as CFString, nil) == errSecSuccess else { return nil }
        defer { SecIdentitySetPreferred(nil, name as CFString, nil) }
        return SecIdentityCopyPreferred(name as CFString, nil, nil)
    }

    static func remove(_ identity: SecIdentity) -> OSStatus {
        SecItemDelete([kSecValueRef as String: identity] as CFDictionary)
    }
}
