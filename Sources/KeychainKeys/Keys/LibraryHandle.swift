// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL
internal import KeychainModel
internal import KeychainSystem

/// A key as OpenSSL holds it, with contexts that are ready for another operation.
///
/// Preparing one costs a tenth of a signature on P-256.
// Sendable: OpenSSL never changes the key after it was made, but for what it locks itself (the blinding of RSA), and a
// context is out of `idle` while a thread uses it. Safe: both pointers are private, made here, and freed in deinit.
// What OpenSSL 3.0 keeps of a private key as long as this lives: its numbers, and for RSA the Montgomery values of the
// primes and the blinding that every private operation uses; all on its ordinary heap, all wiped when they are freed.
// What it leaves unwiped, found by searching every block it frees: a copy of the scalar after a key exchange on the NIST
// curves (as KeychainCrypto's LibraryKey tells). By its source also the padded, masked text of OAEP.
@safe
internal final class LibraryHandle: @unchecked Sendable {
    private let key: OpaquePointer
    private let idle = ForkSafeMutex<[PreparedContext]>([])

    /// A key that a shim made; throws `error` when it made none.
    internal init(_ made: OpaquePointer?, orThrow error: KeyError? = nil) throws(KeyError) {
        guard let made = unsafe made else {
            if let error { throw .takeFromLibrary(as: error) }
            throw .takeFromLibrary()
        }
        unsafe key = made
    }

    deinit {
        // The last reference may go anywhere, and OpenSSL takes a lock of its own.
        llv_operation_enter()
        defer { llv_operation_leave() }
        for context in idle.withLock({ $0 }) { context.free() }
        unsafe EVP_PKEY_free(key)
    }

    /// Lends the key to `body`; no fork happens meanwhile.
    // An operation of its own, here and below: Foundation compares keys, and a tool signs, outside of public calls.
    internal func withUnsafePointer<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        return try unsafe body(key)
    }

    /// Lends a context prepared for `plan` to `body`; it is used again unless that throws.
    internal func withContext<Result: ~Copyable>(
        _ plan: ContextPlan, _ body: (OpaquePointer) throws(KeyError) -> Result
    ) throws(KeyError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        let context = if let idle = takeIdle(plan) { idle } else { try unsafe PreparedContext(plan, key: key) }
        let result: Result
        do throws(KeyError) {
            result = try unsafe body(context.pointer)
        } catch {
            context.free()
            throw error
        }
        if !giveBack(context) { context.free() }
        return result
    }

    private func takeIdle(_ plan: ContextPlan) -> PreparedContext? {
        idle.withLock { contexts in
            guard let index = contexts.lastIndex(where: { $0.plan == plan }) else { return nil }
            return contexts.remove(at: index)
        }
    }

    private func giveBack(_ context: PreparedContext) -> Bool {
        idle.withLock { contexts in
            guard contexts.count < Self.mostIdle else { return false }
            contexts.append(context)
            return true
        }
    }

    // Each takes about a kilobyte.
    private static let mostIdle = 4
}

/// What a context is prepared for.
internal struct ContextPlan: Hashable, Sendable {
    /// One of `LLV_KEYS_SIGN` and so on.
    internal let operation: Int32
    /// One of `RSA_…_PADDING`, 0 for other keys.
    internal var padding: Int32 = 0
    internal var hash: HashFunction?
}

/// OpenSSL's algorithms for keys, fetched once per process.
// A second library context, beside the one of KeychainCrypto, which that target keeps to itself: made the same way and
// for the same reasons, above all that it reads no configuration file. It costs one more random generator.
// Unsafe for the compiler only: OpenSSL counts these objects' references atomically and never changes them. They are
// never freed, and a forked child may go on using them.
internal enum KeyLibrary {
    nonisolated(unsafe) internal static let context = unsafe OSSL_LIB_CTX_new()

    nonisolated(unsafe) internal static let md5 = unsafe EVP_MD_fetch(context, "MD5", nil)
    nonisolated(unsafe) internal static let sha1 = unsafe EVP_MD_fetch(context, "SHA1", nil)
    nonisolated(unsafe) internal static let sha224 = unsafe EVP_MD_fetch(context, "SHA224", nil)
    nonisolated(unsafe) internal static let sha256 = unsafe EVP_MD_fetch(context, "SHA256", nil)
    nonisolated(unsafe) internal static let sha384 = unsafe EVP_MD_fetch(context, "SHA384", nil)
    nonisolated(unsafe) internal static let sha512 = unsafe EVP_MD_fetch(context, "SHA512", nil)
    nonisolated(unsafe) internal static let aes128GCM = unsafe EVP_CIPHER_fetch(context, "AES-128-GCM", nil)
    nonisolated(unsafe) internal static let aes192GCM = unsafe EVP_CIPHER_fetch(context, "AES-192-GCM", nil)
    nonisolated(unsafe) internal static let aes256GCM = unsafe EVP_CIPHER_fetch(context, "AES-256-GCM", nil)
    nonisolated(unsafe) internal static let chaCha20Poly1305 = unsafe EVP_CIPHER_fetch(
        context, "ChaCha20-Poly1305", nil)
    nonisolated(unsafe) internal static let aes128Wrap = unsafe EVP_CIPHER_fetch(context, "AES-128-WRAP", nil)
    nonisolated(unsafe) internal static let aes192Wrap = unsafe EVP_CIPHER_fetch(context, "AES-192-WRAP", nil)
    nonisolated(unsafe) internal static let aes256Wrap = unsafe EVP_CIPHER_fetch(context, "AES-256-WRAP", nil)
    nonisolated(unsafe) internal static let hmac = unsafe EVP_MAC_fetch(context, "HMAC", nil)
    nonisolated(unsafe) internal static let x963 = unsafe EVP_KDF_fetch(context, "X963KDF", nil)
    nonisolated(unsafe) internal static let pbkdf2 = unsafe EVP_KDF_fetch(context, "PBKDF2", nil)

    internal static func found(_ algorithm: OpaquePointer?) throws(KeyError) -> OpaquePointer {
        guard let algorithm = unsafe algorithm else { throw .takeFromLibrary() }
        return unsafe algorithm
    }
}

/// A context and what it is for.
// Sendable: only one thread at a time has it. Safe: it is freed by LibraryHandle alone, once.
@safe
private struct PreparedContext: @unchecked Sendable {
    let plan: ContextPlan
    let pointer: OpaquePointer

    init(_ plan: ContextPlan, key: OpaquePointer) throws(KeyError) {
        let algorithm: OpaquePointer? =
            if let hash = plan.hash { try unsafe hash.algorithm } else { nil }
        guard
            let made = unsafe llv_keys_context(KeyLibrary.context, key, plan.operation, plan.padding, algorithm)
        else { throw .takeFromLibrary() }
        self.plan = plan
        unsafe pointer = made
    }

    func free() {
        unsafe EVP_PKEY_CTX_free(pointer)
    }
}
