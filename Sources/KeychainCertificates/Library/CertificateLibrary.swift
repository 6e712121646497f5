// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// OpenSSL's library contexts that everything of this module is done in.
///
/// Contexts of our own: the one of the process reads its configuration file, which lets whoever can write that file
/// decide which algorithms check a certificate.
// Unsafe for the compiler only: OpenSSL guards a context by locks of its own. They are never freed.
internal enum CertificateLibrary {
    nonisolated(unsafe) internal static let context = unsafe OSSL_LIB_CTX_new()

    /// The context for files that were written long ago: with RC2, RC4 and single DES, which the legacy provider brings
    /// when it is installed.
    ///
    /// Only for reading what somebody gives us; nothing is written or checked with these algorithms.
    nonisolated(unsafe) internal static let reading = unsafe makeReading()

    private static func makeReading() -> OpaquePointer? {
        guard let context = unsafe OSSL_LIB_CTX_new() else { return nil }
        // The folder the library was built with, so that OPENSSL_MODULES in the environment chooses no other code.
        let folder = unsafe OPENSSL_info(OPENSSL_INFO_MODULES_DIR)
        if unsafe folder != nil && OSSL_PROVIDER_set_default_search_path(context, folder) == 1 {
            unsafe OSSL_PROVIDER_load(context, "legacy")
        }
        let hasDefault = unsafe OSSL_PROVIDER_load(context, "default") != nil
        ERR_clear_error()
        return unsafe hasDefault ? context : nil
    }
}
