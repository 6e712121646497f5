// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A pipe with a name, over which a test and its helpers wait for one another.
package final class NamedPipe: Sendable {
    package let path: String
    private let file: Int32

    /// Makes it, and keeps both of its ends open: nobody who opens it waits, and no reader sees its end before `close`.
    package init(_ path: String) throws {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw Trouble("no pipe at \(path): \(errno)") }
        file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw Trouble("the pipe at \(path) does not open: \(errno)") }
    }

    deinit { Foundation.close(file) }

    /// Takes so many bytes that others send; throws when they do not come.
    package func take(_ count: Int = 1, within seconds: Double = EventLimit.seconds) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        for _ in 0..<count {
            var awaited = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard poll(&awaited, 1, Int32(max(0, end.timeIntervalSinceNow) * 1000)) == 1, read(file, &byte, 1) == 1
            else { throw Trouble("nobody has sent anything to \(path)") }
        }
    }

    /// Takes a line that others send, without its end; throws when none comes.
    package func line(within seconds: Double = EventLimit.seconds) throws -> String {
        let end = Date(timeIntervalSinceNow: seconds)
        var bytes: [UInt8] = []
        while true {
            var awaited = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard poll(&awaited, 1, Int32(max(0, end.timeIntervalSinceNow) * 1000)) == 1, read(file, &byte, 1) == 1
            else { throw Trouble("no line came to \(path) after \(bytes.count) bytes") }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// Sends bytes to whoever reads.
    package func send(_ bytes: [UInt8] = [0]) throws {
        guard write(file, bytes, bytes.count) == bytes.count else { throw Trouble("\(path) takes nothing: \(errno)") }
    }
}
