// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL

/// A promise that a context of OpenSSL's, with the key in it, is wiped in every forked child.
///
/// The context lies in OpenSSL's heap, of which a child gets a copy. End the promise before the context is freed.
// Safe: the entry is private, made here, and taken back in end().
@safe
internal struct WipedInChild {
    private let entry: OpaquePointer

    internal init(cipher context: OpaquePointer) {
        unsafe entry = llv_child_wipe_add(UnsafeMutableRawPointer(context)) { context in
            unsafe EVP_CIPHER_CTX_reset(OpaquePointer(context))
        }
    }

    internal init(mac context: OpaquePointer) {
        unsafe entry = llv_child_wipe_add(UnsafeMutableRawPointer(context)) { context in
            // There is no reset; another key takes the place of the one that is there.
            unsafe llv_openssl_hmac_forget_key(OpaquePointer(context))
        }
    }

    internal func end() { unsafe llv_child_wipe_remove(entry) }
}
