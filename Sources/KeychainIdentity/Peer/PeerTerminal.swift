// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// The terminal where a program is used, as the kernel knows it.
package enum PeerTerminal {
    /// The path of a process's terminal, while the process is in its foreground; nil when it has none.
    ///
    /// The terminal has to belong to `user`: a process may have left it to another user.
    package static func inForeground(of process: Int32, user: UInt32) -> String? {
        guard let place = Device(ofProcess: process), let path = place.path else { return nil }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR, status.st_uid == user,
            status.st_rdev == place.device
        else { return nil }
        return path
    }

    /// What `/proc/PID/stat` says of the terminal.
    package struct Device: Equatable {
        let major: UInt64
        let minor: UInt64

        private init(number: UInt64) {
            major = number >> 8 & 0xFFF
            minor = number & 0xFF | number >> 12 & 0xFFF00
        }

        /// nil when there is no terminal, or others are in the foreground.
        package init?(stat line: String) {
            // The name of the program comes before, and may hold anything, also what makes one character of itself and the
            // bracket behind it: so byte by byte.
            let bytes = line.utf8
            guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = bytes[bytes.index(after: end)...].split(separator: UInt8(ascii: " "))
            let field = { (index: Int) in String(fields[index]).flatMap { Int32($0) } }
            guard fields.count > 5, let group = field(2), let number = field(4), number != 0,
                let foreground = field(5), foreground == group
            else { return nil }
            self.init(number: UInt64(UInt32(bitPattern: number)))
        }

        init?(ofProcess process: Int32) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe llv_peer_read_process_file(process, "stat", &bytes, bytes.count)
            guard count > 0 else { return nil }
            self.init(stat: String(decoding: bytes[..<Int(count)], as: UTF8.self))
        }

        var device: UInt64 { (minor & 0xFF) | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 }

        /// Where such a device is: pseudo-terminals, consoles, serial lines.
        package var path: String? {
            switch major {
            case 136...143: "/dev/pts/\((major - 136) << 20 | minor)"
            case 4 where minor < 64: "/dev/tty\(minor)"
            case 4: "/dev/ttyS\(minor - 64)"
            default: nil
            }
        }
    }
}
