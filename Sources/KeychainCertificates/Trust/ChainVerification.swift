// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel

/// One run of OpenSSL's verifier, which goes on after a failure, so that all of them are told.
internal struct ChainVerification: ~Copyable {
    internal struct Outcome {
        let chain: [Certificate]
        let findings: [TrustFinding]
        /// Whose status a list says.
        let listed: Set<Int>

        /// Whether another way up might end better.
        var isDeadEnd: Bool {
            findings.contains { finding in
                switch finding.failure {
                case .incompleteChain, .notTrusted: true
                default: finding.depth > 0
                }
            }
        }
    }

    private let leaf: LibraryCertificate
    private let intermediates: CertificateStack
    private let lists: RevocationListStack?
    private let context: VerificationContext
    /// Those that OpenSSL was given in other bytes than their own.
    private let restated: [Certificate]

    internal init(
        _ certificate: Certificate, intermediates: [Certificate], lists: [[UInt8]]?
    ) throws(CryptoError) {
        guard let leaf = LibraryCertificate(der: certificate.libraryDER) else { throw .library(0) }
        let context = try VerificationContext()
        let stack = try CertificateStack(intermediates)
        self.lists = try lists.map { (lists) throws(CryptoError) in try RevocationListStack(lists) }
        self.leaf = leaf
        self.intermediates = stack
        self.context = context
        restated = ([certificate] + intermediates).filter { $0.restated != nil }
    }

    private borrowing func configure(
        _ policy: TrustPolicy, _ store: AnchorStore, _ date: Double
    ) throws(CryptoError) {
        let context = unsafe context.unsafePointer
        let isReady = unsafe leaf.withUnsafePointer { leaf in
            unsafe X509_STORE_CTX_init(context, store.unsafePointer, leaf, intermediates.unsafePointer) == 1
                && Self.setPurpose(policy, leaf, context)
        }
        guard isReady, let parameters = unsafe X509_STORE_CTX_get0_param(context) else { throw .takeFromLibrary() }
        // An anchor need not be a root: what is said to be trusted is.
        var flags = UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST)
        if let lists {
            flags |= UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)
            unsafe X509_STORE_CTX_set0_crls(context, lists.unsafePointer)
        }
        unsafe X509_VERIFY_PARAM_set_flags(parameters, flags)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, Self.deepest)
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel(policy))
        unsafe X509_VERIFY_PARAM_set_time(parameters, Self.time(date))
    }

    /// Runs it; once only.
    internal borrowing func run(
        _ policy: TrustPolicy, _ store: AnchorStore, at date: Double
    ) throws(CryptoError) -> Outcome {
        try configure(policy, store, date)
        let collected = CollectedFailures()
        let context = unsafe context.unsafePointer
        let result = withExtendedLifetime(store) {
            unsafe collected.collecting(context) { unsafe X509_verify_cert(context) }
        }
        // What was refused is no error of the next call's.
        defer { ERR_clear_error() }
        let last = unsafe X509_STORE_CTX_get_error(context)
        if result < 0, last == X509_V_ERR_OUT_OF_MEM { throw .outOfMemory }
        var codes = collected.codes
        if result != 1 && codes.isEmpty { codes.append((last, 0)) }

        var chain: [Certificate] = []
        var findings: [TrustFinding] = []
        let stack = unsafe X509_STORE_CTX_get0_chain(context)
        for index in unsafe 0..<llv_x509_stack_count(stack) {
            guard let certificate = unsafe Certificate(llv_x509_stack_value(stack, index)) else {
                // OpenSSL reads more than we do; what we refuse is in no chain of ours.
                findings.append(TrustFinding(.malformed, depth: Int(index)))
                break
            }
            chain.append((restated + store.restated).first { $0.restated == certificate.der } ?? certificate)
        }
        let forged = Set(codes.compactMap { TrustFailure.isForgedList($0.code) ? $0.depth : nil })
        let unlisted = Set(codes.compactMap { TrustFailure.isAboutList($0.code) ? $0.depth : nil })
        for (code, depth) in codes where !TrustFailure.isAboutList(code) {
            if code == X509_V_ERR_CERT_REVOKED, forged.contains(depth) { continue }
            findings.append(TrustFinding(TrustFailure(libraryCode: code), depth: depth, code: Int(code)))
        }
        var listed: Set<Int> = []
        if lists != nil { listed = Set(chain.indices).subtracting(unlisted) }
        return Outcome(chain: chain, findings: findings, listed: listed)
    }

    private static func setPurpose(_ policy: TrustPolicy, _ leaf: OpaquePointer, _ context: OpaquePointer) -> Bool {
        let purpose: Int32
        switch policy {
        case .basic: return true
        // Its own purpose for OpenSSL; the others are looked at by ourselves.
        case .use(.timeStamping, _, _): purpose = X509_PURPOSE_TIMESTAMP_SIGN
        case .use: return true
        case .ssl(.server, _): purpose = X509_PURPOSE_SSL_SERVER
        case .ssl(.client, _): purpose = X509_PURPOSE_SSL_CLIENT
        case .email:
            // To sign or to encrypt: either will do.
            let signs = unsafe X509_check_purpose(leaf, X509_PURPOSE_SMIME_SIGN, 0) == 1
            let encrypts = unsafe X509_check_purpose(leaf, X509_PURPOSE_SMIME_ENCRYPT, 0) == 1
            purpose = encrypts && !signs ? X509_PURPOSE_SMIME_ENCRYPT : X509_PURPOSE_SMIME_SIGN
        }
        return unsafe X509_STORE_CTX_set_purpose(context, purpose) == 1
    }

    /// OpenSSL's: 1 asks for 80 bits of security (RSA 1024, no SHA-1), 2 for 112 (RSA 2048).
    private static func securityLevel(_ policy: TrustPolicy) -> Int32 {
        switch policy {
        case .ssl: 2
        case .basic, .email, .use: 1
        }
    }

    /// Seconds since 1970; what does not fit is as early or late as can be.
    private static func time(_ date: Double) -> Int {
        let seconds = (date + 978_307_200).rounded(.down)
        // NaN is no time: everything has expired then.
        guard seconds == seconds else { return .max }
        return Int(exactly: seconds) ?? (seconds < 0 ? .min : .max)
    }

    private static let deepest: Int32 = 20
}

/// OpenSSL's state of a verification.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
internal struct VerificationContext: ~Copyable {
    private let pointer: OpaquePointer

    internal init() throws(CryptoError) {
        guard let context = unsafe X509_STORE_CTX_new_ex(CertificateLibrary.context, nil) else {
            throw .takeFromLibrary()
        }
        unsafe pointer = context
    }

    deinit {
        unsafe X509_STORE_CTX_free(pointer)
    }

    internal var unsafePointer: OpaquePointer { unsafe pointer }
}

/// What the verifier complained about.
internal final class CollectedFailures {
    internal private(set) var codes: [(code: Int32, depth: Int)] = []

    /// Runs `verify`, which goes on after each failure.
    internal func collecting(_ context: OpaquePointer, _ verify: () -> Int32) -> Int32 {
        unsafe X509_STORE_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(self).toOpaque())
        unsafe X509_STORE_CTX_set_verify_cb(context) { isFine, context in
            guard isFine != 1 else { return 1 }
            // A verification inside this one, of a list's issuer, has no collector: there the answer is the end.
            guard let context = unsafe context, let opaque = unsafe X509_STORE_CTX_get_ex_data(context, 0)
            else { return 0 }
            let collected = unsafe Unmanaged<CollectedFailures>.fromOpaque(opaque).takeUnretainedValue()
            let code = unsafe X509_STORE_CTX_get_error(context)
            let depth = unsafe Int(X509_STORE_CTX_get_error_depth(context))
            guard collected.codes.count < CollectedFailures.most else { return 0 }
            collected.codes.append((code, max(depth, 0)))
            return 1
        }
        return withExtendedLifetime(self) { verify() }
    }

    private static let most = 1000
}
