// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeychainCertificates
internal import KeychainModel
internal import KeychainParsing
internal import KeychainStatus
public import LlaveroFoundation

/// Whose trust settings are meant.
@frozen public enum SecTrustSettingsDomain: UInt32, Sendable {
    /// The user's own.
    case user = 0
    /// Those of the machine's administrator, for all users; root changes them.
    case admin = 1
    /// The authorities that the system came with; they cannot be changed here.
    case system = 2
}

/// What is said of a certificate.
@frozen public enum SecTrustSettingsResult: UInt32, Sendable {
    /// Nothing; it cannot be set.
    case invalid = 0
    /// It is a root, and believed.
    case trustRoot = 1
    /// It is no root, and believed like one.
    case trustAsRoot = 2
    /// It is never trusted, nor what it issued.
    case deny = 3
    /// Neither: its own chain decides.
    case unspecified = 4
}

/// For which uses of a key something is said of its certificate.
public struct SecTrustSettingsKeyUsage: OptionSet, Hashable, Sendable {
    /// The uses as bits.
    public let rawValue: UInt32

    /// The uses that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Signatures of data.
    public static let useSignature = SecTrustSettingsKeyUsage(rawValue: 0x0000_0001)
    /// Encryption of data.
    public static let useEnDecryptData = SecTrustSettingsKeyUsage(rawValue: 0x0000_0002)
    /// Encryption of keys.
    public static let useEnDecryptKey = SecTrustSettingsKeyUsage(rawValue: 0x0000_0004)
    /// Signatures of certificates.
    public static let useSignCert = SecTrustSettingsKeyUsage(rawValue: 0x0000_0008)
    /// Signatures of revocation lists and responses.
    public static let useSignRevocation = SecTrustSettingsKeyUsage(rawValue: 0x0000_0010)
    /// Agreement on keys.
    public static let useKeyExchange = SecTrustSettingsKeyUsage(rawValue: 0x0000_0020)
    /// All of them.
    public static let useAny = SecTrustSettingsKeyUsage(rawValue: 0xFFFF_FFFF)
}

/// Gives what a domain says of a certificate: an array of dictionaries with the `kSecTrustSettings…` keys; an empty one
/// means that it is a root to be believed.
///
/// - Returns: ``errSecSuccess``; ``errSecItemNotFound`` when nothing is said of it.
@discardableResult
public func SecTrustSettingsCopyTrustSettings(
    _ certRef: SecCertificate, _ domain: SecTrustSettingsDomain, _ trustSettings: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    Call.status("SecTrustSettingsCopyTrustSettings") { () throws(KeychainError) in
        let rule = try TrustDomains.current().rule(of: certRef.certificate, domain)
        unsafe trustSettings.pointee = rule.usages.map { TrustUsage.dictionary($0) } as NSArray
    }
}

/// Says something of a certificate in a domain, in the place of what was said before.
///
/// - Parameters:
///   - certRef: The certificate.
///   - domain: ``SecTrustSettingsDomain/user``, or as root ``SecTrustSettingsDomain/admin``.
///   - trustSettingsDictOrArray: A dictionary with the `kSecTrustSettings…` keys, or an array of them, of which the first
///     that fits counts; nil, or an empty array, to believe it as a root.
/// - Returns: ``errSecSuccess``; ``errSecParam`` for what is not understood, such as ``SecTrustSettingsResult/trustRoot``
///   for a certificate that is no root; ``errSecReadOnly`` where the caller may not write.
@discardableResult
public func SecTrustSettingsSetTrustSettings(
    _ certRef: SecCertificate, _ domain: SecTrustSettingsDomain, _ trustSettingsDictOrArray: CFTypeRef?
) -> OSStatus {
    Call.status("SecTrustSettingsSetTrustSettings") { () throws(KeychainError) in
        let usages = try TrustUsage.usages(trustSettingsDictOrArray, of: certRef.certificate)
        let now = Date().timeIntervalSinceReferenceDate.rounded(.down)
        let rule = TrustSettings.Rule(certRef.certificate, usages: usages, modified: now)
        try TrustDomains.current().change(domain) { (settings) throws(KeychainError) in settings.set(rule) }
    }
}

/// Takes back what a domain says of a certificate; ``errSecItemNotFound`` when it says nothing.
@discardableResult
public func SecTrustSettingsRemoveTrustSettings(
    _ certRef: SecCertificate, _ domain: SecTrustSettingsDomain
) -> OSStatus {
    Call.status("SecTrustSettingsRemoveTrustSettings") { () throws(KeychainError) in
        try TrustDomains.current().change(domain) { (settings) throws(KeychainError) in
            guard settings.remove(certRef.certificate) else { throw TrustDomains.nothingSaid }
        }
    }
}

/// Gives the certificates that a domain says something of; ``errSecNoTrustSettings`` when there is none.
@discardableResult
public func SecTrustSettingsCopyCertificates(
    _ domain: SecTrustSettingsDomain, _ certArray: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    var certificates: [Certificate] = []
    let status = Call.status("SecTrustSettingsCopyCertificates") { () throws(KeychainError) in
        certificates = try TrustDomains.current().certificates(domain)
    }
    guard status == errSecSuccess else { return status }
    guard !certificates.isEmpty else { return errSecNoTrustSettings }
    if let certArray = unsafe certArray {
        unsafe certArray.pointee = certificates.map { SecCertificate($0) } as NSArray
    }
    return errSecSuccess
}

/// Gives when a domain last changed what it says of a certificate; ``errSecItemNotFound`` when it says nothing.
@discardableResult
public func SecTrustSettingsCopyModificationDate(
    _ certRef: SecCertificate, _ domain: SecTrustSettingsDomain, _ modificationDate: UnsafeMutablePointer<CFDate?>
) -> OSStatus {
    Call.status("SecTrustSettingsCopyModificationDate") { () throws(KeychainError) in
        let rule = try TrustDomains.current().rule(of: certRef.certificate, domain)
        unsafe modificationDate.pointee = NSDate(timeIntervalSinceReferenceDate: rule.modified)
    }
}

/// Gives all that a domain says, with the certificates, as data for
/// ``SecTrustSettingsImportExternalRepresentation(_:_:)``; ``errSecNoTrustSettings`` when that is nothing.
///
/// The form is ours: Apple's has no certificates in it, only their hashes.
@discardableResult
public func SecTrustSettingsCreateExternalRepresentation(
    _ domain: SecTrustSettingsDomain, _ trustSettings: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    var isEmpty = false
    let status = Call.status("SecTrustSettingsCreateExternalRepresentation") { () throws(KeychainError) in
        let settings = try TrustDomains.current().settings(of: domain)
        isEmpty = settings.rules.isEmpty
        guard !isEmpty else { return }
        guard let bytes = try? settings.encoded() else {
            throw KeychainError(.internalError, "the trust settings cannot be written")
        }
        unsafe trustSettings.pointee = NSData(der: bytes)
    }
    return status == errSecSuccess && isEmpty ? errSecNoTrustSettings : status
}

/// Says in a domain all that the data says, in the place of everything it said before.
///
/// - Returns: ``errSecSuccess``; ``errSecDecode`` for data that is not understood to its end, and then nothing is changed.
@discardableResult
public func SecTrustSettingsImportExternalRepresentation(
    _ domain: SecTrustSettingsDomain, _ trustSettings: CFData
) -> OSStatus {
    Call.status("SecTrustSettingsImportExternalRepresentation") { () throws(KeychainError) in
        guard trustSettings.length <= TrustSettings.largest, let read = TrustSettings(trustSettings.der) else {
            throw KeychainError(.undecodable, "the data is not an external form of trust settings")
        }
        try TrustDomains.current().change(domain) { (settings) throws(KeychainError) in settings = read }
    }
}

// The keys of what is said: Swift's own strings, as macros of C become on Apple's systems.

/// The ``SecPolicy`` that it is about; every one when it is not there.
public let kSecTrustSettingsPolicy = "kSecTrustSettingsPolicy"
/// The name of the policy, which is given and not read.
public let kSecTrustSettingsPolicyName = "kSecTrustSettingsPolicyName"
/// The program that it is about; refused, because programs are not told apart here.
public let kSecTrustSettingsApplication = "kSecTrustSettingsApplication"
/// The host or the e-mail address that it is about.
public let kSecTrustSettingsPolicyString = "kSecTrustSettingsPolicyString"
/// The ``SecTrustSettingsKeyUsage`` that it is about, a number.
public let kSecTrustSettingsKeyUsage = "kSecTrustSettingsKeyUsage"
/// A status that is overlooked, a number.
public let kSecTrustSettingsAllowedError = "kSecTrustSettingsAllowedError"
/// The ``SecTrustSettingsResult``, a number; ``SecTrustSettingsResult/trustRoot`` when it is not there.
public let kSecTrustSettingsResult = "kSecTrustSettingsResult"
