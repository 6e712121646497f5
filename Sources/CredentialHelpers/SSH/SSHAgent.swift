// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel
internal import KeychainTools

/// A connection to the running ssh-agent (draft-miller-ssh-agent).
final class SSHAgent {
    private let socket: Int32

    /// How long it keeps a key, and whether it asks each time.
    struct Terms {
        var seconds: UInt32?
        var confirms = false
    }

    /// The agent that the environment names.
    init() throws(CommandError) {
        guard let path = Environment.current()["SSH_AUTH_SOCK"] else {
            throw .failure("SSH_AUTH_SOCK is not set, so no ssh-agent is known; `eval $(ssh-agent)` starts one")
        }
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .failure("a socket cannot be made (\(errno))") }
        // For an agent that hangs; the agent needs no prompt to answer these requests.
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(socket, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { throw .failure("SSH_AUTH_SOCK is too long for a socket path") }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            throw .failure("no ssh-agent answers at SSH_AUTH_SOCK (\(errno)); `eval $(ssh-agent)` starts one")
        }
    }

    deinit { close(socket) }

    /// The public keys that the agent has.
    func keys() throws(CommandError) -> [SecretValue] {
        var reader = SSHReader(try ask([SecretValue(copying: [11])]))
        do throws(SSHError) {
            guard try reader.byte() == 12 else { throw SSHError.malformed }
            var keys: [SecretValue] = []
            for _ in 0..<(try reader.number()) {
                keys.append(try reader.string())
                _ = try reader.string()
            }
            return keys
        } catch { throw .failure("the ssh-agent sent an unexpected reply") }
    }

    func add(_ key: SSHKey, _ terms: Terms) throws(CommandError) {
        let parts: [SecretValue]
        do throws(KeyError) { parts = try key.privateParts() } catch {
            throw .failure("the key \(key.label) cannot be encoded for an agent")
        }
        var constraints: [SecretValue] = []
        if let seconds = terms.seconds { constraints += [SecretValue(copying: [1]), SSHBytes.number(seconds)] }
        if terms.confirms { constraints.append(SecretValue(copying: [2])) }
        let kind: UInt8 = constraints.isEmpty ? 17 : 25
        guard try succeeds([SecretValue(copying: [kind])] + parts + constraints) else {
            throw .failure("the ssh-agent refused to add the key \(key.label)")
        }
    }

    func remove(_ key: SSHKey) throws(CommandError) {
        guard try succeeds([SecretValue(copying: [18]), SSHBytes.string(key.publicBlob)]) else {
            throw .failure("the ssh-agent refused to remove the key \(key.label)")
        }
    }

    private func succeeds(_ parts: [SecretValue]) throws(CommandError) -> Bool {
        let answer = try ask(parts)
        return answer.count == 1 && answer.byte(at: 0) == 6
    }

    private func ask(_ parts: [SecretValue]) throws(CommandError) -> SecretValue {
        let message = SecretValue.joined(parts)
        try send(SSHBytes.string(message))
        var reader = SSHReader(try receive(4))
        let size = (try? reader.number()) ?? 0
        guard (1...SSHAgent.longestAnswer).contains(size) else {
            throw .failure("the ssh-agent sent a malformed reply")
        }
        return try receive(Int(size))
    }

    private func send(_ message: SecretValue) throws(CommandError) {
        try unsafe message.withUnsafeBytes { (bytes) throws(CommandError) in
            var count = 0
            while count < bytes.count {
                let place = unsafe bytes.baseAddress.map { unsafe $0 + count }
                let put = unsafe Glibc.send(socket, place, bytes.count - count, Int32(MSG_NOSIGNAL))
                if put < 0, errno == EINTR { continue }
                guard put > 0 else { throw .failure("the ssh-agent does not accept the request (\(errno))") }
                count += put
            }
        }
    }

    private func receive(_ size: Int) throws(CommandError) -> SecretValue {
        try unsafe SecretValue(count: size) { (buffer) throws(CommandError) in
            var count = 0
            while count < size {
                let got = unsafe recv(socket, buffer.baseAddress.map { unsafe $0 + count }, size - count, 0)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw .failure("the ssh-agent does not answer (\(got == 0 ? 0 : errno))") }
                count += got
            }
        }
    }

    private static let longestAnswer: UInt32 = 1 << 20
}
