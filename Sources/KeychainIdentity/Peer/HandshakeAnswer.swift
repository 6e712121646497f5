// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// The client's side of `Handshake`.
package enum HandshakeAnswer {
    /// Waits for the nonce, at most so many milliseconds, and sends it back.
    ///
    /// It comes before anything else: what was sent earlier is dropped unread. Whether the server may be spoken to is
    /// to be asked first (`ServerIdentity`).
    package static func give(over socket: OwnedDescriptor, milliseconds: Int32) throws(PeerError) {
        let deadline = Deadline(milliseconds: milliseconds)
        var nonce = [UInt8](repeating: 0, count: Nonce.size + 1)
        var packet = llv_peer_packet()
        while true {
            let count = unsafe llv_peer_receive(socket.number, &nonce, Nonce.size + 1, false, &packet)
            if count == -Int64(EAGAIN) {
                try deadline.wait(for: socket)
                continue
            }
            guard count >= 0 else { throw PeerError(connection: Int32(count)) }
            guard count > 0 else { throw .hungUp }
            guard !packet.carried_descriptors else { throw .descriptorsPassed }
            guard count == Int64(Nonce.size) else { throw .malformed }
            return try Nonce.send(Array(nonce.prefix(Nonce.size)), over: socket.number)
        }
    }
}
