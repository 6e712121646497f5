// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// OpenSSL's state of a verification.
// Safe: the pointer is private, made here, and freed in deinit.
@safe
internal struct VerificationContext: ~Copyable {
    private let pointer: OpaquePointer

    internal init() throws(TrustError) {
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
