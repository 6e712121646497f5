// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// What a service manager listens at, to know when a daemon serves.
final class ReadySocket {
    let path: String
    private let file: Int32

    init(_ path: String) throws {
        self.path = path
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, chmod(path, 0o777) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(file)
        unlink(path)
    }

    /// Waits until a daemon says that it serves.
    func awaitReady(within milliseconds: Int32 = EventLimit.milliseconds) throws {
        var word = [UInt8](repeating: 0, count: 256)
        while true {
            var line = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&line, 1, milliseconds) == 1 else { throw NotReady() }
            let count = recv(file, &word, word.count, 0)
            if String(decoding: word.prefix(max(0, count)), as: UTF8.self).hasPrefix("READY=1") { return }
        }
    }

    struct NotReady: Error {}
}
