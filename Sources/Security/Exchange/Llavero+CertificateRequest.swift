// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

extension Llavero {
    /// A request for a certificate (PKCS#10), to be sent to who issues one.
    ///
    /// ```swift
    /// let request = Llavero.CertificateRequest(
    ///     subject: [.organization("Example"), .commonName("www.example.com")],
    ///     alternativeNames: [.dns("www.example.com"), .address("192.0.2.7")])
    /// let text = try request.pem(signedBy: key)
    /// ```
    public struct CertificateRequest: Hashable, Sendable {
        /// Whom the certificate is for, from the least specific to the most specific; none when the alternative names
        /// say it all.
        public var subject: [SubjectPart]
        /// The names beside the subject; those of a server stand here.
        public var alternativeNames: [AlternativeName]
        /// What the key is to be used for; none to leave that to who issues it.
        public var keyUsage: SecKeyUsage
        /// What the certificate is to be used for; none to leave that to who issues it.
        public var purposes: [Purpose]
        /// What to say of an authority; nil when the certificate is for none.
        public var authority: Authority?

        /// A request with these parts.
        public init(
            subject: [SubjectPart], alternativeNames: [AlternativeName] = [], keyUsage: SecKeyUsage = [],
            purposes: [Purpose] = [], authority: Authority? = nil
        ) {
            self.subject = subject
            self.alternativeNames = alternativeNames
            self.keyUsage = keyUsage
            self.purposes = purposes
            self.authority = authority
        }
    }
}

extension Llavero.CertificateRequest {
    /// One part of a subject.
    @frozen public enum SubjectPart: Hashable, Sendable {
        /// The name itself.
        case commonName(String)
        /// Two letters.
        case country(String)
        /// A state or a province.
        case stateOrProvince(String)
        /// A town.
        case locality(String)
        /// A company or another body.
        case organization(String)
        /// A part of it.
        case organizationalUnit(String)
        /// The number of a device or a person.
        case serialNumber(String)
        /// An e-mail address, in ASCII; today it stands among the alternative names.
        case emailAddress(String)
        /// One label of a domain.
        case domainComponent(String)
        /// A text under an object identifier in dots ("2.5.4.12").
        case other(objectIdentifier: String, String)
    }

    /// A name beside the subject.
    @frozen public enum AlternativeName: Hashable, Sendable {
        /// A host's name in ASCII, which may begin with "*.".
        case dns(String)
        /// An e-mail address in ASCII.
        case email(String)
        /// A URI in ASCII.
        case uri(String)
        /// An IP address ("192.0.2.7", "2001:db8::7").
        case address(String)
    }

    /// A purpose of a certificate.
    @frozen public enum Purpose: Hashable, Sendable {
        /// The server's end of TLS.
        case serverAuthentication
        /// The client's end of TLS.
        case clientAuthentication
        /// Signed programs.
        case codeSigning
        /// E-mail, signed or encrypted.
        case emailProtection
        /// Answers about revocation.
        case ocspSigning
        /// An object identifier in dots.
        case other(objectIdentifier: String)
    }

    /// Who issues certificates.
    public struct Authority: Hashable, Sendable {
        /// How many authorities may stand between it and a certificate that is for none; nil for any number.
        public var pathLength: UInt8?

        /// An authority with this many under it, one under the other.
        public init(pathLength: UInt8? = nil) { self.pathLength = pathLength }
    }

    /// The request in DER, signed by a private key wherever that is kept.
    ///
    /// RSA keys sign with SHA-256 as PKCS#1 v1.5 has it; keys on curves with the hash of the curve's size; Ed25519 as it
    /// does. What comes back was verified. Throws ``LlaveroError``: the parameter is wrong when a name has characters
    /// that its kind does not.
    public func der(signedBy key: SecKey) throws -> Data {
        do throws(KeychainError) {
            return try ForkGate.operation { () throws(KeychainError) in Data(try signed(by: key)) }
        } catch {
            Log.failure(of: "CertificateRequest", error)
            LastFailure.set(error)
            throw LlaveroError(error)
        }
    }

    /// The request as text between two lines of dashes, as `der(signedBy:)` makes it.
    public func pem(signedBy key: SecKey) throws -> String { Self.text(of: try der(signedBy: key)) }
}

/// How a request is encoded and signed.
extension Llavero.CertificateRequest {
    /// The request in DER; `hash` in bits, nil for the usual one of the key.
    func signed(by key: SecKey, hash: Int? = nil) throws(KeychainError) -> [UInt8] {
        guard key.key.part == .private, let info = key.key.subjectPublicKeyInfo else {
            throw KeychainError(.parameter, "a certificate request must be signed with a private key")
        }
        let signature = try RequestSignature(key.key, hash)
        let request = KeychainExchange.CertificateRequest(
            subject: try encodedSubject(), alternativeNames: try encodedNames(),
            keyUsage: KeyUsage(rawValue: UInt16(truncatingIfNeeded: keyUsage.rawValue & SecKeyUsage.known.rawValue)),
            extendedKeyUsage: try encodedPurposes(),
            authority: authority.map { .init(pathLength: $0.pathLength) })
        guard keyUsage == .all || keyUsage.isSubset(of: [.known, .critical]) else {
            throw KeychainError(.parameter, "unknown key usage", subject: "keyUsage")
        }
        return try request.der(publicKey: info, algorithm: signature.algorithm) { (bytes) throws(KeychainError) in
            try unsafe bytes.lendingBytes { (bytes) throws(KeychainError) in
                try unsafe key.signature(of: bytes, signature.keyAlgorithm)
            }
        }
    }

    static func text(of der: Data) -> String { PEM.publicText("CERTIFICATE REQUEST", of: [UInt8](der)) }

    private func encodedSubject() throws(KeychainError) -> [KeychainExchange.CertificateRequest.NameAttribute] {
        var attributes: [KeychainExchange.CertificateRequest.NameAttribute] = []
        for part in subject {
            switch part {
            case .commonName(let text): attributes.append(.init(.commonName, text))
            case .country(let text): attributes.append(.init(.country, text))
            case .stateOrProvince(let text): attributes.append(.init(.stateOrProvince, text))
            case .locality(let text): attributes.append(.init(.locality, text))
            case .organization(let text): attributes.append(.init(.organization, text))
            case .organizationalUnit(let text): attributes.append(.init(.organizationalUnit, text))
            case .serialNumber(let text): attributes.append(.init(.serialNumber, text))
            case .emailAddress(let text): attributes.append(.init(.emailAddress, text))
            case .domainComponent(let text): attributes.append(.init(.domainComponent, text))
            case .other(let identifier, let text): attributes.append(.init(try Self.identifier(identifier), text))
            }
        }
        return attributes
    }

    private func encodedNames() throws(KeychainError) -> [KeychainExchange.CertificateRequest.AlternativeName] {
        var names: [KeychainExchange.CertificateRequest.AlternativeName] = []
        for name in alternativeNames {
            switch name {
            case .dns(let text): names.append(.dns(text))
            case .email(let text): names.append(.email(text))
            case .uri(let text): names.append(.uri(text))
            case .address(let text): names.append(.address(try Self.address(text)))
            }
        }
        return names
    }

    private func encodedPurposes() throws(KeychainError) -> [KeychainCertificates.ObjectIdentifier] {
        var identifiers: [KeychainCertificates.ObjectIdentifier] = []
        for purpose in purposes {
            switch purpose {
            case .serverAuthentication: identifiers.append(.serverAuthentication)
            case .clientAuthentication: identifiers.append(.clientAuthentication)
            case .codeSigning: identifiers.append(.codeSigning)
            case .emailProtection: identifiers.append(.emailProtection)
            case .ocspSigning: identifiers.append(.ocspSigning)
            case .other(let text): identifiers.append(try Self.identifier(text))
            }
        }
        return identifiers
    }

    private static func identifier(_ text: String) throws(KeychainError) -> KeychainCertificates.ObjectIdentifier {
        guard let identifier = KeychainCertificates.ObjectIdentifier(dotted: text) else {
            throw KeychainError(.parameter, "the value is not a dotted object identifier")
        }
        return identifier
    }

    private static func address(_ text: String) throws(KeychainError) -> [UInt8] {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] where !text.utf8.contains(0) {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        throw KeychainError(.parameter, "the value is not an IP address")
    }
}

/// How a key signs a request.
private struct RequestSignature {
    let algorithm: KeychainExchange.CertificateRequest.SignatureAlgorithm
    let keyAlgorithm: SecKeyAlgorithm

    init(_ key: CryptoKey, _ hash: Int?) throws(KeychainError) {
        switch (key.type, hash ?? (key.type == .ec ? min(key.bits, 512) : 256)) {
        case (.rsa, 256): (algorithm, keyAlgorithm) = (.rsaSHA256, .rsaSignatureMessagePKCS1v15SHA256)
        case (.rsa, 384): (algorithm, keyAlgorithm) = (.rsaSHA384, .rsaSignatureMessagePKCS1v15SHA384)
        case (.rsa, 512): (algorithm, keyAlgorithm) = (.rsaSHA512, .rsaSignatureMessagePKCS1v15SHA512)
        case (.ec, 256): (algorithm, keyAlgorithm) = (.ecdsaSHA256, .ecdsaSignatureMessageX962SHA256)
        case (.ec, 384): (algorithm, keyAlgorithm) = (.ecdsaSHA384, .ecdsaSignatureMessageX962SHA384)
        case (.ec, 512): (algorithm, keyAlgorithm) = (.ecdsaSHA512, .ecdsaSignatureMessageX962SHA512)
        // It has its own hash; none can be chosen.
        case (.ed25519, _) where hash == nil:
            (algorithm, keyAlgorithm) = (.ed25519, .edDSASignatureMessageCurve25519SHA512)
        default:
            throw KeychainError(.parameter, "keys of this kind cannot sign certificate requests, or not with this hash")
        }
    }
}
