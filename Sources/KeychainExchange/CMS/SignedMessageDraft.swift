// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel

/// A signed message before it is signed, by keys that may be anywhere.
package struct SignedMessageDraft: Sendable {
    /// How a signer's content is hashed.
    package enum Hash: Hashable, Sendable {
        case sha1
        case sha256
    }

    /// What a signer says beside the content.
    package struct Statements: Hashable, Sendable {
        /// Seconds since 2001; nil to say nothing.
        package var signingTime: Double?
        /// Which ciphers the signer can read.
        package var hasCapabilities = false
        /// That mail to the signer goes to the key of the same certificate.
        package var hasKeyPreference = false
        /// The same in Microsoft's words.
        package var hasMicrosoftKeyPreference = false

        package init() {}
    }

    package let contentType: ObjectIdentifier
    package let content: [UInt8]
    package let isDetached: Bool
    package let certificates: [Certificate]
    package let signers: [Certificate]
    package let hash: Hash
    package let statements: Statements

    package init(
        _ content: [UInt8], type: ObjectIdentifier = .cmsData, isDetached: Bool = false, signers: [Certificate],
        certificates: [Certificate], hash: Hash = .sha256, statements: Statements = Statements()
    ) {
        self.content = content
        contentType = type
        self.isDetached = isDetached
        self.signers = signers
        self.certificates = certificates
        self.hash = hash
        self.statements = statements
    }

    /// The message (DER); `sign` gets the number of the signer and the bytes to sign, not their digest.
    ///
    /// What it returns is verified: a message is either right or none. Throws `keyMismatch` when a signature is not by the
    /// key of its certificate, and `unimplemented` for a key that is neither RSA nor on a curve of NIST's.
    package func der(
        sign: (Int, [UInt8]) throws(ExchangeFailure) -> [UInt8]
    ) throws(ExchangeFailure) -> [UInt8] {
        let digest = try digest(of: content)
        var infos: [[UInt8]] = []
        for (index, certificate) in signers.enumerated() {
            let attributes = try attributes(digest, of: certificate)
            guard let algorithm = signatureAlgorithm(of: certificate) else { throw Self.unsupportedKey }
            let signature = try sign(index, DERWriter.element(DERTag.set, attributes))
            infos.append(
                DERWriter.sequence(
                    DERWriter.integer(1), CertificateReference.encoded(certificate), digestAlgorithm,
                    DERWriter.element(DERTag.context(0, isConstructed: true), attributes), algorithm,
                    DERWriter.element(DERTag.octetString, signature)))
        }
        let message = message(infos)
        guard
            case .signed(let read) = try ExchangeFailure.translating({ () throws(ExchangeError) in
                try CMSMessage(reading: message)
            }), read.signers.count == signers.count
        else { throw ExchangeFailure(.undecodable) }
        for certificate in signers {
            let isRight = read.signers.contains { signer in
                signer.reference.isMeant(certificate)
                    && read.isSigned(by: signer, certificate, detached: isDetached ? content : nil)
            }
            guard isRight else { throw ExchangeFailure(.keyMismatch) }
        }
        return message
    }

    // RFC 8419 has messages by Ed25519 and Ed448. OpenSSL 3.0 gives their keys a digest, which these refuse, when it
    // verifies as when it signs; we could sign by ourselves, and nobody here could verify it.
    private static let unsupportedKey = ExchangeFailure(
        KeychainError(
            .unimplemented,
            "messages are signed with RSA keys and keys on NIST's curves only; OpenSSL verifies none by Ed25519 or Ed448"
        ))

    private func message(_ infos: [[UInt8]]) -> [UInt8] {
        var encapsulated = DERWriter.objectIdentifier(contentType)
        if !isDetached && !(signers.isEmpty && content.isEmpty) {
            encapsulated += DERWriter.element(
                DERTag.context(0, isConstructed: true), DERWriter.element(DERTag.octetString, content))
        }
        let version = DERWriter.integer(contentType == .cmsData ? 1 : 3)
        let algorithms = DERWriter.element(DERTag.set, signers.isEmpty ? [] : digestAlgorithm)
        var set: [UInt8] = []
        if !certificates.isEmpty {
            var unique: [Certificate] = []
            for certificate in certificates where !unique.contains(certificate) { unique.append(certificate) }
            set = DERWriter.element(DERTag.context(0, isConstructed: true), Self.sorted(unique.map(\.der)))
        }
        let data = DERWriter.sequence(
            version, algorithms, DERWriter.element(DERTag.sequence, encapsulated), set,
            DERWriter.element(DERTag.set, Self.sorted(infos)))
        return DERWriter.sequence(
            DERWriter.objectIdentifier(.cmsSignedData),
            DERWriter.element(DERTag.context(0, isConstructed: true), data))
    }

    /// The content of the SET of signed attributes.
    private func attributes(_ digest: [UInt8], of certificate: Certificate) throws(ExchangeFailure) -> [UInt8] {
        var attributes = [
            Self.attribute(.contentType, DERWriter.objectIdentifier(contentType)),
            Self.attribute(.messageDigest, DERWriter.element(DERTag.octetString, digest)),
        ]
        if let time = statements.signingTime {
            attributes.append(Self.attribute(.signingTime, try Self.encoded(time)))
        }
        if statements.hasCapabilities {
            let ciphers = [ObjectIdentifier.aes256CBC, .aes192CBC, .aes128CBC, .tripleDES].flatMap {
                DERWriter.sequence(DERWriter.objectIdentifier($0))
            }
            attributes.append(Self.attribute(.smimeCapabilities, DERWriter.element(DERTag.sequence, ciphers)))
        }
        let own = CertificateReference.encoded(certificate)
        if statements.hasKeyPreference, let name = DERValue(own[...]) {
            let implicit = DERWriter.element(DERTag.context(0, isConstructed: true), Array(name.content))
            attributes.append(Self.attribute(.encryptionKeyPreference, implicit))
        }
        if statements.hasMicrosoftKeyPreference {
            attributes.append(Self.attribute(.microsoftKeyPreference, own))
        }
        return Self.sorted(attributes)
    }

    private static func attribute(_ type: ObjectIdentifier, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence(DERWriter.objectIdentifier(type), DERWriter.element(DERTag.set, value))
    }

    /// A time in whole seconds: two digits of the year through 2049, four after it (RFC 5652 §11.3).
    private static func encoded(_ time: Double) throws(ExchangeFailure) -> [UInt8] {
        guard let text = try? GeneralizedTime.encode(time.rounded(.down)), text.count == 15 else {
            throw ExchangeFailure(KeychainError(.parameter, "the signing time is out of range"))
        }
        let isOfTwoDigits =
            text[0...1] == [0x32, 0x30] && text[2] < 0x35 || text[0...1] == [0x31, 0x39] && text[2] >= 0x35
        return isOfTwoDigits
            ? DERWriter.element(DERTag.utcTime, Array(text.dropFirst(2)))
            : DERWriter.element(DERTag.generalizedTime, text)
    }

    // The elements of a SET OF stand in the order of their bytes in DER.
    private static func sorted(_ elements: [[UInt8]]) -> [UInt8] {
        elements.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private func digest(of bytes: [UInt8]) throws(ExchangeFailure) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in
                switch hash {
                case .sha1: try unsafe Digest.sha1(bytes)
                case .sha256: try unsafe Digest.sha256(bytes)
                }
            }
        } catch {
            throw ExchangeFailure(KeychainError(.internalError, "OpenSSL reported an error"))
        }
    }

    private var digestAlgorithm: [UInt8] {
        switch hash {
        case .sha1: DERWriter.sequence(DERWriter.objectIdentifier(.sha1Digest), DERWriter.null)
        case .sha256: DERWriter.sequence(DERWriter.objectIdentifier(.sha256Digest))
        }
    }

    private func signatureAlgorithm(of certificate: Certificate) -> [UInt8]? {
        switch (certificate.publicKey.kind, hash) {
        case (.rsa, _): DERWriter.sequence(DERWriter.objectIdentifier(.rsa), DERWriter.null)
        case (.ellipticCurve, .sha256):
            DERWriter.sequence(
                DERWriter.objectIdentifier(ObjectIdentifier(content: ObjectIdentifier.ecdsaSHA2 + [0x02])))
        case (.ellipticCurve, .sha1): DERWriter.sequence(DERWriter.objectIdentifier(.ecdsaSHA1))
        case (.other, _): nil
        }
    }
}

extension ObjectIdentifier {
    fileprivate static let sha1Digest = ObjectIdentifier(content: [0x2B, 0x0E, 0x03, 0x02, 0x1A])
    fileprivate static let sha256Digest = ObjectIdentifier(
        content: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
    fileprivate static let ecdsaSHA1 = ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01])
}
