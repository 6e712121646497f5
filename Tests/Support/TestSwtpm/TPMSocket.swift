// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A connection to an swtpm, which takes commands and gives answers as they are; or one from a client of such.
struct TPMSocket {
    private let file: Int32

    /// Tries for `timeout` seconds.
    init(path: String, timeout: Double) throws {
        let end = Date(timeIntervalSinceNow: timeout)
        while true {
            if let file = TPMSocket.open(path, connect) {
                self.file = file
                return
            }
            guard Date() < end else { throw POSIXError(.ETIMEDOUT) }
            usleep(2000)
        }
    }

    /// One that is there already, or something else that can be read and written.
    init(descriptor: Int32) { file = descriptor }

    /// Ends the connection, even if a child of another test has inherited it.
    func close() {
        shutdown(file, Int32(SHUT_RDWR))
        Glibc.close(file)
    }

    func exchange(_ command: [UInt8]) throws -> [UInt8] {
        try send(command)
        return try receive()
    }

    func send(_ bytes: [UInt8]) throws {
        var count = Glibc.send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if count < 0, errno == ENOTSOCK { count = write(file, bytes, bytes.count) }
        guard count == bytes.count else { throw POSIXError(.EPIPE) }
    }

    /// One command or answer, which says in its header how long it is.
    func receive() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 10 || bytes.count < bytes[2..<6].reduce(0, { $0 << 8 | Int($1) }) {
            var part = [UInt8](repeating: 0, count: 4096)
            let count = read(file, &part, part.count)
            guard count > 0 else { throw POSIXError(.EPIPE) }
            bytes += part.prefix(count)
        }
        return bytes
    }

    static func listen(_ path: String) throws -> Int32 {
        guard let file = open(path, bind), Glibc.listen(file, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
        return file
    }

    static func accept(_ listener: Int32) -> TPMSocket? {
        let file = Glibc.accept(listener, nil, nil)
        return file < 0 ? nil : TPMSocket(descriptor: file)
    }

    private static func open(
        _ path: String, _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32? {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count < place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        let joined =
            fits
            && withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    join(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
        if joined { return file }
        Glibc.close(file)
        return nil
    }
}
