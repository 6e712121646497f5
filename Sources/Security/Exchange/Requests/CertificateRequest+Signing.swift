// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel

extension Llavero.CertificateRequest {
    /// The request in DER; `hash` in bits, nil for the usual one of the key.
    func signed(by key: SecKey, hash: Int? = nil) throws(KeychainError) -> [UInt8] {
        guard key.key.part == .private, let info = key.key.subjectPublicKeyInfo else {
            throw KeychainError(.parameter, "a request is signed by a private key")
        }
        let signature = try RequestSignature(key.key, hash)
        let request = KeychainCertificates.CertificateRequest(
            subject: try encodedSubject(), alternativeNames: try encodedNames(),
            keyUsage: KeyUsage(rawValue: UInt16(truncatingIfNeeded: keyUsage.rawValue & SecKeyUsage.known.rawValue)),
            extendedKeyUsage: try encodedPurposes(),
            authority: authority.map { .init(pathLength: $0.pathLength) })
        guard keyUsage.isSubset(of: [.known, .critical]) else {
            throw KeychainError(.parameter, "there is no such use of keys", subject: "keyUsage")
        }
        do throws(CertificateRequestError<KeychainError>) {
            return try request.der(publicKey: info, algorithm: signature.algorithm) { (bytes) throws(KeychainError) in
                try unsafe bytes.lendingBytes { (bytes) throws(KeychainError) in
                    try unsafe key.signature(of: bytes, signature.keyAlgorithm)
                }
            }
        } catch {
            switch error {
            case .invalidName:
                throw KeychainError(.parameter, "a name is empty, or has characters that its kind does not")
            case .invalidSignature: throw KeychainError(.internalError, "the signature does not verify")
            case .signing(let failure): throw failure
            }
        }
    }

    static func text(of der: Data) -> String { PEM.publicText("CERTIFICATE REQUEST", of: [UInt8](der)) }

    private func encodedSubject() throws(KeychainError) -> [KeychainCertificates.CertificateRequest.NameAttribute] {
        var attributes: [KeychainCertificates.CertificateRequest.NameAttribute] = []
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

    private func encodedNames() throws(KeychainError) -> [KeychainCertificates.CertificateRequest.AlternativeName] {
        var names: [KeychainCertificates.CertificateRequest.AlternativeName] = []
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
            throw KeychainError(.parameter, "this is no object identifier in dots")
        }
        return identifier
    }

    private static func address(_ text: String) throws(KeychainError) -> [UInt8] {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] where !text.utf8.contains(0) {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        throw KeychainError(.parameter, "this is no IP address")
    }
}

/// How a key signs a request.
private struct RequestSignature {
    let algorithm: KeychainCertificates.CertificateRequest.SignatureAlgorithm
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
        default: throw KeychainError(.parameter, "a key of this kind does not sign requests, or not with this hash")
        }
    }
}
