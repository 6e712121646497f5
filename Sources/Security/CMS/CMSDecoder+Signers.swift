// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus
internal import KeychainSystem
public import LlaveroFoundation

/// What became of a signer.
@frozen public enum CMSSignerStatus: UInt32, Sendable {
    /// The message is not signed.
    case unsigned = 0
    /// The signature is right, and the certificate is trusted where that was asked.
    case valid = 1
    /// The content is not in the message; it has to be given.
    case needsDetachedContent = 2
    /// The signature is not of this content by this key.
    case invalidSignature = 3
    /// The signature is right, but the certificate is not trusted, or is not there.
    case invalidCert = 4
    /// There is no signer of that number.
    case invalidIndex = 5
}

/// Gives how many signed the message; 0 when it is not signed.
@discardableResult
public func CMSDecoderGetNumSigners(_ cmsDecoder: CMSDecoder, _ numSignersOut: UnsafeMutablePointer<Int>) -> OSStatus {
    ExchangeCall.status("CMSDecoderGetNumSigners") { () throws(ExchangeFailure) in
        unsafe numSignersOut.pointee = try cmsDecoder.read().reading.signed?.signers.count ?? 0
    }
}

/// Gives what became of one signer.
///
/// - Parameters:
///   - cmsDecoder: A decoder whose message was finalized.
///   - signerIndex: The signer's number, from 0.
///   - policyOrArray: What the certificate has to be good for: a ``SecPolicy`` or an array of them.
///   - evaluateSecTrust: Whether the certificate is examined here; without that only the signature is.
///   - signerStatusOut: Set to the status.
///   - secTrustOut: Set to a ``SecTrust`` about the certificate and those that came with it; nil when there is none.
///   - certVerifyResultCodeOut: Set to why the certificate is not trusted, or 0.
/// - Returns: ``errSecSuccess`` also for a wrong signature: the status says that.
@discardableResult
public func CMSDecoderCopySignerStatus(
    _ cmsDecoder: CMSDecoder, _ signerIndex: Int, _ policyOrArray: CFTypeRef, _ evaluateSecTrust: Bool,
    _ signerStatusOut: UnsafeMutablePointer<CMSSignerStatus>?, _ secTrustOut: UnsafeMutablePointer<SecTrust?>?,
    _ certVerifyResultCodeOut: UnsafeMutablePointer<OSStatus>?
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopySignerStatus") { () throws(ExchangeFailure) in
        let policies: [SecPolicy]
        do throws(KeychainError) { policies = try TrustInput.policies(policyOrArray) } catch {
            throw ExchangeFailure(error)
        }
        let found = try cmsDecoder.examine(signerIndex, policies, isTrustAsked: evaluateSecTrust)
        if let signerStatusOut = unsafe signerStatusOut { unsafe signerStatusOut.pointee = found.status }
        if let secTrustOut = unsafe secTrustOut { unsafe secTrustOut.pointee = found.trust }
        if let certVerifyResultCodeOut = unsafe certVerifyResultCodeOut {
            unsafe certVerifyResultCodeOut.pointee = found.code
        }
    }
}

/// Gives the first e-mail address of a signer's certificate; ``errSecParam`` when it has none, or is not there.
@discardableResult
public func CMSDecoderCopySignerEmailAddress(
    _ cmsDecoder: CMSDecoder, _ signerIndex: Int, _ signerEmailAddressOut: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopySignerEmailAddress") { () throws(ExchangeFailure) in
        let certificate = try cmsDecoder.certificate(signerIndex)
        guard let address = certificate.emailAddresses.first else {
            throw .parameter("the signer's certificate has no e-mail address")
        }
        unsafe signerEmailAddressOut.pointee = address as NSString
    }
}

/// Gives a signer's certificate; ``errSecItemNotFound`` when it is neither in the message nor in a keychain.
@discardableResult
public func CMSDecoderCopySignerCert(
    _ cmsDecoder: CMSDecoder, _ signerIndex: Int, _ signerCertOut: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopySignerCert") { () throws(ExchangeFailure) in
        unsafe signerCertOut.pointee = SecCertificate(try cmsDecoder.certificate(signerIndex))
    }
}

/// Gives when a signer signed, by the signer's own clock; ``errSecParam`` when that is not said.
@discardableResult
public func CMSDecoderCopySignerSigningTime(
    _ cmsDecoder: CMSDecoder, _ signerIndex: Int, _ signingTime: UnsafeMutablePointer<CFAbsoluteTime>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopySignerSigningTime") { () throws(ExchangeFailure) in
        guard let time = try cmsDecoder.signer(signerIndex).signer.signingTime else {
            throw .parameter("the signer does not say when it was signed")
        }
        unsafe signingTime.pointee = time
    }
}

/// Gives when an authority stamped a signature, by the policy for time stamps.
@discardableResult
public func CMSDecoderCopySignerTimestamp(
    _ cmsDecoder: CMSDecoder, _ signerIndex: Int, _ timestamp: UnsafeMutablePointer<CFAbsoluteTime>
) -> OSStatus {
    unsafe CMSDecoderCopySignerTimestampWithPolicy(cmsDecoder, nil, signerIndex, timestamp)
}

/// Gives when an authority stamped a signature, if its certificate satisfies the policy, or the usual one for nil.
///
/// - Returns: ``errSecSuccess``; ``errSecTimestampMissing`` without a stamp, ``errSecTimestampInvalid`` for one that is
///   malformed, wrongly signed or about another signature, ``errSecTimestampNotTrusted`` for one by an authority that is
///   not trusted.
@discardableResult
public func CMSDecoderCopySignerTimestampWithPolicy(
    _ cmsDecoder: CMSDecoder, _ timeStampPolicy: CFTypeRef?, _ signerIndex: Int,
    _ timestamp: UnsafeMutablePointer<CFAbsoluteTime>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopySignerTimestamp") { () throws(ExchangeFailure) in
        let token = try cmsDecoder.token(signerIndex)
        guard let signer = ForkGate.operation({ token.signer }) else {
            throw ExchangeFailure(.keychain(SecurityStatus(errSecTimestampInvalid)), "the time stamp is not signed")
        }
        let policy = timeStampPolicy ?? SecPolicyCreateWithProperties(kSecPolicyAppleTimeStamping, nil)
        var trust: SecTrust?
        let certificates = ([signer] + token.certificates).map { SecCertificate($0) } as NSArray
        let status = unsafe SecTrustCreateWithCertificates(certificates, policy, &trust)
        guard status == errSecSuccess, let trust else { throw ExchangeFailure(.keychain(SecurityStatus(status)), "") }
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceReferenceDate: token.time))
        guard SecTrustEvaluateWithError(trust, nil) else {
            throw ExchangeFailure(
                .keychain(SecurityStatus(errSecTimestampNotTrusted)), "the time stamping authority is not trusted")
        }
        unsafe timestamp.pointee = token.time
    }
}

/// Gives the certificates that came with the time stamp of a signature.
@discardableResult
public func CMSDecoderCopySignerTimestampCertificates(
    _ cmsDecoder: CMSDecoder, _ signerIndex: Int, _ certificateRefs: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopySignerTimestampCertificates") { () throws(ExchangeFailure) in
        let certificates = try cmsDecoder.token(signerIndex).certificates
        unsafe certificateRefs.pointee = certificates.map { SecCertificate($0) } as NSArray
    }
}

extension CMSDecoder {
    /// What is known of one signer.
    struct Examination {
        var status: CMSSignerStatus
        var trust: SecTrust?
        var code: OSStatus = errSecSuccess
    }

    func signer(_ index: Int) throws(ExchangeFailure) -> (
        signer: SignedMessage.Signer, message: SignedMessage, state: State
    ) {
        let (reading, state) = try read()
        guard let message = reading.signed, message.signers.indices.contains(index) else {
            throw .parameter("the message has no signer of this number")
        }
        return (message.signers[index], message, state)
    }

    func certificate(_ index: Int) throws(ExchangeFailure) -> Certificate {
        let (signer, message, state) = try signer(index)
        guard let certificate = Self.certificate(of: signer, message, state) else {
            throw ExchangeFailure(
                KeychainError(.itemNotFound, "the signer's certificate is neither in the message nor in a keychain"))
        }
        return certificate
    }

    private static func certificate(
        of signer: SignedMessage.Signer, _ message: SignedMessage, _ state: State
    ) -> Certificate? {
        if let certificate = message.certificate(of: signer) { return certificate }
        let attributes: [CFString: Any]
        switch signer.reference {
        case .issuer(let name, let serialNumber):
            attributes = [
                kSecAttrIssuer: NSData(der: name.normalizedContent), kSecAttrSerialNumber: NSData(der: serialNumber),
            ]
        case .subjectKeyIdentifier(let identifier): attributes = [kSecAttrSubjectKeyID: NSData(der: identifier)]
        }
        let stored = StoredCertificates.matching(attributes, in: state.keychains.map { $0 as NSArray })
        return message.certificate(of: signer, among: stored)
    }

    func examine(
        _ index: Int, _ policies: [SecPolicy], isTrustAsked: Bool
    ) throws(ExchangeFailure) -> Examination {
        let (reading, state) = try read()
        guard let message = reading.signed, !message.signers.isEmpty else { return Examination(status: .unsigned) }
        guard message.signers.indices.contains(index) else { return Examination(status: .invalidIndex) }
        guard message.content != nil || state.detached != nil else {
            return Examination(status: .needsDetachedContent)
        }
        let signer = message.signers[index]
        guard let certificate = Self.certificate(of: signer, message, state) else {
            return Examination(status: .invalidCert, code: errSecItemNotFound)
        }
        let others = message.certificates.filter { $0 != certificate }
        let trust = SecTrust(TrustQuestion(certificate: certificate, intermediates: others, policies: policies))
        let isSigned = ForkGate.operation { message.isSigned(by: signer, certificate, detached: state.detached) }
        guard isSigned else { return Examination(status: .invalidSignature, trust: trust) }
        guard isTrustAsked, let error = trust.evaluate().error else { return Examination(status: .valid, trust: trust) }
        return Examination(status: .invalidCert, trust: trust, code: OSStatus(truncatingIfNeeded: error.code))
    }

    func token(_ index: Int) throws(ExchangeFailure) -> TimestampToken {
        let signer = try signer(index).signer
        guard let bytes = signer.timestampToken else {
            throw ExchangeFailure(.keychain(SecurityStatus(errSecTimestampMissing)), "the signature has no time stamp")
        }
        do throws(ExchangeError) {
            return try ForkGate.operation { () throws(ExchangeError) in
                try TimestampToken(bytes, about: signer.signature)
            }
        } catch {
            throw ExchangeFailure(
                .keychain(SecurityStatus(errSecTimestampInvalid)), "the time stamp is malformed or of another signature"
            )
        }
    }
}
