// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
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
            return try KeychainConnection.operation { () throws(KeychainError) in Data(try signed(by: key)) }
        } catch {
            Log.failure(of: "CertificateRequest", error)
            LastFailure.set(error)
            throw LlaveroError(error)
        }
    }

    /// The request as text between two lines of dashes, as `der(signedBy:)` makes it.
    public func pem(signedBy key: SecKey) throws -> String { Self.text(of: try der(signedBy: key)) }
}
