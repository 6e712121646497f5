// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connection to a daemon that is made by hand, for what no client of ours would do.
// Sendable: only its number is kept, which the system guards.
final class RawClient: @unchecked Sendable {
    let socket: Int32

    /// Connects; nil when nobody listens.
    init?(_ path: String) {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let connected = RawClient.withAddress(path) { connect(socket, $0, $1) }
        if connected != 0 { return nil }
    }

    init(taking socket: Int32) { self.socket = socket }

    deinit { close(socket) }

    /// Sends the daemon's first packet back.
    func greet() -> Bool {
        guard let nonce = receive() else { return false }
        return send(nonce)
    }

    func send(_ packet: [UInt8]) -> Bool {
        Glibc.send(socket, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count
    }

    /// Sends it if there is room for it.
    func sendNow(_ packet: [UInt8]) -> Bool {
        Glibc.send(socket, packet, packet.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == packet.count
    }

    /// The next packet; nil at the end.
    func receive() -> [UInt8]? {
        var packet = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &packet, packet.count, 0)
        return count > 0 ? Array(packet.prefix(count)) : nil
    }

    /// A socket that listens at a path.
    static func listen(_ path: String) throws(WrongResult) -> RawClient {
        let file = Glibc.socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bound = withAddress(path) { bind(file, $0, $1) }
        try WrongResult.unless(bound == 0 && Glibc.listen(file, 16) == 0, "nobody can listen at \(path)")
        return RawClient(taking: file)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
