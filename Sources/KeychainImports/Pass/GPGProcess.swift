// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel

/// One run of gpg: what it decrypts comes over a socket into memory that is wiped.
///
/// It asks for a passphrase, if it needs one, through its own agent.
internal struct GPGProcess {
    private var child = llv_child()
    private let deadline: Int64

    internal enum Outcome {
        case text(ImportedBytes)
        case failed(Int32)
        case tooLong
    }

    internal static func decrypt(
        _ path: String, program: String, environment: [String], seconds: Int
    ) throws(ImportError) -> Outcome {
        var process = try GPGProcess(path, program, environment, seconds)
        return try process.read()
    }

    private init(_ path: String, _ program: String, _ environment: [String], _ seconds: Int) throws(ImportError) {
        deadline = GPGProcess.now() + Int64(seconds) * 1000
        // Nobody is asked anything over its stdin, and no trust is computed, which would write to the key ring's folder.
        let words = [program, "--batch", "--quiet", "--no-tty", "--no-auto-check-trustdb", "--decrypt", "--", path]
        let failure = unsafe GPGProcess.withCStrings(words) { words in
            unsafe GPGProcess.withCStrings(environment) { variables in
                unsafe llv_child_start(&child, program, words, variables, false)
            }
        }
        guard failure == 0 else { throw .noGPG(errno: failure) }
    }

    private mutating func read() throws(ImportError) -> Outcome {
        var used = 0
        var room = unsafe SecretBytes(count: 4096) { _ in }
        while true {
            if used == room.count {
                guard room.count < ImportLimits.largestPassEntry else {
                    _ = unsafe llv_child_end(&child, 0, 500)
                    return .tooLong
                }
                room = GPGProcess.larger(room)
            }
            let count = try receive(into: room, at: used)
            if count == 0 { break }
            used += count
        }
        let ending = unsafe llv_child_end(&child, 10_000, 500)
        // Whatever it has written before it failed is not what was encrypted.
        guard ending.is_known, ending.exit_code == 0 else { return .failed(ending.exit_code) }
        return unsafe .text(
            room.withUnsafeBytes { bytes in
                unsafe ImportedBytes(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<used])))
            })
    }

    /// Waits for bytes and puts them behind those that are there; 0 at the end.
    private mutating func receive(into room: borrowing SecretBytes, at used: Int) throws(ImportError) -> Int {
        while true {
            let left = deadline - GPGProcess.now()
            var awaited = pollfd(fd: child.line, events: Int16(POLLIN), revents: 0)
            let ready = left <= 0 ? 0 : unsafe poll(&awaited, 1, Int32(clamping: left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                _ = unsafe llv_child_end(&child, 0, 500)
                throw .gpgHangs
            }
            let line = child.line
            let count = unsafe room.withUnsafeBytes { bytes in
                // Nobody else has this memory yet.
                let rest = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
                return unsafe recv(line, rest.baseAddress.map { unsafe $0 + used }, bytes.count - used, 0)
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            return max(0, count)
        }
    }

    private static func larger(_ room: borrowing SecretBytes) -> SecretBytes {
        unsafe SecretBytes(count: room.count * 2) { output in
            unsafe room.withUnsafeBytes { bytes in unsafe output.copyMemory(from: bytes) }
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe body(copies + [nil])
    }
}
