// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// How OpenSSL begins in a process.
package enum LibraryStart {
    /// Keeps OpenSSL from reading its configuration file, and from tidying up when the program ends; before its first use.
    ///
    /// For programs of our own alone: in others what that file says is the program's to follow.
    package static func withoutConfiguration() {
        // Our algorithms do not come from that file, but every digest looks for engines in it, a fetched one too: half a
        // millisecond, and whoever writes the file would have a say. The end of the process frees what there is.
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG) | UInt64(OPENSSL_INIT_NO_ATEXIT)
        // If it fails, OpenSSL begins as it does in every program.
        _ = OPENSSL_init_crypto(options, nil)
    }
}
