// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem

/// The anchors of an evaluation, as OpenSSL looks for them.
// Safe: the pointer is private, made here, and freed in deinit. Sendable: OpenSSL guards a store by a lock of its own, and nothing is added
// to one after its initialiser.
@safe
internal final class AnchorStore: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// Those that OpenSSL was given in other bytes than their own.
    internal let restated: [Certificate]

    internal static func of(_ anchors: TrustAnchors) throws(CryptoError) -> AnchorStore {
        switch anchors {
        case .system: try SystemAnchors.store()
        case .only(let certificates): try AnchorStore(certificates, with: nil)
        case .systemAnd(let certificates): try AnchorStore(certificates, with: SystemAnchors.store())
        }
    }

    private init(_ certificates: [Certificate], with other: AnchorStore?) throws(CryptoError) {
        guard let store = unsafe X509_STORE_new() else { throw .takeFromLibrary() }
        var isComplete = true
        if let other { unsafe isComplete = llv_x509_store_add_all(store, other.pointer) == 1 }
        for certificate in certificates where isComplete {
            let der = certificate.libraryDER
            let parsed = unsafe llv_x509_parse(CertificateLibrary.context, der, der.count)
            unsafe isComplete = parsed != nil && X509_STORE_add_cert(store, parsed) == 1
            unsafe X509_free(parsed)
        }
        guard isComplete else {
            unsafe X509_STORE_free(store)
            throw .takeFromLibrary()
        }
        unsafe pointer = store
        restated = certificates.filter { $0.restated != nil }
    }

    /// The certificates of a bundle in PEM; none when the file cannot be read.
    internal init(bundle path: String) throws(CryptoError) {
        guard let store = unsafe X509_STORE_new() else { throw .takeFromLibrary() }
        // What it could not read it leaves out; fewer anchors, never others.
        unsafe X509_STORE_load_file_ex(store, path, CertificateLibrary.context, nil)
        ERR_clear_error()
        unsafe pointer = store
        restated = []
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }

    internal var unsafePointer: OpaquePointer { unsafe pointer }

    /// Those of them that we can read.
    internal var certificates: [Certificate] {
        let stack = unsafe llv_x509_store_all(pointer)
        defer { unsafe llv_x509_stack_free(stack) }
        return unsafe (0..<llv_x509_stack_count(stack)).compactMap { index in
            unsafe Certificate(llv_x509_stack_value(stack, index))
        }
    }
}

/// The certificate authorities that the system trusts: read once, and again when the file has changed.
///
/// Always the file the system's administrator keeps; SSL_CERT_FILE in the environment is not asked, because a program's
/// environment is easier to change than that file.
internal enum SystemAnchors {
    internal static func store() throws(CryptoError) -> AnchorStore {
        let version = FileVersion(path: path)
        if let version, let store = cache.withLock({ $0.version == version ? $0.store : nil }) { return store }
        // Read outside the lock; two threads at once may both do it.
        let store = try AnchorStore(bundle: path)
        cache.withLock { $0 = Cache(store: store, version: version) }
        return store
    }

    private static let path = "/etc/ssl/certs/ca-certificates.crt"
    private static let cache = ForkSafeMutex(Cache())
}

/// The store that was read last.
private struct Cache: Sendable {
    var store: AnchorStore?
    var version: FileVersion?
}

/// By what a file is recognised as the one that was read.
private struct FileVersion: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64

    /// nil when there is no such file.
    init?(path: String) {
        // The path itself is a file; were it a link, its target would have to be asked.
        var status = llv_file_status()
        guard unsafe llv_read_file_status(path, &status) == 0, status.is_regular_file else { return nil }
        device = status.device
        inode = status.inode
        size = status.size
        modified = status.modified
    }
}
