// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainExchange

/// How keys and certificates are written in a file.
///
/// `PEM` means that the bytes stand as text between two lines of dashes, which ``SecItemImportExportFlags/pemArmour``
/// asks for when something is exported; on import it is found out.
@frozen public enum SecExternalFormat: UInt32, Sendable {
    /// To be found out on import; on export the one that programs expect.
    case formatUnknown = 0
    /// One key as OpenSSL wrote it first: private RSA keys in PKCS#1, private keys on curves in SEC 1, public keys as
    /// SubjectPublicKeyInfo; the newer kinds of private key, which have no form of their own, in PKCS#8.
    case formatOpenSSL = 1
    /// A key of the first OpenSSH; not supported.
    case formatSSH = 2
    /// One key in the standards of RSA: private keys in PKCS#8, public RSA keys in PKCS#1.
    case formatBSAFE = 3
    /// The bytes of a symmetric key.
    case formatRawKey = 4
    /// One private key in PKCS#8, encrypted.
    case formatWrappedPKCS8 = 5
    /// One private key encrypted as OpenSSL did it first, under one round of MD5; it is read and not written.
    case formatWrappedOpenSSL = 6
    /// An encrypted key of the first OpenSSH; not supported.
    case formatWrappedSSH = 7
    /// Not supported.
    case formatWrappedLSH = 8
    /// One certificate in DER.
    case formatX509Cert = 9
    /// Keys and certificates in PEM, one after the other.
    case formatPEMSequence = 10
    /// Certificates in PKCS#7.
    case formatPKCS7 = 11
    /// Keys and certificates in PKCS#12, encrypted.
    case formatPKCS12 = 12
    /// Certificates as Netscape wrote them; not supported.
    case formatNetscapeCertSequence = 13
    /// A key of OpenSSH; not supported.
    case formatSSHv2 = 14
}

extension SecExternalFormat: CaseIterable {}

/// What a file holds.
@frozen public enum SecExternalItemType: UInt32, Sendable {
    /// To be found out.
    case itemTypeUnknown = 0
    /// A private key.
    case itemTypePrivateKey = 1
    /// A public key.
    case itemTypePublicKey = 2
    /// A symmetric key.
    case itemTypeSessionKey = 3
    /// A certificate.
    case itemTypeCertificate = 4
    /// Several things.
    case itemTypeAggregate = 5
}

/// What is asked of ``SecItemExport(_:_:_:_:_:)`` and ``SecItemImport(_:_:_:_:_:_:_:_:)``.
public struct SecItemImportExportFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// The flags that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// What is exported is text between two lines of dashes; what is imported has to be that.
    public static let pemArmour = SecItemImportExportFlags(rawValue: 1 << 0)
}

extension FileFormat {
    /// The format that a caller of `Security` asks for; nil for the usual one.
    static func written(_ format: SecExternalFormat) throws(ExchangeFailure) -> FileFormat? {
        // The numbers are the same.
        if let known = FileFormat(rawValue: format.rawValue) { return known }
        guard format == .formatUnknown else {
            throw ExchangeFailure(.unsupportedFormat, "this format cannot be exported")
        }
        return nil
    }
}

extension SecExternalFormat {
    init(_ format: FileFormat) { self = Self(rawValue: format.rawValue) ?? .formatUnknown }
}

extension SecExternalItemType {
    init(_ type: FileItemType) { self = Self(rawValue: type.rawValue) ?? .itemTypeUnknown }
}

/// What a caller of `Security` says that a file is.
extension FileExpectation {
    init(_ format: SecExternalFormat, _ type: SecExternalItemType, fileName: CFString?) throws(ExchangeFailure) {
        switch format {
        case .formatSSH, .formatSSHv2, .formatWrappedSSH: throw Self.unsupportedSSH
        case .formatWrappedLSH, .formatNetscapeCertSequence:
            throw ExchangeFailure(.unsupportedFormat, "this format is obsolete and cannot be imported")
        default: break
        }
        // What the end of the name says decides nothing but how a failure is called.
        let name = fileName.map { ($0 as String).split(separator: ".").last?.lowercased() ?? "" } ?? ""
        // The numbers are the same, and none is for what is not known.
        self.init(
            FileFormat(rawValue: format.rawValue).map { [$0] }, FileItemType(rawValue: type.rawValue),
            isNamed: Self.extensions.contains(name))
    }

    private static let extensions: Set<String> = [
        "cer", "crt", "der", "pem", "key", "p12", "pfx", "p7b", "p7c", "p8", "pk8",
    ]
}
