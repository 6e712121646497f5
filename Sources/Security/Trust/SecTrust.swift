// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: what changes in it stands behind a lock.
/// Certificates, what they have to be good for, and whether they are.
public final class SecTrust: NSObject, @unchecked Sendable {
    private struct State {
        var question: TrustQuestion
        /// nil until it is evaluated, and again when something was changed.
        var answer: TrustAnswer?
        /// How often it was changed.
        var changes = 0
    }

    private let state: ForkSafeMutex<State>

    init(_ question: TrustQuestion) {
        state = ForkSafeMutex(State(question: question))
        super.init()
    }

    /// What it was given.
    var question: TrustQuestion { state.withLock { $0.question } }

    /// What the last evaluation came to; nil when there was none since the last change.
    var lastAnswer: TrustAnswer? { state.withLock { $0.answer } }

    /// What an evaluation comes to: the last one, or one that is made now.
    var answer: TrustAnswer { lastAnswer ?? evaluate() }

    /// Changes what it was given; an answer from before counts no more.
    func change(_ body: @Sendable (inout TrustQuestion) -> Void) {
        state.withLock { state in
            body(&state.question)
            state.answer = nil
            state.changes += 1
        }
    }

    /// Examines the certificates now; `domains` has the trust settings that count where the caller is.
    func evaluate(_ domains: TrustDomains = .current()) -> TrustAnswer {
        let (question, changes) = state.withLock { ($0.question, $0.changes) }
        // Without the lock: it takes milliseconds, and others may ask meanwhile.
        let answer = question.evaluate(domains)
        state.withLock { state in
            if state.changes == changes { state.answer = answer }
        }
        return answer
    }
}

/// Makes a trust object.
///
/// - Parameters:
///   - certificates: A certificate, or an array with the one in question first; the others may stand between it and an
///     anchor, in any order.
///   - policies: A policy or an array of policies, each of which it has to satisfy; nil for basic X.509.
///   - trust: Set to the new object.
/// - Returns: ``errSecSuccess``, or ``errSecParam`` when there is no certificate or something else is among them.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    Call.status("SecTrustCreateWithCertificates") { () throws(KeychainError) in
        let given = try TrustInput.certificates(certificates)
        guard let first = given.first else {
            throw KeychainError(.parameter, "a certificate is required", subject: "certificates")
        }
        let question = TrustQuestion(
            certificate: first, intermediates: Array(given.dropFirst()), policies: try TrustInput.policies(policies))
        unsafe trust.pointee = SecTrust(question)
    }
}

/// The type number of trust objects.
public func SecTrustGetTypeID() -> CFTypeID { SecTrust.typeID }

extension SecTrust: CFTypeIdentified {
    static var typeID: CFTypeID { 105 }
}

/// The public key of the certificate in question; nil when it is of a kind that no ``SecKey`` is.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    SecCertificateCopyKey(SecCertificate(trust.question.certificate))
}

/// The older name of ``SecTrustCopyKey(_:)``.
@available(*, deprecated, renamed: "SecTrustCopyKey")
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

/// Replaces the policies by one or an array of them; ``errSecParam`` for anything else.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    Call.status("SecTrustSetPolicies") { () throws(KeychainError) in
        let policies = try TrustInput.policies(policies)
        trust.change { $0.policies = policies }
    }
}

/// Gives the policies, in an array; basic X.509 when none was given.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    let given = trust.question.policies
    unsafe policies.pointee = (given.isEmpty ? [SecPolicyCreateBasicX509()] : given) as NSArray
    return errSecSuccess
}

/// Sets the certificates that are believed without proof, from then on instead of the system's.
///
/// ``SecTrustSetAnchorCertificatesOnly(_:_:)`` with false brings the system's back in addition. Nil takes the given ones
/// away, and the system's count again.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    Call.status("SecTrustSetAnchorCertificates") { () throws(KeychainError) in
        let anchors = anchorCertificates == nil ? nil : try TrustInput.certificates(anchorCertificates)
        trust.change { question in
            question.anchors = anchors
            question.usesOwnAnchorsOnly = anchors != nil
        }
    }
}

/// Says whether the system's anchors are left out.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.usesOwnAnchorsOnly = anchorCertificatesOnly }
    return errSecSuccess
}

/// Gives the anchors that were set, or nil.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe anchors.pointee = trust.question.anchors.map { $0.map { SecCertificate($0) } as NSArray }
    return errSecSuccess
}

/// Sets the date at which the certificates have to be valid.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = verifyDate.timeIntervalSinceReferenceDate
    trust.change { $0.date = date }
    return errSecSuccess
}

/// The date at which the certificates have to be valid: the one that was set, else now.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    trust.question.date ?? Date().timeIntervalSinceReferenceDate
}

/// Sets what OCSP servers said: one response or an array of them, in DER, as a TLS server staples it; nil for none.
///
/// Data that is not a response, or not signed by the issuer or its delegate, counts as no response.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    Call.status("SecTrustSetOCSPResponse") { () throws(KeychainError) in
        let responses = try TrustInput.data(responseData, "responseData")
        trust.change { $0.responses = responses }
    }
}

extension SecTrust {
    /// Sets the certificate revocation lists (DER) that are known; ours, because Apple fetches them and takes none.
    ///
    /// A list that is not its issuer's, or no list at all, says nothing.
    public func setRevocationLists(_ lists: [Data]) {
        let lists = lists.map { [UInt8]($0) }
        change { $0.lists = lists }
    }
}

/// What a `SecTrust` was given so far.
struct TrustQuestion: Sendable {
    let certificate: Certificate
    var intermediates: [Certificate]
    var policies: [SecPolicy]
    /// nil until anchors are set.
    var anchors: [Certificate]?
    /// Whether the system's anchors are left out.
    var usesOwnAnchorsOnly = false
    /// Seconds since 2001; nil for now.
    var date: Double?
    var lists: [[UInt8]] = []
    var responses: [[UInt8]] = []
    /// Where further certificates are looked for; nil for nowhere.
    var keychains: [SecKeychain]?
    var leniency = TrustLeniency()
    var needsRevocationData = false
    var allowsFetching = false
    /// Who fetches, when that is allowed.
    var transport: TrustTransport?

    /// Examines it; slow, and with no lock held.
    func evaluate(_ domains: TrustDomains) -> TrustAnswer {
        let date = date ?? Date().timeIntervalSinceReferenceDate
        let settings: TrustSettings
        do throws(KeychainError) { settings = try domains.settings() } catch {
            // A denial may be in what cannot be read.
            LastFailure.set(error)
            return TrustAnswer(date: date, certificate: certificate, verdict: .failure(.invalidParameters))
        }
        let stored = keychains.map { StoredCertificates.above(certificate, in: $0 as NSArray) } ?? []
        var asked = trust(settings, stored)
        var verdict = examine(asked, at: date)
        if allowsFetching, let transport {
            let (rule, sources) = (asked.revocation.rule, revocationSources)
            var fetch = TrustFetch(by: transport, sources)
            // What is not known is found as what is lacking, also where that will be no failure.
            if !sources.isEmpty, rule != .required {
                asked.revocation.rule = .required
                verdict = examine(asked, at: date)
            }
            for _ in 0..<TrustFetch.mostRounds {
                guard case .success(let result) = verdict, fetch.complete(&asked, for: result) else { break }
                verdict = examine(asked, at: date)
            }
            if asked.revocation.rule != rule {
                asked.revocation.rule = rule
                verdict = examine(asked, at: date)
            }
        }
        return TrustAnswer(date: date, certificate: certificate, verdict: verdict, revocation: asked.revocation.rule)
    }

    /// Whom to ask what was revoked, in that order; nobody when no policy is about that, or one says not to ask.
    private var revocationSources: [TrustFetch.RevocationSource] {
        var (flags, isAsked): (CFOptionFlags, Bool) = (0, needsRevocationData)
        for policy in policies {
            if case .revocation(let some) = policy.rule { (flags, isAsked) = (flags | some, true) }
        }
        guard isAsked, flags & kSecRevocationNetworkAccessDisabled == 0 else { return [] }
        if flags & kSecRevocationUseAnyAvailableMethod == 0 { flags |= kSecRevocationUseAnyAvailableMethod }
        var sources: [TrustFetch.RevocationSource] = []
        if flags & kSecRevocationOCSPMethod != 0 { sources.append(.responders) }
        if flags & kSecRevocationCRLMethod != 0 { sources.append(.lists) }
        return flags & kSecRevocationPreferCRL != 0 ? sources.reversed() : sources
    }

    // One operation, for OpenSSL has locks of its own, which a fork must not find taken.
    private func examine(_ trust: Trust, at date: Double) -> Result<TrustResult, CryptoError> {
        ForkGate.operation {
            do throws(CryptoError) { return .success(try trust.evaluate(at: date)) } catch { return .failure(error) }
        }
    }

    private func trust(_ settings: TrustSettings, _ stored: [Certificate]) -> Trust {
        var purposes: [TrustPolicy] = []
        var rule = needsRevocationData ? RevocationRule.required : .ifKnown
        for policy in policies {
            switch policy.rule {
            case .purpose(let purpose): purposes.append(purpose)
            case .revocation(let flags):
                if flags & kSecRevocationRequirePositiveResponse != 0 { rule = .required }
            }
        }
        var trust = Trust(
            certificate, intermediates: intermediates + stored, policies: purposes, anchors: chosenAnchors,
            revocation: RevocationData(rule: rule, lists: lists, responses: responses))
        trust.settings = settings
        trust.leniency = leniency
        trust.statusOfFailure = { OSStatus($0) }
        return trust
    }

    private var chosenAnchors: TrustAnchors {
        if usesOwnAnchorsOnly { return .only(anchors ?? []) }
        return anchors.map { .systemAnd($0) } ?? .system
    }
}

/// What callers give to a trust object, read strictly: one object, or an array of nothing else.
enum TrustInput {
    static func certificates(_ object: CFTypeRef?) throws(KeychainError) -> [Certificate] {
        try list(object, "certificates") { ($0 as? SecCertificate)?.certificate }
    }

    static func policies(_ object: CFTypeRef?) throws(KeychainError) -> [SecPolicy] {
        try list(object, "policies") { $0 as? SecPolicy }
    }

    static func data(_ object: CFTypeRef?, _ name: StaticString) throws(KeychainError) -> [[UInt8]] {
        try list(object, name) { ($0 as? NSData).map(\.der) }
    }

    private static func list<Element>(
        _ object: CFTypeRef?, _ name: StaticString, _ element: (AnyObject) -> Element?
    ) throws(KeychainError) -> [Element] {
        guard let object else { return [] }
        var result: [Element] = []
        for value in (object as? NSArray)?.map({ $0 as AnyObject }) ?? [object] {
            guard let read = element(value) else {
                throw KeychainError(.parameter, "the object is not of the expected kind", subject: "\(name)")
            }
            result.append(read)
        }
        return result
    }
}
