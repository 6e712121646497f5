// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: what changes in it stands behind a lock.
/// What makes a message that is signed, encrypted, or both.
///
/// First come signers, recipients and options, then the content, then ``CMSEncoderCopyEncodedContent(_:_:)``.
public final class CMSEncoder: NSObject, @unchecked Sendable {
    let state = ForkSafeMutex(State())

    /// What it was told so far.
    struct State: Sendable {
        var signers: [SecIdentity] = []
        var recipients: [SecCertificate] = []
        var supporting: [SecCertificate] = []
        var content: [UInt8] = []
        var isDetached = false
        var contentType = KeychainCertificates.ObjectIdentifier.cmsData
        var attributes: CMSSignedAttributes = []
        var chainMode = CMSCertificateChainMode.chain
        var hash = SignedMessageDraft.Hash.sha256
        var phase = Phase.beginning
    }

    /// How far it is: options come before content, and both before the message.
    enum Phase: Sendable {
        case beginning
        case updating
        case finished
    }

    /// Changes an option, which is possible until the content begins.
    func setting(
        _ name: StaticString, _ change: (inout sending State) throws(ExchangeFailure) -> Void
    ) -> OSStatus {
        ExchangeCall.status(name) { () throws(ExchangeFailure) in
            var copy = state.withLock { $0 }
            guard copy.phase == .beginning else {
                throw .parameter("the encoder has content already; options come before it")
            }
            try change(&copy)
            let changed = copy
            state.withLock { $0 = changed }
        }
    }
}

/// The type number of encoders.
public func CMSEncoderGetTypeID() -> CFTypeID { CMSEncoder.typeID }

extension CMSEncoder: CFTypeIdentified {
    static var typeID: CFTypeID { 121 }
}

/// Makes an encoder without signers and recipients.
@discardableResult
public func CMSEncoderCreate(_ cmsEncoderOut: UnsafeMutablePointer<CMSEncoder?>) -> OSStatus {
    unsafe cmsEncoderOut.pointee = CMSEncoder()
    return errSecSuccess
}

/// Adds who signs: a ``SecIdentity`` or an array of them.
///
/// The keys may be ones that do not leave their keychain.
@discardableResult
public func CMSEncoderAddSigners(_ cmsEncoder: CMSEncoder, _ signerOrArray: CFTypeRef) -> OSStatus {
    cmsEncoder.setting("CMSEncoderAddSigners") { (state) throws(ExchangeFailure) in
        state.signers += try CMSInput.list(signerOrArray, "signers") { $0 as? SecIdentity }
    }
}

/// Gives who signs; nil when nobody does.
@discardableResult
public func CMSEncoderCopySigners(_ cmsEncoder: CMSEncoder, _ signersOut: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    let signers = cmsEncoder.state.withLock { $0.signers }
    unsafe signersOut.pointee = signers.isEmpty ? nil : signers as NSArray
    return errSecSuccess
}

/// Adds for whom the message is encrypted: a ``SecCertificate`` of an RSA key or of one on a curve, or an array of them.
@discardableResult
public func CMSEncoderAddRecipients(_ cmsEncoder: CMSEncoder, _ recipientOrArray: CFTypeRef) -> OSStatus {
    cmsEncoder.setting("CMSEncoderAddRecipients") { (state) throws(ExchangeFailure) in
        guard !state.isDetached else {
            throw .parameter("an encrypted message has its content inside; it cannot be detached")
        }
        state.recipients += try CMSInput.list(recipientOrArray, "recipients") { $0 as? SecCertificate }
    }
}

/// Gives for whom the message is encrypted; nil when it is not.
@discardableResult
public func CMSEncoderCopyRecipients(
    _ cmsEncoder: CMSEncoder, _ recipientsOut: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let recipients = cmsEncoder.state.withLock { $0.recipients }
    unsafe recipientsOut.pointee = recipients.isEmpty ? nil : recipients as NSArray
    return errSecSuccess
}

/// Says whether the content stays out of the signed message, which then has the signatures alone.
@discardableResult
public func CMSEncoderSetHasDetachedContent(_ cmsEncoder: CMSEncoder, _ detachedContent: Bool) -> OSStatus {
    cmsEncoder.setting("CMSEncoderSetHasDetachedContent") { (state) throws(ExchangeFailure) in
        guard !detachedContent || state.recipients.isEmpty else {
            throw .parameter("an encrypted message has its content inside; it cannot be detached")
        }
        state.isDetached = detachedContent
    }
}

/// Gives whether the content stays out of the message.
@discardableResult
public func CMSEncoderGetHasDetachedContent(
    _ cmsEncoder: CMSEncoder, _ detachedContentOut: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    unsafe detachedContentOut.pointee = DarwinBoolean(cmsEncoder.state.withLock { $0.isDetached })
    return errSecSuccess
}

/// Says what kind of content it is, by the content of an object identifier; plain data when nothing is said.
@available(*, deprecated, renamed: "CMSEncoderSetEncapsulatedContentTypeOID")
@discardableResult
public func CMSEncoderSetEncapsulatedContentType(
    _ cmsEncoder: CMSEncoder, _ eContentType: UnsafePointer<CSSM_OID>
) -> OSStatus {
    cmsEncoder.setting("CMSEncoderSetEncapsulatedContentType") { (state) throws(ExchangeFailure) in
        guard let type = unsafe KeychainCertificates.ObjectIdentifier(unsafeItem: eContentType) else {
            throw .parameter("the content type is not an object identifier")
        }
        state.contentType = type
    }
}

/// Says what kind of content it is: an object identifier in dots, or its content as data; plain data when nothing is said.
@discardableResult
public func CMSEncoderSetEncapsulatedContentTypeOID(
    _ cmsEncoder: CMSEncoder, _ eContentTypeOID: CFTypeRef
) -> OSStatus {
    cmsEncoder.setting("CMSEncoderSetEncapsulatedContentTypeOID") { (state) throws(ExchangeFailure) in
        guard let type = KeychainCertificates.ObjectIdentifier(of: eContentTypeOID) else {
            throw .parameter("the content type is not an object identifier")
        }
        state.contentType = type
    }
}

/// Gives the kind of content as the content of an object identifier; nil for plain data that nobody asked for.
@discardableResult
public func CMSEncoderCopyEncapsulatedContentType(
    _ cmsEncoder: CMSEncoder, _ eContentTypeOut: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    let type = cmsEncoder.state.withLock { $0.contentType }
    unsafe eContentTypeOut.pointee = type == .cmsData ? nil : NSData(der: type.content)
    return errSecSuccess
}

/// Adds certificates to the message: one or an array, beside those of the signers.
///
/// A message may be nothing but certificates.
@discardableResult
public func CMSEncoderAddSupportingCerts(_ cmsEncoder: CMSEncoder, _ certOrArray: CFTypeRef) -> OSStatus {
    cmsEncoder.setting("CMSEncoderAddSupportingCerts") { (state) throws(ExchangeFailure) in
        state.supporting += try CMSInput.list(certOrArray, "certificates") { $0 as? SecCertificate }
    }
}

/// Gives the certificates that were added; nil when there are none.
@discardableResult
public func CMSEncoderCopySupportingCerts(
    _ cmsEncoder: CMSEncoder, _ certsOut: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let certificates = cmsEncoder.state.withLock { $0.supporting }
    unsafe certsOut.pointee = certificates.isEmpty ? nil : certificates as NSArray
    return errSecSuccess
}

/// Adds to what each signer says beside the content.
///
/// ``errSecUnimplemented`` for the attributes of Apple's signed programs, whose values no public function takes.
@discardableResult
public func CMSEncoderAddSignedAttributes(
    _ cmsEncoder: CMSEncoder, _ signedAttributes: CMSSignedAttributes
) -> OSStatus {
    cmsEncoder.setting("CMSEncoderAddSignedAttributes") { (state) throws(ExchangeFailure) in
        guard signedAttributes.isSubset(of: .known) else {
            throw ExchangeFailure(
                KeychainError(.unimplemented, "signed attributes of Apple's programs are not supported"))
        }
        state.attributes.formUnion(signedAttributes)
    }
}

/// Chooses the hash of the signatures: ``kCMSEncoderDigestAlgorithmSHA256``, the usual one, or
/// ``kCMSEncoderDigestAlgorithmSHA1`` for readers that know no other.
@discardableResult
public func CMSEncoderSetSignerAlgorithm(_ cmsEncoder: CMSEncoder, _ digestAlgorithm: CFString) -> OSStatus {
    cmsEncoder.setting("CMSEncoderSetSignerAlgorithm") { (state) throws(ExchangeFailure) in
        switch digestAlgorithm {
        case kCMSEncoderDigestAlgorithmSHA1: state.hash = .sha1
        case kCMSEncoderDigestAlgorithmSHA256: state.hash = .sha256
        default: throw .parameter("the hash has to be one of the kCMSEncoderDigestAlgorithm constants")
        }
    }
}

/// Chooses which certificates of the signers go into the message; ``CMSCertificateChainMode/chain`` when nothing is said.
@discardableResult
public func CMSEncoderSetCertificateChainMode(
    _ cmsEncoder: CMSEncoder, _ chainMode: CMSCertificateChainMode
) -> OSStatus {
    cmsEncoder.setting("CMSEncoderSetCertificateChainMode") { (state) throws(ExchangeFailure) in
        state.chainMode = chainMode
    }
}

/// Gives which certificates of the signers go into the message.
@discardableResult
public func CMSEncoderGetCertificateChainMode(
    _ cmsEncoder: CMSEncoder, _ chainModeOut: UnsafeMutablePointer<CMSCertificateChainMode>
) -> OSStatus {
    unsafe chainModeOut.pointee = cmsEncoder.state.withLock { $0.chainMode }
    return errSecSuccess
}

/// What signers may say beside the content; that they signed this content, of this kind, they always say.
public struct CMSSignedAttributes: OptionSet, Hashable, Sendable {
    /// The attributes as bits.
    public let rawValue: UInt32

    /// The attributes that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Which ciphers the signer can read.
    public static let attrSmimeCapabilities = CMSSignedAttributes(rawValue: 0x0001)
    /// That mail to the signer goes to the same certificate.
    public static let attrSmimeEncryptionKeyPrefs = CMSSignedAttributes(rawValue: 0x0002)
    /// The same, as programs of Microsoft's read it.
    public static let attrSmimeMSEncryptionKeyPrefs = CMSSignedAttributes(rawValue: 0x0004)
    /// When it was signed, by the signer's own clock.
    public static let attrSigningTime = CMSSignedAttributes(rawValue: 0x0008)
    /// Further hashes of a signed program; refused.
    public static let attrAppleCodesigningHashAgility = CMSSignedAttributes(rawValue: 0x0010)
    /// Further hashes of a signed program, in a later form; refused.
    public static let attrAppleCodesigningHashAgilityV2 = CMSSignedAttributes(rawValue: 0x0020)
    /// Until when a signed program is good; refused.
    public static let attrAppleExpirationTime = CMSSignedAttributes(rawValue: 0x0040)

    static let known: CMSSignedAttributes = [
        .attrSmimeCapabilities, .attrSmimeEncryptionKeyPrefs, .attrSmimeMSEncryptionKeyPrefs, .attrSigningTime,
    ]
}

/// Which certificates of the signers go into a message.
@frozen public enum CMSCertificateChainMode: UInt32, Sendable {
    /// None.
    case none = 0
    /// Those of the signers alone.
    case signerOnly = 1
    /// Those of the signers and the authorities above them, but for the roots.
    case chain = 2
    /// The same with the roots, where they are found.
    case chainWithRoot = 3
    /// The same; without a root there is no message.
    case chainWithRootOrFail = 4
}

// The hashes of signatures. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// SHA-1, for readers that know no other.
@safe nonisolated(unsafe) public let kCMSEncoderDigestAlgorithmSHA1: CFString = "sha1"
/// SHA-256.
@safe nonisolated(unsafe) public let kCMSEncoderDigestAlgorithmSHA256: CFString = "sha256"
