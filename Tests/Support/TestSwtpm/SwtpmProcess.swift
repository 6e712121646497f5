// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
internal import TestProcesses

/// A TPM 2.0 of a test's own: an swtpm process with its state in a folder that goes away with it.
///
/// It serves one client at a time.
package final class SwtpmProcess: Sendable {
    /// Absolute: with a relative one swtpm fails at its first write.
    package let folder: String
    /// What names the TPM to tpm2-tss, and to the enclave.
    package var connection: String { "swtpm:path=" + socket }

    package var socket: String { folder + "/tpm" }

    private let running = Mutex<Guardian?>(nil)

    package static var isInstalled: Bool {
        ["/usr/bin/swtpm", "/usr/local/bin/swtpm"].contains { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A new TPM, started.
    package init() throws {
        var template = Array("/tmp/llavero-swtpm-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: false)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it with the state it had; returns when it takes connections.
    package func start() throws {
        try running.withLock { running in
            guard running == nil else { return }
            for path in [socket, socket + ".ctrl"] { try? FileManager.default.removeItem(atPath: path) }
            let guardian = try Guardian(
                [
                    "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder)/state",
                    "--server", "type=unixio,path=\(socket)", "--ctrl", "type=unixio,path=\(socket).ctrl",
                    "--flags", "not-need-init,startup-clear",
                ], output: folder + "/log")
            try TPMSocket(path: socket, timeout: EventLimit.seconds).close()
            running = guardian
        }
    }

    /// Ends it as a machine that is switched off in order: it is told before.
    package func stop() throws {
        try shutdown()
        kill()
    }

    /// Ends it as a power cut does.
    ///
    /// A TPM takes that for a failed guess, if an object was in use that counts them.
    package func kill() {
        running.withLock { $0 = nil }
    }

    /// Stops and starts it; with `clear`, as a machine whose owner has cleared the TPM in its firmware.
    package func restart(clear: Bool = false) throws {
        try stop()
        try start()
        if clear { try self.clear() }
    }

    /// Lets it freeze, so that it answers nobody, and thaw.
    package func freeze() { running.withLock { $0?.send("STOP") } }
    package func thaw() { running.withLock { $0?.send("CONT") } }

    /// TPM2_Shutdown(CLEAR).
    package func shutdown() throws {
        try succeed([0x80, 0x01, 0, 0, 0, 12, 0, 0, 0x01, 0x45, 0, 0])
    }

    /// TPM2_Clear, in the name of the lockout, which has no password: a new storage seed.
    package func clear() throws {
        try succeed(
            [0x80, 0x02, 0, 0, 0, 27, 0, 0, 0x01, 0x26, 0x40, 0, 0, 0x0a, 0, 0, 0, 9]
                + [0x40, 0, 0, 9, 0, 0, 0, 0, 0])
    }

    /// Runs one of tpm2-tools on it, and returns what that printed; the words are the tool's name and its arguments.
    @discardableResult
    package func tool(_ words: String...) throws -> String {
        try TestProgram.run(words, environment: ["TPM2TOOLS_TCTI": connection, "TSS2_LOG": "all+NONE"], in: folder)
    }

    /// Sends one command as it is and returns the answer.
    package func command(_ bytes: [UInt8]) throws -> [UInt8] {
        let socket = try TPMSocket(path: socket, timeout: EventLimit.seconds)
        defer { socket.close() }
        return try socket.exchange(bytes)
    }

    /// The numbers of all NV indices, and of all transient objects and sessions that somebody has left.
    package func indices() throws -> [UInt32] { try handles(from: 0x0100_0000) }
    package func leftovers() throws -> [UInt32] {
        try handles(from: 0x8000_0000) + handles(from: 0x0200_0000) + handles(from: 0x0300_0000)
    }

    private func handles(from first: UInt32) throws -> [UInt32] {
        let answer = try command(
            [0x80, 0x01, 0, 0, 0, 22, 0, 0, 0x01, 0x7a, 0, 0, 0, 1]
                + (0..<4).map { UInt8(truncatingIfNeeded: first >> UInt32(24 - 8 * $0)) } + [0, 0, 0, 64])
        guard answer.count >= 19 else { throw POSIXError(.EPROTO) }
        return stride(from: 19, to: answer.count, by: 4).map { start in
            answer[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private func succeed(_ bytes: [UInt8]) throws {
        let answer = try command(bytes)
        guard answer.count >= 10, answer[6..<10].allSatisfy({ $0 == 0 }) else { throw POSIXError(.EPROTO) }
    }
}
