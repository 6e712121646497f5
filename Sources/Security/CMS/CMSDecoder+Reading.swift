// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainSystem

extension CMSDecoder.Reading {
    /// Reads a message, and decrypts it with what is in the keychains.
    init(_ bytes: [UInt8], keychains: [SecKeychain]?) throws(ExchangeFailure) {
        switch try Self.message({ () throws(ExchangeError) in try CMSMessage(reading: bytes) }) {
        case .plain(let text): (content, contentType) = (text, .cmsData)
        case .signed(let message): take(message)
        case .enveloped(let envelope):
            isEncrypted = true
            let opened = try MessageKey.content(of: envelope, keychains: keychains)
            guard envelope.contentType == .cmsSignedData else {
                (content, contentType) = (opened, envelope.contentType)
                return
            }
            let nested = try Self.message { () throws(ExchangeError) in try CMSMessage(readingNested: opened) }
            if case .signed(let message) = nested { take(message) }
        }
    }

    private mutating func take(_ message: SignedMessage) {
        (signed, content, contentType) = (message, message.content, message.contentType)
    }

    private static func message(
        _ read: () throws(ExchangeError) -> CMSMessage
    ) throws(ExchangeFailure) -> CMSMessage {
        // One operation, for OpenSSL has locks of its own, which a fork must not find taken.
        do throws(ExchangeError) { return try ForkGate.operation(read) } catch {
            let failure = ExchangeFailure(error)
            throw error == .undecodable ? failure.called(.unknownFormat) : failure
        }
    }
}

/// The key of an encrypted message.
enum MessageKey {
    /// The content, decrypted with the first key of a recipient that is found.
    static func content(
        of envelope: EnvelopedMessage, keychains: [SecKeychain]?
    ) throws(ExchangeFailure) -> [UInt8] {
        let searched = keychains.map { $0 as NSArray }
        for recipient in envelope.recipients {
            guard let identity = identity(recipient.reference, searched) else { continue }
            let key = try key(recipient.method, identity.privateKey, size: envelope.keySize)
            let content = ForkGate.operation { envelope.content(openedWith: key) }
            guard let content else { throw ExchangeFailure(.undecodable, "the message cannot be decrypted") }
            return content
        }
        throw ExchangeFailure(
            KeychainError(.itemNotFound, "no private key in the keychain is one that the message was encrypted for"))
    }

    private static func identity(_ reference: CertificateReference, _ keychains: NSArray?) -> SecIdentity? {
        let attributes: [CFString: Any]
        switch reference {
        case .issuer(let name, let serialNumber):
            attributes = [
                kSecAttrIssuer: NSData(der: name.normalizedContent), kSecAttrSerialNumber: NSData(der: serialNumber),
            ]
        case .subjectKeyIdentifier(let identifier): attributes = [kSecAttrSubjectKeyID: NSData(der: identifier)]
        }
        return StoredCertificates.identities(attributes, in: keychains).first {
            reference.isMeant($0.certificate.certificate)
        }
    }

    /// The key of the content.
    ///
    /// One that is wrong is as good as one that cannot be had: both end with the padding of the
    /// content, so that nobody learns from our answers what a changed message was decrypted to.
    private static func key(
        _ method: EnvelopedMessage.Method, _ privateKey: SecKey, size: Int
    ) throws(ExchangeFailure) -> SecretBytes {
        switch method {
        case .rsa(let encrypted): try decrypted(encrypted, privateKey, .rsaEncryptionPKCS1, size)
        case .oaep(.sha1, let encrypted): try decrypted(encrypted, privateKey, .rsaEncryptionOAEPSHA1, size)
        case .oaep(.sha224, let encrypted): try decrypted(encrypted, privateKey, .rsaEncryptionOAEPSHA224, size)
        case .oaep(.sha256, let encrypted): try decrypted(encrypted, privateKey, .rsaEncryptionOAEPSHA256, size)
        case .oaep(.sha384, let encrypted): try decrypted(encrypted, privateKey, .rsaEncryptionOAEPSHA384, size)
        case .oaep(.sha512, let encrypted): try decrypted(encrypted, privateKey, .rsaEncryptionOAEPSHA512, size)
        case .agreement(let agreement): try agreed(agreement, privateKey)
        case .unsupported: throw ExchangeFailure(.unsupportedAlgorithm)
        }
    }

    private static func decrypted(
        _ encrypted: [UInt8], _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ size: Int
    ) throws(ExchangeFailure) -> SecretBytes {
        var isRandom = false
        let random = unsafe SecretBytes(count: size) { output in
            guard let start = output.baseAddress else { return }
            isRandom = unsafe SecRandomCopyBytes(kSecRandomDefault, output.count, start) == errSecSuccess
        }
        guard isRandom else {
            throw ExchangeFailure(KeychainError(.internalError, "the system provided no random bytes"))
        }
        let plain: SecretData
        do throws(KeychainError) {
            plain = try unsafe encrypted.lendingBytes { (bytes) throws(KeychainError) in
                try unsafe privateKey.decrypted(bytes, algorithm)
            }
        } catch {
            // A person who refuses, a locked keychain: that is no secret of the message's.
            guard error.reason == .undecodable || error.reason == .parameter || error.reason == .internalError else {
                throw ExchangeFailure(error)
            }
            return random
        }
        return plain.length == size ? plain.secretCopy : random
    }

    private static func agreed(
        _ agreement: EnvelopedMessage.Agreement, _ privateKey: SecKey
    ) throws(ExchangeFailure) -> SecretBytes {
        let algorithm: SecKeyAlgorithm =
            switch agreement.hash {
            case .sha1: .ecdhKeyExchangeStandardX963SHA1
            case .sha224: .ecdhKeyExchangeStandardX963SHA224
            case .sha256: .ecdhKeyExchangeStandardX963SHA256
            case .sha384: .ecdhKeyExchangeStandardX963SHA384
            case .sha512: .ecdhKeyExchangeStandardX963SHA512
            }
        let secret = try translating { () throws(KeychainError) in
            let sender = try KeyCall.using { () throws(KeyError) in
                try CryptoKey(.ec, .public, representation: agreement.senderKey)
            }
            return try privateKey.secret(
                sharedWith: SecKey(sender), algorithm, size: agreement.keySize, sharedInfo: agreement.sharedInfo)
        }
        var key: SecretBytes?
        ForkGate.operation { key = agreement.unwrap(secret.secretCopy) }
        guard let key else { throw ExchangeFailure(.undecodable, "the message cannot be decrypted") }
        return key
    }

    private static func translating<Result: ~Copyable>(
        _ body: () throws(KeychainError) -> Result
    ) throws(ExchangeFailure) -> Result {
        do throws(KeychainError) { return try body() } catch { throw ExchangeFailure(error) }
    }
}
