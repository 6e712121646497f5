// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The keys of seals that were opened under what one context has, so that the next reading need not agree on them again.
///
/// It goes when what is shown changes, with everything in it.
package final class OpenedSeals: Sendable {
    private struct Opened: Sendable {
        let way: Int
        let key: SealKey
    }

    private let opened = ForkSafeMutex<[[UInt8]: Opened]>([:])

    package init() {}

    /// The key of a seal, and the number of the way it was opened by.
    func key(of seal: [UInt8]) -> (way: Int, key: SealKey)? {
        opened.withLock { $0[seal] }.map { ($0.way, $0.key) }
    }

    func keep(_ key: SealKey, of seal: [UInt8], by way: Int) {
        opened.withLock { opened in
            if opened.count >= OpenedSeals.most { opened = [:] }
            opened[seal] = Opened(way: way, key: key)
        }
    }

    /// More than a program reads again and again.
    private static let most = 256
}

/// What one seal's content is encrypted with.
final class SealKey: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
