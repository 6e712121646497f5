// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainStatus
internal import KeychainSystem
public import LlaveroFoundation

/// Adds bytes to the content; no more options after it.
@discardableResult
public func CMSEncoderUpdateContent(
    _ cmsEncoder: CMSEncoder, _ content: UnsafeRawPointer, _ contentLen: Int
) -> OSStatus {
    ExchangeCall.status("CMSEncoderUpdateContent") { () throws(ExchangeFailure) in
        let bytes = try unsafe CMSInput.bytes(content, contentLen)
        let isTaken = cmsEncoder.state.withLock { state in
            guard state.phase != .finished, state.content.count + bytes.count <= CMSMessage.largest else {
                return false
            }
            state.content += bytes
            state.phase = .updating
            return true
        }
        guard isTaken else { throw .parameter("the encoder has made its message, or the content is too large") }
    }
}

/// Gives the message in DER; that ends the encoder's work.
///
/// The content is hashed and signed here, so this may wait for a person, as a key demands.
@discardableResult
public func CMSEncoderCopyEncodedContent(
    _ cmsEncoder: CMSEncoder, _ encodedContentOut: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    ExchangeCall.status("CMSEncoderCopyEncodedContent") { () throws(ExchangeFailure) in
        let state = cmsEncoder.state.withLock { $0 }
        guard state.phase != .finished else { throw .parameter("the encoder has made its message") }
        let message = try state.message()
        cmsEncoder.state.withLock { $0.phase = .finished }
        unsafe encodedContentOut.pointee = NSData(copying: message)
    }
}

/// Makes a message in one call; see ``CMSEncoder`` for what its parts mean.
///
/// - Parameters:
///   - signers: A ``SecIdentity``, an array of them, or nil.
///   - recipients: A ``SecCertificate``, an array of them, or nil.
///   - eContentTypeOID: The kind of content as an object identifier; nil for plain data.
///   - detachedContent: Whether the content stays out of the message.
///   - signedAttributes: What signers say beside it.
///   - content: The content.
///   - contentLen: How many bytes that is.
///   - encodedContentOut: Set to the message in DER.
@discardableResult
public func CMSEncodeContent(
    _ signers: CFTypeRef?, _ recipients: CFTypeRef?, _ eContentTypeOID: CFTypeRef?, _ detachedContent: Bool,
    _ signedAttributes: CMSSignedAttributes, _ content: UnsafeRawPointer, _ contentLen: Int,
    _ encodedContentOut: UnsafeMutablePointer<CFData?>?
) -> OSStatus {
    let encoder = CMSEncoder()
    guard signers != nil || recipients != nil, let output = unsafe encodedContentOut else { return errSecParam }
    let steps: [() -> OSStatus] = [
        { signers.map { CMSEncoderAddSigners(encoder, $0) } ?? errSecSuccess },
        { recipients.map { CMSEncoderAddRecipients(encoder, $0) } ?? errSecSuccess },
        { eContentTypeOID.map { CMSEncoderSetEncapsulatedContentTypeOID(encoder, $0) } ?? errSecSuccess },
        { CMSEncoderSetHasDetachedContent(encoder, detachedContent) },
        { CMSEncoderAddSignedAttributes(encoder, signedAttributes) },
        { unsafe CMSEncoderUpdateContent(encoder, content, contentLen) },
        { unsafe CMSEncoderCopyEncodedContent(encoder, output) },
    ]
    for step in steps {
        let status = step()
        guard status == errSecSuccess else { return status }
    }
    return errSecSuccess
}

/// The older form of ``CMSEncodeContent(_:_:_:_:_:_:_:_:)``, with the content of an object identifier.
@available(*, deprecated, renamed: "CMSEncodeContent")
@discardableResult
public func CMSEncode(
    _ signers: CFTypeRef?, _ recipients: CFTypeRef?, _ eContentType: UnsafePointer<CSSM_OID>?,
    _ detachedContent: Bool, _ signedAttributes: CMSSignedAttributes, _ content: UnsafeRawPointer, _ contentLen: Int,
    _ encodedContentOut: UnsafeMutablePointer<CFData?>?
) -> OSStatus {
    var type: NSData?
    if let eContentType = unsafe eContentType {
        guard let identifier = unsafe KeychainCertificates.ObjectIdentifier(unsafeItem: eContentType) else {
            return errSecParam
        }
        type = NSData(der: identifier.content)
    }
    return unsafe CMSEncodeContent(
        signers, recipients, type, detachedContent, signedAttributes, content, contentLen, encodedContentOut)
}

/// Would give when an authority stamped a signature; ``errSecTimestampMissing``, because no authority is asked here.
@discardableResult
public func CMSEncoderCopySignerTimestamp(
    _ cmsEncoder: CMSEncoder, _ signerIndex: Int, _ timestamp: UnsafeMutablePointer<CFAbsoluteTime>
) -> OSStatus {
    unsafe CMSEncoderCopySignerTimestampWithPolicy(cmsEncoder, nil, signerIndex, timestamp)
}

/// Would give when an authority stamped a signature; ``errSecTimestampMissing``, because no authority is asked here.
@discardableResult
public func CMSEncoderCopySignerTimestampWithPolicy(
    _ cmsEncoder: CMSEncoder, _ timeStampPolicy: CFTypeRef?, _ signerIndex: Int,
    _ timestamp: UnsafeMutablePointer<CFAbsoluteTime>
) -> OSStatus {
    cmsEncoder.state.withLock { $0.signers.indices.contains(signerIndex) } ? errSecTimestampMissing : errSecParam
}

/// What callers give, read strictly.
enum CMSInput {
    /// One object, or an array of nothing else; not none at all.
    static func list<Element>(
        _ object: CFTypeRef, _ name: StaticString, _ element: (AnyObject) -> Element?
    ) throws(ExchangeFailure) -> [Element] {
        var result: [Element] = []
        for value in (object as? NSArray)?.map({ $0 as AnyObject }) ?? [object] {
            guard let read = element(value) else {
                throw .parameter("the object is not of the expected kind", subject: "\(name)")
            }
            result.append(read)
        }
        guard !result.isEmpty else { throw .parameter("the array is empty", subject: "\(name)") }
        return result
    }

    static func bytes(_ start: UnsafeRawPointer, _ count: Int) throws(ExchangeFailure) -> [UInt8] {
        guard count >= 0, count <= CMSMessage.largest else { throw .parameter("the count of bytes is out of range") }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension CMSEncoder.State {
    /// What it was told, as a message.
    func message() throws(ExchangeFailure) -> [UInt8] {
        guard !signers.isEmpty || !recipients.isEmpty || !supporting.isEmpty else {
            throw .parameter("the message has no signer, no recipient and no certificate")
        }
        guard signers.isEmpty, !recipients.isEmpty else {
            let signed = try signedMessage()
            guard !recipients.isEmpty else { return signed }
            return try sealed(try signedContent(of: signed), type: .cmsSignedData)
        }
        return try sealed(content, type: contentType)
    }

    private func sealed(
        _ content: [UInt8], type: KeychainCertificates.ObjectIdentifier
    ) throws(ExchangeFailure) -> [UInt8] {
        // One operation, for OpenSSL has locks of its own, which a fork must not find taken.
        try ForkGate.operation { () throws(ExchangeFailure) in
            try ExchangeFailure.translating { () throws(ExchangeError) in
                try EnvelopedMessage.sealed(content, type: type, for: recipients.map(\.certificate))
            }
        }
    }

    /// The signed data without the identifier around it, as other programs encrypt it.
    private func signedContent(of message: [UInt8]) throws(ExchangeFailure) -> [UInt8] {
        guard let content = CMSMessage.content(of: message) else { throw ExchangeFailure(.undecodable) }
        return content
    }

    private func signedMessage() throws(ExchangeFailure) -> [UInt8] {
        var statements = SignedMessageDraft.Statements()
        if attributes.contains(.attrSigningTime) { statements.signingTime = Date().timeIntervalSinceReferenceDate }
        statements.hasCapabilities = attributes.contains(.attrSmimeCapabilities)
        statements.hasKeyPreference = attributes.contains(.attrSmimeEncryptionKeyPrefs)
        statements.hasMicrosoftKeyPreference = attributes.contains(.attrSmimeMSEncryptionKeyPrefs)
        var certificates: [Certificate] = []
        for signer in signers {
            certificates += try CertificatePath.above(
                signer.certificate.certificate, chainMode, among: supporting.map(\.certificate))
        }
        let draft = SignedMessageDraft(
            content, type: contentType, isDetached: isDetached, signers: signers.map(\.certificate.certificate),
            certificates: certificates + supporting.map(\.certificate), hash: hash, statements: statements)
        return try draft.der { (index, bytes) throws(ExchangeFailure) in
            let key = signers[index].privateKey
            do throws(KeychainError) {
                return try unsafe bytes.lendingBytes { (bytes) throws(KeychainError) in
                    try unsafe key.signature(of: bytes, try algorithm(of: key))
                }
            } catch {
                throw ExchangeFailure(error)
            }
        }
    }

    private func algorithm(of key: SecKey) throws(KeychainError) -> SecKeyAlgorithm {
        switch (key.key.type, hash) {
        case (.rsa, .sha1): .rsaSignatureMessagePKCS1v15SHA1
        case (.rsa, .sha256): .rsaSignatureMessagePKCS1v15SHA256
        case (.ec, .sha1): .ecdsaSignatureMessageX962SHA1
        case (.ec, .sha256): .ecdsaSignatureMessageX962SHA256
        default: throw KeychainError(.unimplemented, "messages are signed with RSA keys and keys on NIST's curves only")
        }
    }
}

/// The certificates of a signer that go into a message.
enum CertificatePath {
    static func above(
        _ certificate: Certificate, _ mode: CMSCertificateChainMode, among given: [Certificate]
    ) throws(ExchangeFailure) -> [Certificate] {
        switch mode {
        case .none: return []
        case .signerOnly: return [certificate]
        case .chain, .chainWithRoot, .chainWithRootOrFail: break
        }
        let others = given + StoredCertificates.above(certificate)
        let result = ForkGate.operation {
            // Whether it is trusted is for the reader; here only the way up is wanted.
            try? Trust(
                certificate, intermediates: others, policies: [], anchors: .systemAnd(others.filter(\.isSelfIssued))
            )
            .evaluate(at: Date().timeIntervalSinceReferenceDate)
        }
        let chain = result.map(\.chain) ?? [certificate]
        guard let last = chain.last, last.isSelfIssued else {
            guard mode != .chainWithRootOrFail else {
                throw ExchangeFailure(.keychain(SecurityStatus(errSecCreateChainFailed)), "the root was not found")
            }
            return chain
        }
        return mode == .chain && chain.count > 1 ? chain.dropLast() : chain
    }
}

/// Certificates in the keychains that are searched.
enum StoredCertificates {
    /// Those by which one comes up from `certificate`, by their names.
    static func above(_ certificate: Certificate, in keychains: NSArray? = nil) -> [Certificate] {
        var found: [Certificate] = []
        var names = [certificate.issuer.normalizedContent]
        for _ in 0..<10 {
            var next: [[UInt8]] = []
            for name in names {
                for candidate in matching([kSecAttrSubject: NSData(der: name)], in: keychains)
                where !found.contains(candidate) {
                    found.append(candidate)
                    next.append(candidate.issuer.normalizedContent)
                }
            }
            guard !next.isEmpty else { break }
            names = next
        }
        return found
    }

    /// Those with these attributes, in the keychains given or the usual ones; none when they cannot be read.
    static func matching(_ attributes: [CFString: Any], in keychains: NSArray? = nil) -> [Certificate] {
        objects(kSecClassCertificate, attributes, keychains).compactMap { ($0 as? SecCertificate)?.certificate }
    }

    /// The identities with these attributes.
    static func identities(_ attributes: [CFString: Any], in keychains: NSArray? = nil) -> [SecIdentity] {
        objects(kSecClassIdentity, attributes, keychains).compactMap { $0 as? SecIdentity }
    }

    private static func objects(
        _ itemClass: CFString, _ attributes: [CFString: Any], _ keychains: NSArray?
    ) -> [AnyObject] {
        var query = attributes
        query[kSecClass] = itemClass
        query[kSecMatchLimit] = kSecMatchLimitAll
        query[kSecReturnRef] = true
        if let keychains { query[kSecMatchSearchList] = keychains }
        var result: CFTypeRef?
        guard unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return [] }
        return (result as? NSArray)?.map { $0 as AnyObject } ?? []
    }
}
