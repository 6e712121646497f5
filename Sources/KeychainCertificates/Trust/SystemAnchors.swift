// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainModel

/// The certificate authorities that the system trusts: read once, and again when the file has changed.
///
/// Always the file the system's administrator keeps; SSL_CERT_FILE in the environment is not asked, because a program's
/// environment is easier to change than that file.
internal enum SystemAnchors {
    internal static func store() throws(TrustError) -> AnchorStore {
        let version = FileVersion(path: path)
        if let version, let store = cache.withLock({ $0.version == version ? $0.store : nil }) { return store }
        // Read outside the lock; two threads at once may both do it.
        let store = try AnchorStore(bundle: path)
        cache.withLock { $0 = Entry(store: store, version: version) }
        return store
    }

    private static let path = "/etc/ssl/certs/ca-certificates.crt"
    private static let cache = ForkSafeMutex(Entry())
}

/// The store that was read last.
private struct Entry: Sendable {
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
