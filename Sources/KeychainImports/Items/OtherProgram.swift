// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel

/// A program that opens what is sealed in a way that is not ours to open.
package enum OtherProgram: String, Hashable, Sendable {
    case gpg
    case keepassxc = "keepassxc-cli"

    /// How one run of it ended.
    internal enum Outcome {
        case text(ImportedBytes)
        case failed(Int32)
        case tooLong
    }

    /// What one run of it prints: read over a socket into memory that is wiped.
    ///
    /// What it complains of goes nowhere. `words` begin with its path. `lines` are all that it can read from its standard input, which is that socket, too. A run that
    /// takes longer than `seconds` is ended.
    internal static func output(
        of program: OtherProgram, _ words: [String], _ environment: [String], lines: [Passcode] = [],
        limit: Int, seconds: Int
    ) throws(ImportError) -> Outcome {
        var run = try ProgramRun(program, words, environment, seconds)
        for line in lines { try run.send(line) }
        run.hangUp()
        return try run.read(limit: limit)
    }
}

/// A program that runs.
private struct ProgramRun {
    private var child = llv_child()
    private let program: OtherProgram
    private let deadline: Int64

    init(
        _ program: OtherProgram, _ words: [String], _ environment: [String], _ seconds: Int
    ) throws(ImportError) {
        self.program = program
        deadline = ProgramRun.now() + Int64(seconds) * 1000
        let failure = unsafe ProgramRun.withCStrings(words) { arguments in
            unsafe ProgramRun.withCStrings(environment) { variables in
                unsafe llv_child_start(&child, words.first ?? "", arguments, variables, false)
            }
        }
        guard failure == 0 else { throw .notStarted(program, errno: failure) }
    }

    /// Sends a line.
    ///
    /// A program that has hung up says by its end why.
    mutating func send(_ line: Passcode) throws(ImportError) {
        let whole = unsafe line.bytes.withUnsafeBytes { line in
            unsafe SecretBytes(count: line.count + 1) { output in
                unsafe output.copyMemory(from: line)
                unsafe output[line.count] = ASCII.newline
            }
        }
        var sent = 0
        while sent < whole.count {
            try wait(for: POLLOUT)
            let line = child.line
            let count = unsafe whole.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe Glibc.send(line, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Says that there is no more to read.
    func hangUp() { shutdown(child.line, Int32(SHUT_WR)) }

    mutating func read(limit: Int) throws(ImportError) -> OtherProgram.Outcome {
        var used = 0
        var room = unsafe SecretBytes(count: 4096) { _ in }
        while true {
            if used == room.count {
                guard room.count < limit else {
                    _ = unsafe llv_child_end(&child, 0, 500)
                    return .tooLong
                }
                room = ProgramRun.larger(room)
            }
            let count = try receive(into: room, at: used)
            if count == 0 { break }
            used += count
        }
        let ending = unsafe llv_child_end(&child, 10_000, 500)
        // Output of one that failed may be incomplete.
        guard ending.is_known, ending.exit_code == 0 else { return .failed(ending.exit_code) }
        return unsafe .text(
            room.withUnsafeBytes { bytes in
                unsafe ImportedBytes(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<used])))
            })
    }

    private mutating func wait(for event: Int32) throws(ImportError) {
        while true {
            let left = deadline - ProgramRun.now()
            var awaited = pollfd(fd: child.line, events: Int16(event), revents: 0)
            let ready = left <= 0 ? 0 : unsafe poll(&awaited, 1, Int32(clamping: left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                _ = unsafe llv_child_end(&child, 0, 500)
                throw .hangs(program)
            }
            return
        }
    }

    /// Waits for bytes and appends them; 0 at the end.
    private mutating func receive(into room: borrowing SecretBytes, at used: Int) throws(ImportError) -> Int {
        while true {
            try wait(for: POLLIN)
            let line = child.line
            let count = unsafe room.withUnsafeBytes { bytes in
                // The memory is not shared yet.
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
