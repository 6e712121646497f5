// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL
internal import KeychainModel

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
        for context in idle.withLock({ $0 }) { context.free() }
        unsafe EVP_PKEY_free(key)
    }

    /// Lends the key to `body`; no fork happens meanwhile.
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
