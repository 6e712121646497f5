// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// What a socket gave when it was asked for the next packet.
enum Packet {
    /// So many bytes from this sender.
    case bytes(Int, from: llv_peer_credentials)
    /// Nothing is there now.
    case none
    case hungUp

    /// The next packet, written to `buffer`.
    ///
    /// Throws for one that no honest client sends, whoever sent it. Of one that is longer than `buffer` the rest is
    /// lost, which only who drops it may allow.
    init(
        from socket: Int32, into buffer: UnsafeMutableRawBufferPointer, waits: Bool, allowsLonger: Bool = false
    ) throws(PeerError) {
        guard let start = buffer.baseAddress else { throw .malformed }
        var packet = llv_peer_packet()
        let count = unsafe llv_peer_receive(socket, start, buffer.count, waits, &packet)
        guard count >= 0 else {
            switch Int32(count) {
            case -EAGAIN: self = .none
            case -ECONNRESET: self = .hungUp
            default: throw .system(Int32(-count))
            }
            return
        }
        guard !packet.carried_descriptors else { throw .descriptorsPassed }
        guard packet.has_sender else {
            // The kernel names a sender of each packet, of an empty one too; and nobody of the end.
            guard count == 0 else { throw .foreignSender }
            self = .hungUp
            return
        }
        guard allowsLonger || !packet.is_truncated else { throw .malformed }
        self = .bytes(Int(count), from: packet.sender)
    }
}
