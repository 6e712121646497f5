// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainStatus
internal import KeychainSystem
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Reads keys and certificates out of a file, and puts them into the keychain when one is given.
///
/// Read are certificates in DER, PEM and PKCS#7; public keys as SubjectPublicKeyInfo and PKCS#1; private keys in PKCS#8,
/// PKCS#1 and SEC 1, encrypted or not; PKCS#12; any row of these in PEM; and the bytes of a symmetric key, when the
/// format or the type says that they are one. Nothing is half imported: when one thing in the file cannot be used, the
/// whole call fails. ``errSecUnknownFormat`` says that the data looks like none of these, ``errSecDecode`` that it is
/// not what it looks like, or not what the parameters say.
///
/// - Parameters:
///   - importedData: The file; the caller wipes its own copy.
///   - fileNameOrExtension: Its name, or the end of it; the data alone decides, this says what was meant.
///   - inputFormat: What format it has, `formatUnknown` to find out; set to the one it has. For `formatOpenSSL` and
///     `formatBSAFE` either is taken.
///   - itemType: What it holds, `itemTypeUnknown` to find out; set to what it does.
///   - flags: With `pemArmour` it has to be PEM.
///   - keyParams: The passphrase, and what is to be laid down about the keys.
///   - importKeychain: The keychain, from ``SecKeychainCopyDefault(_:)``; nil to keep everything in memory. What is in
///     it already stays as it is; when that is everything the status is ``errSecDuplicateItem``.
///   - outItems: Set to an array of ``SecKey``, ``SecCertificate`` and, from PKCS#12, ``SecIdentity``.
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    ExchangeCall.status("SecItemImport") { () throws(ExchangeFailure) in
        let parameters =
            try unsafe keyParams.map { (given) throws(ExchangeFailure) in
                try unsafe KeyParameters(given.pointee)
            } ?? KeyParameters()
        let items = try unsafe ImportCall.items(
            importedData, fileNameOrExtension, inputFormat, itemType, flags, parameters, importKeychain)
        if let outItems = unsafe outItems { unsafe outItems.pointee = items }
    }
}

/// The import of a file, as both functions for it do it.
enum ImportCall {
    /// The references that a caller gets; puts the items into the keychain when one is given.
    static func items(
        _ data: CFData, _ fileName: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
        _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
        _ parameters: KeyParameters, _ importKeychain: SecKeychain?
    ) throws(ExchangeFailure) -> NSArray {
        guard flags.isSubset(of: .pemArmour) else { throw .parameter("unknown import flag") }
        guard importKeychain != nil || !parameters.demandsStorage else {
            throw .parameter("permanent keys require a keychain; get it from SecKeychainCopyDefault", subject: "perm")
        }
        let expectation = try unsafe FileExpectation(
            inputFormat?.pointee ?? .formatUnknown, itemType?.pointee ?? .itemTypeUnknown,
            fileName: fileName)
        let reader = FileReader(expectation, passphrase: parameters.passphrase)
        let file = try ForkGate.operation { () throws(ExchangeFailure) in
            try unsafe FileSnapshot.lending(data) { (bytes) throws(ExchangeFailure) in
                try unsafe reader.read(bytes, isText: flags.contains(.pemArmour))
            }
        }
        guard !parameters.importsOnlyOne || file.items.count(where: \.isPrivateKey) <= 1 else {
            throw ExchangeFailure(.severalPrivateKeys, "the data contains more than one private key")
        }
        if let importKeychain {
            try ItemStorage.add(
                file.items, terms: parameters.terms, keys: parameters.storesKeys,
                attributes: [kSecUseKeychain: importKeychain])
        }
        if let inputFormat = unsafe inputFormat { unsafe inputFormat.pointee = SecExternalFormat(file.format) }
        if let itemType = unsafe itemType { unsafe itemType.pointee = SecExternalItemType(file.type) }
        return file.items.map { $0.object(parameters.terms) } as NSArray
    }
}

extension FileItem {
    /// The reference that a caller gets.
    func object(_ terms: KeyTerms) -> AnyObject {
        switch self {
        case .certificate(let certificate, _): SecCertificate(certificate)
        case .key(let key, _): Self.object(key, terms)
        case .identity(let certificate, let key, _):
            SecIdentity(SecCertificate(certificate), Self.object(key, terms))
        }
    }

    private static func object(_ key: CryptoKey, _ terms: KeyTerms) -> SecKey {
        key.part == .public
            ? SecKey(key, terms: terms.forPublicHalf) : SecKey(key, terms: terms, publicTerms: terms.forPublicHalf)
    }
}

/// Puts what was imported into the keychain: all of it, or nothing.
enum ItemStorage {
    /// Adds the items, certificates before keys, as identities are added; what is there already stays as it is.
    ///
    /// Throws the status of the first failure, with nothing added; ``errSecDuplicateItem`` when everything was there.
    static func add(
        _ items: [FileItem], terms: KeyTerms, keys storesKeys: Bool = true, attributes: [CFString: Any] = [:]
    ) throws(ExchangeFailure) {
        let entries = items.flatMap { self.entries(of: $0, terms) }.filter { storesKeys || !($0.object is SecKey) }
        let ordered = entries.filter { !($0.object is SecKey) } + entries.filter { $0.object is SecKey }
        var added: [AnyObject] = []
        for entry in ordered {
            var query = attributes
            query[kSecValueRef] = entry.object
            query[kSecAttrLabel] = entry.label
            query[kSecReturnPersistentRef] = true
            var reference: CFTypeRef?
            switch unsafe SecItemAdd(query as CFDictionary, &reference) {
            case errSecSuccess: if let reference { added.append(reference) }
            case errSecDuplicateItem: continue
            case let failure:
                // Not by what they are: a certificate that was there before would go with the key.
                var query: [CFString: Any] = [:]
                query[kSecUseKeychain] = attributes[kSecUseKeychain]
                for reference in added {
                    query[kSecValuePersistentRef] = reference
                    SecItemDelete(query as CFDictionary)
                }
                throw ExchangeFailure(.keychain(SecurityStatus(failure)), "an item could not be added")
            }
        }
        guard added.isEmpty, !ordered.isEmpty else { return }
        throw ExchangeFailure(.keychain(.duplicateItem), "all items are already in the keychain")
    }

    private static func entries(
        of item: FileItem, _ terms: KeyTerms
    ) -> [(object: AnyObject, label: String?)] {
        switch item {
        case .identity(let certificate, let key, let label):
            entries(of: .certificate(certificate, label: label), terms) + entries(of: .key(key, label: label), terms)
        case .certificate(_, let label), .key(_, let label): [(item.object(terms), label)]
        }
    }
}

/// The bytes of a file while it is read.
enum FileSnapshot {
    /// Lends a copy that no other code can change meanwhile, and wipes it at the end.
    static func lending<Result>(
        _ data: CFData, _ body: (UnsafeRawBufferPointer) throws(ExchangeFailure) -> Result
    ) throws(ExchangeFailure) -> Result {
        guard (1...largest).contains(data.length) else {
            throw ExchangeFailure(.undecodable, "the data is empty or too large")
        }
        let copy = SecretBytes(copying: data)
        return try unsafe copy.withUnsafeBytes(body)
    }

    private static let largest = 64 << 20
}

extension SecretBytes {
    /// A secret of the same bytes; the caller still has to wipe its own.
    init(copying data: NSData) {
        let bytes = unsafe data.length == 0 ? nil : data.bytes
        unsafe self.init(copying: UnsafeRawBufferPointer(start: bytes, count: data.length))
        withExtendedLifetime(data) {}
    }
}
