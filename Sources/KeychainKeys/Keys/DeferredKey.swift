// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A key out of an item, which OpenSSL reads when it is first used: many are found only to be looked at, and to check that
/// the numbers of an RSA key belong together takes as long as a hundred finds.
internal final class DeferredKey: Sendable {
    private enum State: Sendable {
        case unread(SecretValue)
        case read(LibraryHandle)
    }

    private let type: KeyType
    private let part: KeyPart
    private let state: ForkSafeMutex<State>

    internal init(_ type: KeyType, _ part: KeyPart, _ representation: SecretValue) {
        self.type = type
        self.part = part
        state = ForkSafeMutex(.unread(representation))
    }

    /// OpenSSL's key; throws what reading it throws, every time.
    internal func handle() throws(KeyError) -> LibraryHandle {
        try state.withLock { (state) throws(KeyError) in
            switch state {
            case .read(let handle): return handle
            case .unread(let representation):
                let handle = try unsafe representation.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(type, part, representation: bytes).handle()
                }
                state = .read(handle)
                return handle
            }
        }
    }
}

extension CryptoKey {
    /// The key in an item, which is read in full when it is first used.
    ///
    /// Throws `malformed` or `unsupportedKey` when the bytes cannot be such a key's.
    package convenience init(
        _ type: KeyType, _ part: KeyPart, ofItem representation: SecretValue
    ) throws(KeyError) {
        if type == .aes {
            let key = try unsafe representation.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe CryptoKey(type, part, representation: bytes)
            }
            self.init(copying: key)
            return
        }
        let outline = try unsafe representation.withUnsafeBytes { (bytes) throws(KeyError) in
            try unsafe KeyOutline(type, part, bytes)
        }
        self.init(
            type, part, bits: outline.bits, publicRepresentation: outline.publicRepresentation,
            material: .deferred(DeferredKey(type, part, representation)))
    }
}
