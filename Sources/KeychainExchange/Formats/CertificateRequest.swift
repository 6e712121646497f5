// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainCertificates
internal import KeychainCoding
package import KeychainModel

/// A request for a certificate (PKCS#10, RFC 2986), signed by a key that may be anywhere.
package struct CertificateRequest: Hashable, Sendable {
    /// One attribute of the subject; the country is written as PrintableString, the e-mail address and domain components
    /// as IA5String, all others as UTF-8.
    package struct NameAttribute: Hashable, Sendable {
        package let type: ObjectIdentifier
        package let text: String

        package init(_ type: ObjectIdentifier, _ text: String) {
            self.type = type
            self.text = text
        }
    }

    /// A name beside the subject.
    package enum AlternativeName: Hashable, Sendable {
        case dns(String)
        case email(String)
        case uri(String)
        /// 4 or 16 bytes.
        case address([UInt8])
    }

    /// How the closure signs.
    package enum SignatureAlgorithm: Hashable, Sendable, CaseIterable {
        case rsaSHA256
        case rsaSHA384
        case rsaSHA512
        case ecdsaSHA256
        case ecdsaSHA384
        case ecdsaSHA512
        case ed25519
    }

    /// What a certificate for an authority says (RFC 5280 §4.2.1.9).
    package struct Authority: Hashable, Sendable {
        /// How many authorities may stand between it and a certificate that is for none; nil for any number.
        package let pathLength: UInt8?

        package init(pathLength: UInt8?) { self.pathLength = pathLength }
    }

    /// From the least specific to the most specific.
    package var subject: [NameAttribute]
    package var alternativeNames: [AlternativeName]
    package var keyUsage: KeyUsage
    package var extendedKeyUsage: [ObjectIdentifier]
    /// nil when the certificate is for no authority.
    package var authority: Authority?

    package init(
        subject: [NameAttribute], alternativeNames: [AlternativeName] = [], keyUsage: KeyUsage = [],
        extendedKeyUsage: [ObjectIdentifier] = [], authority: Authority? = nil
    ) {
        self.subject = subject
        self.alternativeNames = alternativeNames
        self.keyUsage = keyUsage
        self.extendedKeyUsage = extendedKeyUsage
        self.authority = authority
    }
}

extension CertificateRequest {
    /// The request (DER) for the key whose SubjectPublicKeyInfo that is; `sign` gets the bytes to sign, not their digest.
    ///
    /// What it returns is verified: a request is either right or none.
    package func der(
        publicKey: [UInt8], algorithm: SignatureAlgorithm, sign: ([UInt8]) throws(KeychainError) -> [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        let wrongSignature = KeychainError(.internalError, "the signature does not verify")
        guard let key = DERValue(publicKey[...], tag: DERTag.sequence), key.isStrict else { throw wrongSignature }
        guard let name = encodedSubject, let attributes = encodedAttributes else {
            throw KeychainError(.parameter, "a name is empty, or has characters that names of its kind cannot have")
        }
        let information = DERWriter.sequence(DERWriter.integer(0), name, publicKey, attributes)
        let signature = try sign(information)
        let request = DERWriter.sequence(information, algorithm.identifier, DERWriter.bitString(signature))
        defer { ERR_clear_error() }
        guard unsafe llv_x509_request_is_valid(CertificateLibrary.context, request, request.count) == 1 else {
            throw wrongSignature
        }
        return request
    }

    /// The subject; nil when one of its texts cannot be written.
    internal var encodedSubject: [UInt8]? {
        var sets: [UInt8] = []
        for attribute in subject {
            guard let value = Self.encoded(attribute) else { return nil }
            let pair = DERWriter.sequence(DERWriter.objectIdentifier(attribute.type), value)
            sets += DERWriter.element(DERTag.set, pair)
        }
        return DERWriter.element(DERTag.sequence, sets)
    }

    private static func encoded(_ attribute: NameAttribute) -> [UInt8]? {
        let bytes = Array(attribute.text.utf8)
        // A zero ends a text for the C code that will read this.
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        switch attribute.type {
        case .country:
            guard bytes.count == 2, bytes.allSatisfy(isLetter) else { return nil }
            return DERWriter.element(DERTag.printableString, bytes)
        case .emailAddress, .domainComponent:
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return DERWriter.element(DERTag.ia5String, bytes)
        default: return DERWriter.utf8String(attribute.text)
        }
    }

    /// The attributes: none, or the extensions asked for; nil when a name cannot be written.
    internal var encodedAttributes: [UInt8]? {
        var extensions: [UInt8] = []
        if let authority {
            let isAuthority = DERWriter.element(DERTag.boolean, [0xFF])
            let length = authority.pathLength.map { DERWriter.integer(Int64($0)) }
            let value = DERWriter.sequence(isAuthority, length ?? [])
            extensions += Self.extension(.basicConstraints, isCritical: true, value)
        }
        if !keyUsage.isEmpty {
            let value = DERWriter.element(DERTag.bitString, keyUsage.bits)
            extensions += Self.extension(.keyUsage, isCritical: true, value)
        }
        if !extendedKeyUsage.isEmpty {
            let purposes = extendedKeyUsage.flatMap { DERWriter.objectIdentifier($0) }
            let value = DERWriter.element(DERTag.sequence, purposes)
            extensions += Self.extension(.extendedKeyUsage, isCritical: false, value)
        }
        if !alternativeNames.isEmpty {
            var names: [UInt8] = []
            for name in alternativeNames {
                guard let encoded = Self.encoded(name) else { return nil }
                names += encoded
            }
            let value = DERWriter.element(DERTag.sequence, names)
            // Without a subject this is all there is to tell whose it is (RFC 5280 §4.2.1.6).
            extensions += Self.extension(.subjectAlternativeName, isCritical: subject.isEmpty, value)
        }
        let tag = DERTag.context(0, isConstructed: true)
        guard !extensions.isEmpty else { return DERWriter.element(tag, []) }
        let values = DERWriter.element(DERTag.set, DERWriter.element(DERTag.sequence, extensions))
        return DERWriter.element(
            tag, DERWriter.sequence(DERWriter.objectIdentifier(.extensionRequest), values))
    }

    private static func `extension`(_ type: ObjectIdentifier, isCritical: Bool, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence(
            DERWriter.objectIdentifier(type), isCritical ? DERWriter.element(DERTag.boolean, [0xFF]) : [],
            DERWriter.element(DERTag.octetString, value))
    }

    private static func encoded(_ name: AlternativeName) -> [UInt8]? {
        let number: UInt8
        let bytes: [UInt8]
        switch name {
        case .email(let text): (number, bytes) = (1, Array(text.utf8))
        case .dns(let text): (number, bytes) = (2, Array(text.utf8))
        case .uri(let text): (number, bytes) = (6, Array(text.utf8))
        case .address(let address):
            guard address.count == 4 || address.count == 16 else { return nil }
            return DERWriter.element(DERTag.context(7, isConstructed: false), address)
        }
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return DERWriter.element(DERTag.context(number, isConstructed: false), bytes)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

extension CertificateRequest.SignatureAlgorithm {
    /// The AlgorithmIdentifier.
    internal var identifier: [UInt8] {
        switch self {
        case .rsaSHA256: Self.rsa(0x0B)
        case .rsaSHA384: Self.rsa(0x0C)
        case .rsaSHA512: Self.rsa(0x0D)
        case .ecdsaSHA256: Self.ecdsa(0x02)
        case .ecdsaSHA384: Self.ecdsa(0x03)
        case .ecdsaSHA512: Self.ecdsa(0x04)
        case .ed25519: DERWriter.sequence(DERWriter.objectIdentifier(.ed25519))
        }
    }

    private static func rsa(_ last: UInt8) -> [UInt8] {
        let identifier = ObjectIdentifier(content: ObjectIdentifier.pkcs1 + [last])
        return DERWriter.sequence(DERWriter.objectIdentifier(identifier), DERWriter.null)
    }

    private static func ecdsa(_ last: UInt8) -> [UInt8] {
        let identifier = ObjectIdentifier(content: ObjectIdentifier.ecdsaSHA2 + [last])
        return DERWriter.sequence(DERWriter.objectIdentifier(identifier))
    }
}
