// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

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

/// Why a request was not made.
package enum CertificateRequestError<Failure: Error>: Error {
    /// A name has characters that its kind does not, or is no address.
    case invalidName
    /// The public key is no SubjectPublicKeyInfo, or the signature is not by it.
    case invalidSignature
    /// What the closure threw.
    case signing(Failure)
}

extension CertificateRequest {
    /// The request (DER) for the key whose SubjectPublicKeyInfo that is; `sign` gets the bytes to sign, not their digest.
    ///
    /// What it returns is verified: a request is either right or none.
    package func der<Failure: Error>(
        publicKey: [UInt8], algorithm: SignatureAlgorithm, sign: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(CertificateRequestError<Failure>) -> [UInt8] {
        guard let key = DERValue(publicKey[...], tag: DERTag.sequence), key.isStrict else { throw .invalidSignature }
        guard let name = encodedSubject, let attributes = encodedAttributes else { throw .invalidName }
        let information = DERBuilder.sequence([DERTag.integer, 1, 0], name, publicKey, attributes)
        let signature: [UInt8]
        do throws(Failure) {
            signature = try sign(information)
        } catch {
            throw .signing(error)
        }
        let request = DERBuilder.sequence(information, algorithm.identifier, DERBuilder.bitString(signature))
        defer { ERR_clear_error() }
        guard unsafe llv_x509_request_is_valid(CertificateLibrary.context, request, request.count) == 1 else {
            throw .invalidSignature
        }
        return request
    }
}
