// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

extension FingerprintScene {
    /// Enrolls a finger: whose it is, is the print that the reader will be shown.
    package func enroll(_ finger: String, print: String) throws {
        let enrolling = Errand { [self] in
            Result { try run(["/usr/bin/fprintd-enroll", "-f", finger, FingerprintScene.user]) }
        }
        // The virtual reader wants as many stages as it says, and keeps what it is shown too early.
        for _ in 0..<5 { try show("SCAN \(print)") }
        _ = try enrolling.result().get()
    }

    package func deleteFingers() throws { try run(["/usr/bin/fprintd-delete", FingerprintScene.user]) }

    /// Puts a finger on the reader, or tells it something else; waits for it to be opened.
    package func show(_ instruction: String) throws {
        try FingerprintScene.repeating { VirtualReader.tell(folder + "/reader", instruction) }
    }

    /// Ends fprintd as a crash does.
    package func killService() throws {
        let answer = try send(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID",
            "string:net.reactivated.Fprint")
        guard let pid = answer.split(separator: " ").compactMap({ pid_t($0.trimmingCharacters(in: .newlines)) }).last
        else { throw Trouble("no process number: \(answer)") }
        kill(pid, SIGKILL)
    }

    /// Says to everybody on the bus, one by one, that a finger was recognized, as somebody who is not fprintd.
    package func pretendMatch() throws {
        let names = try send(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
        for name in names.split(separator: " ").filter({ $0.hasPrefix(":") }) {
            // A signal to one is delivered whatever that one listens to.
            try run([
                "/usr/bin/dbus-send", "--bus=\(address)", "--type=signal",
                "--dest=\(name.trimmingCharacters(in: .newlines))",
                "/net/reactivated/Fprint/Device/0", "net.reactivated.Fprint.Device.VerifyStatus",
                "string:verify-match", "boolean:true",
            ])
        }
    }

    /// Who runs the tests, which fprintd takes for whom it is about.
    static let user = NSUserName()
}

/// The socket of libfprint's virtual reader.
enum VirtualReader {
    static func tell(_ path: String, _ instruction: String) -> Bool {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let joined = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        let bytes = Array(instruction.utf8)
        guard joined, send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return false }
        // It hangs up when it has understood; a second connection before that would take the place of this one.
        var (awaited, byte) = (pollfd(fd: file, events: Int16(POLLIN), revents: 0), UInt8(0))
        return poll(&awaited, 1, 5000) == 1 && read(file, &byte, 1) == 0
    }
}
