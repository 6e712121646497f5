// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainCrypto

/// Sixteen random bytes that a peer sends back, so that what it sent before is known to be older.
struct Nonce: Sendable {
    let bytes: [UInt8]

    init() throws(PeerError) {
        do throws(CryptoError) {
            bytes = try unsafe [UInt8](count: Nonce.size) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            }
        } catch { throw .system(EAGAIN) }
    }

    /// Whether these bytes are it, in a time that does not depend on them.
    func matches(_ answer: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.lendingBytes { unsafe isEqualInConstantTime($0, answer) }
    }

    func send(over socket: Int32) throws(PeerError) {
        try Nonce.send(bytes, over: socket)
    }

    static func send(_ bytes: [UInt8], over socket: Int32) throws(PeerError) {
        let failure = unsafe bytes.lendingBytes { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -EINVAL }
            // The first packet of a connection always finds room.
            return unsafe llv_peer_send(socket, start, bytes.count, false)
        }
        guard failure == 0 else { throw PeerError(connection: failure) }
    }

    static let size = 16
}
