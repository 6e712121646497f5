// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainCoding
internal import KeychainModel
public import LlaveroFoundation

/// Says what an evaluation overlooks, or asks for in addition.
///
/// - Returns: ``errSecSuccess``; ``errSecParam`` for an unknown flag; as ``SecTrustSetNetworkFetchAllowed(_:_:)`` for
///   ``SecTrustOptionFlags/fetchIssuerFromNet``.
@discardableResult
public func SecTrustSetOptions(_ trustRef: SecTrust, _ options: SecTrustOptionFlags) -> OSStatus {
    guard options.isSubset(of: .known) else { return errSecParam }
    if options.contains(.fetchIssuerFromNet) {
        let status = SecTrustSetNetworkFetchAllowed(trustRef, true)
        guard status == errSecSuccess else { return status }
    }
    trustRef.change { question in
        question.leniency.allowsExpired = options.contains(.allowExpired)
        question.leniency.allowsExpiredRoot = options.contains(.allowExpiredRoot)
        question.leniency.takesRootsAsAnchors = options.contains(.implicitAnchors)
        question.needsRevocationData = options.contains(.requireRevPerCert)
    }
    return errSecSuccess
}

/// What an evaluation overlooks, or asks for in addition.
public struct SecTrustOptionFlags: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt32

    /// The options that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A certificate under the root may have expired.
    public static let allowExpired = SecTrustOptionFlags(rawValue: 0x0000_0001)
    /// The certificate in question may be an authority's; that is always allowed here.
    public static let leafIsCA = SecTrustOptionFlags(rawValue: 0x0000_0002)
    /// A missing issuer may be fetched, with the transport that the program gave.
    public static let fetchIssuerFromNet = SecTrustOptionFlags(rawValue: 0x0000_0004)
    /// The root may have expired.
    public static let allowExpiredRoot = SecTrustOptionFlags(rawValue: 0x0000_0008)
    /// Every certificate under the root has to be known not to be revoked.
    public static let requireRevPerCert = SecTrustOptionFlags(rawValue: 0x0000_0010)
    /// Trust settings count; they always do here, unless the program set anchors of its own.
    public static let useTrustSettings = SecTrustOptionFlags(rawValue: 0x0000_0020)
    /// Every given certificate that names itself as its issuer is believed.
    public static let implicitAnchors = SecTrustOptionFlags(rawValue: 0x0000_0040)

    static let known = SecTrustOptionFlags(rawValue: 0x7F)
}

/// What was to be said against the certificates, in a form that ``SecTrustSetExceptions(_:_:)`` takes: from then on it is
/// overlooked for this certificate.
///
/// Only what a user may accept is in it: a certificate that was revoked, forged, denied or is too weak stays untrusted. It
/// evaluates them unless that was done since the last change.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    let answer = trust.answer
    guard case .success(let result) = answer.verdict else { return nil }
    return TrustExceptions(result, of: answer.certificate).encoded.map { NSData(der: $0) }
}

/// Overlooks what was to be said against the certificates when the exceptions were made.
///
/// - Returns: Whether they are about the certificate in question; for others, and for nil, nothing is overlooked.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let question = trust.question
    let known = [question.certificate] + question.intermediates + trust.answer.chain
    let read = exceptions.flatMap { TrustExceptions($0.der, of: question.certificate) }?.applied(to: known)
    trust.change { $0.leniency.exceptions = read ?? [:] }
    return read != nil
}

/// What a user accepted about the certificates of one chain.
struct TrustExceptions {
    private let leaf: [UInt8]
    /// The statuses of what is overlooked, by the fingerprint of the certificate.
    private var statuses: [[UInt8]: [OSStatus]] = [:]

    init(_ result: TrustResult, of certificate: Certificate) {
        leaf = certificate.fingerprint
        statuses[leaf] = []
        for finding in result.findings where finding.failure.isExcusable && result.chain.indices.contains(finding.depth)
        {
            statuses[result.chain[finding.depth].fingerprint, default: []].append(OSStatus(finding.failure))
        }
    }

    /// nil when the bytes are none, or about another certificate.
    init?(_ bytes: [UInt8], of certificate: Certificate) {
        leaf = certificate.fingerprint
        guard bytes.count <= 1 << 20, let list = try? PropertyList(decoding: bytes), case .array(let rules) = list,
            rules.count <= 100
        else { return nil }
        for rule in rules {
            guard case .dictionary(let parts) = rule, parts.count == 2, case .data(let digest)? = parts["certificate"],
                case .array(let numbers)? = parts["statuses"], numbers.count <= 100, statuses[digest] == nil
            else { return nil }
            var read: [OSStatus] = []
            for case .number(let number) in numbers { read.append(OSStatus(truncatingIfNeeded: number)) }
            guard read.count == numbers.count else { return nil }
            statuses[digest] = read
        }
        guard statuses[leaf] != nil else { return nil }
    }

    var encoded: [UInt8]? {
        let rules = statuses.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { digest, statuses in
            PropertyList.dictionary([
                "certificate": .data(digest), "statuses": .array(statuses.map { .number(Int64($0)) }),
            ])
        }
        return try? PropertyList.array(rules).encoded()
    }

    func applied(to certificates: [Certificate]) -> [Certificate: Set<TrustFailure>] {
        var failures: [Certificate: Set<TrustFailure>] = [:]
        for certificate in certificates {
            guard let numbers = statuses[certificate.fingerprint] else { continue }
            failures[certificate] = Set(
                TrustFailure.allCases.filter { $0.isExcusable && numbers.contains(OSStatus($0)) })
        }
        return failures
    }
}

extension TrustFailure {
    /// Whether a user may accept it.
    fileprivate var isExcusable: Bool { !isFatal && self != .other }
}

/// Gives the certificates of the authorities that the system trusts.
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    Call.status("SecTrustCopyAnchorCertificates") { () throws(KeychainError) in
        guard let certificates = try? Trust.systemAnchors() else {
            throw KeychainError(.internalError, "the system's authorities cannot be read")
        }
        unsafe anchors.pointee = certificates.map { SecCertificate($0) } as NSArray
    }
}

/// What an evaluation says of each certificate of the chain, for people: an array of dictionaries with
/// ``kSecPropertyTypeTitle`` and, where there is something, ``kSecPropertyTypeError``.
///
/// It evaluates them unless that was done since the last change.
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? {
    let answer = trust.answer
    var findings: [TrustFinding] = []
    if case .success(let result) = answer.verdict { findings = result.findings }
    return answer.chain.enumerated().map { depth, certificate in
        let properties = NSMutableDictionary()
        properties[kSecPropertyTypeTitle] = (certificate.subjectSummary ?? "") as NSString
        if let finding = findings.first(where: { $0.depth == depth }) {
            properties[kSecPropertyTypeError] = SecCopyErrorMessageString(OSStatus(finding.failure), nil)
        }
        return properties
    } as NSArray
}

/// Says in which keychains certificates between the one in question and an anchor are looked for: a ``SecKeychain``, an
/// array of them, or nil for none.
@available(*, deprecated, message: "give intermediate certificates to SecTrustCreateWithCertificates")
@discardableResult
public func SecTrustSetKeychains(_ trust: SecTrust, _ keychainOrArray: CFTypeRef?) -> OSStatus {
    guard let keychainOrArray else {
        trust.change { $0.keychains = nil }
        return errSecSuccess
    }
    let given = (keychainOrArray as? NSArray)?.map { $0 as AnyObject } ?? [keychainOrArray]
    let keychains = given.compactMap { $0 as? SecKeychain }
    guard keychains.count == given.count else { return errSecParam }
    trust.change { $0.keychains = keychains.isEmpty ? nil : keychains }
    return errSecSuccess
}

/// Refuses what logs say of a certificate with ``errSecUnimplemented``: no list of logs to believe is kept here.
///
/// Nil, for none, is accepted; ``errSecParam`` for anything but data in the array.
@discardableResult
public func SecTrustSetSignedCertificateTimestamps(_ trust: SecTrust, _ sctArray: CFArray?) -> OSStatus {
    Call.status("SecTrustSetSignedCertificateTimestamps") { () throws(KeychainError) in
        guard let sctArray, sctArray.count > 0 else { return }
        _ = try TrustInput.data(sctArray, "sctArray")
        throw KeychainError(
            .unimplemented, "certificate logs are not checked, for no list of logs to believe is kept here",
            subject: "sctArray")
    }
}

extension SecTrustResultType {
    /// Whether an evaluation ended well.
    var isGood: Bool { self == .unspecified || self == .proceed }
}
