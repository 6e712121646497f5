// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainEngine
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes keys, certificates and identities into a file.
///
/// With `formatUnknown` one key is written as `formatOpenSSL`, a symmetric one as `formatRawKey`, one certificate as
/// `formatX509Cert`, and several things, or an identity, as `formatPEMSequence`. In a PEM sequence private keys are
/// encrypted when there is a passphrase. `formatWrappedPKCS8` is AES-256 under PBKDF2 with HMAC-SHA256, `formatPKCS12`
/// the same and a MAC; neither is written without a passphrase, and a form that leaves a key open is not written with
/// one.
///
/// A key that is sensitive leaves only wrapped, else ``errSecKeyIsSensitive``; one that is not extractable, or that an
/// enclave keeps, does not leave: ``errSecDataNotAvailable``. What a format does not hold is ``errSecUnsupportedFormat``.
///
/// - Parameters:
///   - secItemOrArray: A ``SecKey``, ``SecCertificate`` or ``SecIdentity``, or an array of them; a thing that comes
///     twice is written once.
///   - outputFormat: The format.
///   - flags: With `pemArmour` the file is text.
///   - keyParams: The passphrase.
///   - exportedData: Set to the file, which is the caller's own; it is wiped when it goes.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    ExchangeCall.status("SecItemExport") { () throws(ExchangeFailure) in
        let parameters =
            try unsafe keyParams.map { (given) throws(ExchangeFailure) in
                try unsafe KeyParameters(given.pointee)
            } ?? KeyParameters()
        unsafe exportedData.pointee = try ItemToExport.file(of: secItemOrArray, outputFormat, flags, parameters)
    }
}

/// One thing that is to be written into a file.
enum ItemToExport: Hashable {
    case certificate(Certificate)
    case key(SecKey)

    var outgoing: OutgoingItem {
        switch self {
        case .certificate(let certificate): .certificate(certificate)
        case .key(let key): .key(LeavingKey(reference: key))
        }
    }

    /// The file that a caller asks for, which is wiped when it goes.
    static func file(
        of object: CFTypeRef, _ format: SecExternalFormat, _ flags: SecItemImportExportFlags,
        _ parameters: KeyParameters
    ) throws(ExchangeFailure) -> SecretData {
        try parameters.checkExport()
        guard flags.isSubset(of: .pemArmour) else { throw .parameter("unknown export flag") }
        let format = try FileFormat.written(format)
        let items = try items(object)
        let writer = FileWriter(passphrase: parameters.passphrase)
        let file = try ForkGate.operation { () throws(ExchangeFailure) in
            try writer.write(items.map(\.outgoing), as: format, isText: flags.contains(.pemArmour))
        }
        return SecretData(file)
    }

    /// What a caller gives: a key, a certificate, an identity, or an array of them; each thing once.
    static func items(_ object: CFTypeRef) throws(ExchangeFailure) -> [ItemToExport] {
        var items: [ItemToExport] = []
        var seen: Set<ItemToExport> = []
        for element in (object as? NSArray)?.map({ $0 as AnyObject }) ?? [object] {
            for item in try parts(element) where seen.insert(item).inserted { items.append(item) }
            guard items.count <= most else { throw .parameter("there are too many items for one file") }
        }
        guard !items.isEmpty else { throw .parameter("there is nothing to export") }
        return items
    }

    private static func parts(_ object: AnyObject) throws(ExchangeFailure) -> [ItemToExport] {
        switch object {
        case let certificate as SecCertificate: return [.certificate(certificate.certificate)]
        case let key as SecKey: return [.key(key)]
        case let identity as SecIdentity:
            return [.certificate(identity.certificate.certificate), .key(identity.privateKey)]
        default: throw .parameter("only keys, certificates and identities can be exported")
        }
    }

    private static let most = 1_000
}

/// A ``SecKey`` on its way out, held to what was laid down about it (decision D41).
struct LeavingKey: OutgoingKey {
    let reference: SecKey

    var key: CryptoKey { reference.key }
    var label: String? { nil }

    func exported(isWrapped: Bool) throws(ExchangeFailure) -> PrivateKey {
        try checkExport(isWrapped: isWrapped)
        return try PrivateKey.file(of: released())
    }

    func exportedBytes() throws(ExchangeFailure) -> SecretValue {
        try checkExport(isWrapped: false)
        do throws(KeyError) {
            let bytes = try key.representation()
            return unsafe bytes.withUnsafeBytes { unsafe SecretValue(copying: $0) }
        } catch { throw ExchangeFailure(KeychainError(error)) }
    }

    private func checkExport(isWrapped: Bool) throws(ExchangeFailure) {
        guard reference.terms.isExtractable else {
            throw ExchangeFailure(.unextractableKey, "the key is not extractable", subject: "extr")
        }
        guard isWrapped || !reference.terms.isSensitive else {
            throw ExchangeFailure(
                .sensitiveKey,
                "the key is sensitive and can be exported only wrapped; export it as wrapped PKCS#8 or as PKCS#12",
                subject: "sens")
        }
        guard !key.isHeldElsewhere || isWrapped && reference.keeper != nil else {
            throw ExchangeFailure(.unextractableKey, "the key cannot leave the place where it is kept")
        }
    }

    /// The key with its bytes, which a keychain gives out for nothing but this when it keeps them.
    private func released() throws(ExchangeFailure) -> CryptoKey {
        guard key.isHeldElsewhere, let keeper = reference.keeper else { return key }
        do throws(KeychainError) {
            let bytes = try keeper.perform(.release)
            return try KeyCall.using { () throws(KeyError) in
                try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(key.type, key.part, representation: bytes)
                }
            }
        } catch {
            guard error.reason != .unimplemented else {
                throw ExchangeFailure(.unextractableKey, "the key cannot leave the place where it is kept")
            }
            throw ExchangeFailure(error)
        }
    }
}
