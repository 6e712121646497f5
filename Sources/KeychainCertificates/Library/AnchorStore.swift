// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The anchors of an evaluation, as OpenSSL looks for them.
// Safe: the pointer is private, made here, and freed in deinit. Sendable: OpenSSL guards a store by a lock of its own, and nothing is added
// to one after its initialiser.
@safe
internal final class AnchorStore: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// Those that OpenSSL was given in other bytes than their own.
    internal let restated: [Certificate]

    internal static func of(_ anchors: TrustAnchors) throws(TrustError) -> AnchorStore {
        switch anchors {
        case .system: try SystemAnchors.store()
        case .only(let certificates): try AnchorStore(certificates, with: nil)
        case .systemAnd(let certificates): try AnchorStore(certificates, with: SystemAnchors.store())
        }
    }

    private init(_ certificates: [Certificate], with other: AnchorStore?) throws(TrustError) {
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
    internal init(bundle path: String) throws(TrustError) {
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
}
