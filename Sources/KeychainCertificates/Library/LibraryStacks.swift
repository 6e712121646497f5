// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Certificates as OpenSSL takes a list of them.
// Safe: the pointer is private, made here, and freed in deinit with what was put in.
@safe
internal struct CertificateStack: ~Copyable {
    private let pointer: OpaquePointer

    internal init(_ certificates: some Sequence<Certificate>) throws(TrustError) {
        guard let stack = unsafe llv_x509_stack_new() else { throw .takeFromLibrary() }
        for certificate in certificates {
            let der = certificate.libraryDER
            let parsed = unsafe llv_x509_parse(CertificateLibrary.context, der, der.count)
            // Takes it, also when there is no room.
            guard unsafe llv_x509_stack_push(stack, parsed) == 1 else {
                unsafe llv_x509_stack_free(stack)
                throw .takeFromLibrary()
            }
        }
        unsafe pointer = stack
    }

    deinit {
        unsafe llv_x509_stack_free(pointer)
    }

    internal var unsafePointer: OpaquePointer { unsafe pointer }
}

/// Revocation lists as OpenSSL takes a list of them.
// Safe: the pointer is private, made here, and freed in deinit with what was put in.
@safe
internal final class RevocationListStack {
    private let pointer: OpaquePointer

    /// The lists that can be read; one that cannot says nothing, as if it were not there.
    internal init(_ lists: [[UInt8]]) throws(TrustError) {
        guard let stack = unsafe llv_x509_crl_stack_new() else { throw .takeFromLibrary() }
        for list in lists where list.count <= Self.largest {
            guard let parsed = unsafe llv_x509_crl_parse(CertificateLibrary.context, list, list.count) else {
                ERR_clear_error()
                continue
            }
            guard unsafe llv_x509_crl_stack_push(stack, parsed) == 1 else {
                unsafe llv_x509_crl_stack_free(stack)
                throw .takeFromLibrary()
            }
        }
        unsafe pointer = stack
    }

    deinit {
        unsafe llv_x509_crl_stack_free(pointer)
    }

    internal var unsafePointer: OpaquePointer { unsafe pointer }

    private static let largest = 64 << 20
}

extension TrustError {
    /// The error of the OpenSSL call that just failed; empties this thread's error queue.
    internal static func takeFromLibrary() -> TrustError {
        var last: UInt = 0
        var isOutOfMemory = false
        while case let number = ERR_get_error(), number != 0 {
            last = number
            isOutOfMemory = isOutOfMemory || llv_openssl_is_out_of_memory(number) != 0
        }
        return isOutOfMemory ? .outOfMemory : .library(last)
    }
}
