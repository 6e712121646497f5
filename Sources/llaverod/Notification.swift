// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What the service manager is told.
enum Notification {
    /// Says it where somebody wants to know; nothing else happens.
    static func send(_ text: String) {
        guard let name = unsafe getenv("NOTIFY_SOCKET") else { return }
        var path = unsafe Array(String(cString: name).utf8)
        // A socket without a file is written with an at sign, and meant with a NUL.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        defer { close(file) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let words = Array(text.utf8)
        _ = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(file, words, words.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }
}
