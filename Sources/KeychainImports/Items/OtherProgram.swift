// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// A program that opens what is sealed in a way that is not ours to open.
package enum OtherProgram: String, Hashable, Sendable {
    case gpg
    case keepassxc = "keepassxc-cli"

    /// What became of a question for a passphrase, as gpg's status lines say it.
    internal enum Answer {
        case notAsked
        case notGiven
    }

    /// How one run of it ended.
    internal enum Outcome {
        case text(ImportedBytes)
        /// With what it complained of first, where that was to be kept.
        case failed(Int32, why: String, Answer)
        case tooLong
    }

    /// What one run of it prints: read over a socket into memory that is wiped.
    ///
    /// What it complains of goes nowhere, but with `saysWhy` the first line. `words` begin with its path. `lines` are all that it can read from its standard input, which is that socket, too. A run that
    /// takes longer than `seconds` is ended.
    internal static func output(
        of program: OtherProgram, _ words: [String], _ environment: [String], lines: [Passcode] = [],
        limit: Int, seconds: Int, saysWhy: Bool = false
    ) throws(ImportError) -> Outcome {
        let run = try ProgramRun(program, words, environment, seconds, saysWhy: saysWhy)
        for line in lines { try run.send(line) }
        run.child.finishInput()
        return try run.read(limit: limit)
    }
}

/// A program that runs.
private struct ProgramRun: ~Copyable {
    let child: ChildProgram
    private let program: OtherProgram
    private let deadline: Deadline

    init(
        _ program: OtherProgram, _ words: [String], _ environment: [String], _ seconds: Int, saysWhy: Bool
    ) throws(ImportError) {
        let deadline = try ProgramRun.deadline(of: program, seconds)
        let child = try ProgramRun.started(program, words, environment, saysWhy)
        (self.program, self.child) = (program, child)
        self.deadline = deadline
    }

    private static func started(
        _ program: OtherProgram, _ words: [String], _ environment: [String], _ saysWhy: Bool
    ) throws(ImportError) -> ChildProgram {
        do throws(ChildProgram.StartFailure) {
            return try ChildProgram(
                words.first ?? "", words, environment: environment, keepsComplaints: saysWhy)
        } catch { throw .notStarted(program, errno: error.code) }
    }

    private static func deadline(of program: OtherProgram, _ seconds: Int) throws(ImportError) -> Deadline {
        do throws(WaitFailure) { return try Deadline(seconds: UInt32(clamping: seconds), Cancellation()) } catch {
            throw failure(of: program, error)
        }
    }

    /// Sends a line.
    func send(_ line: Passcode) throws(ImportError) {
        let whole = unsafe line.bytes.withUnsafeBytes { line in
            unsafe SecretBytes(count: line.count + 1) { output in
                unsafe output.copyMemory(from: line)
                unsafe output[line.count] = ASCII.newline
            }
        }
        do throws(WaitFailure) {
            _ = try unsafe whole.withUnsafeBytes { (bytes) throws(WaitFailure) in
                try unsafe child.send(bytes, deadline, until: deadline.end)
            }
        } catch { throw ProgramRun.failure(of: program, error) }
    }

    func read(limit: Int) throws(ImportError) -> OtherProgram.Outcome {
        var used = 0
        var room = unsafe SecretBytes(count: 4096) { _ in }
        while true {
            if used == room.count {
                guard room.count < limit else { return .tooLong }
                room = ProgramRun.larger(room)
            }
            let count = try receive(into: room, at: used)
            if count == 0 { break }
            used += count
        }
        // Output of one that failed may be incomplete.
        let ending = child.end(within: 10_000)
        guard ending.code == 0 else { return .failed(ending.code ?? -1, why: complaint, answer) }
        return unsafe .text(
            room.withUnsafeBytes { bytes in
                unsafe ImportedBytes(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<used])))
            })
    }

    /// The first line that it wrote on its standard error: without its name, and without lines that the next one goes on with,
    /// which say for whom something is encrypted.
    private var complaint: String {
        let lines = written.filter { !$0.hasPrefix(ProgramRun.status) }
        let isBegun = lines.indices.map { $0 + 1 < lines.endIndex && lines[$0 + 1].first == " " }
        guard let line = zip(lines, isBegun).first(where: { !$1 && $0.first != " " })?.0 else { return "" }
        let name = "\(program.rawValue): "
        return String(line.hasPrefix(name) ? line.dropFirst(name.count) : line)
    }

    /// Who gave the passphrase, and whose file is damaged, is told of the key; a question behind which no key comes had no answer.
    private var answer: OtherProgram.Answer {
        let words = written.filter { $0.hasPrefix(ProgramRun.status) }.compactMap {
            $0.dropFirst(ProgramRun.status.count).split(separator: " ").first
        }
        guard words.contains("PINENTRY_LAUNCHED") else { return .notAsked }
        return words.contains("DECRYPTION_KEY") || words.contains("DECRYPTION_INFO") ? .notAsked : .notGiven
    }

    private var written: [Substring] { child.complaints(bytes: 1 << 16).split(separator: "\n") }

    private static let status = "[GNUPG:] "

    /// Waits for bytes and appends them; 0 at the end.
    private func receive(into room: borrowing SecretBytes, at used: Int) throws(ImportError) -> Int {
        while true {
            do throws(WaitFailure) { _ = try child.waitForWords(deadline, until: deadline.end) } catch {
                throw ProgramRun.failure(of: program, error)
            }
            let count = unsafe room.withUnsafeBytes { bytes in
                // The memory is not shared yet.
                let rest = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
                return unsafe child.receive(into: UnsafeMutableRawBufferPointer(rebasing: rest[used...]))
            }
            if count >= 0 { return count }
        }
    }

    private static func failure(of program: OtherProgram, _ wait: WaitFailure) -> ImportError {
        switch wait {
        case .failed(let code): .notStarted(program, errno: code)
        case .timedOut, .cancelled: .hangs(program)
        }
    }

    private static func larger(_ room: borrowing SecretBytes) -> SecretBytes {
        unsafe SecretBytes(count: room.count * 2) { output in
            unsafe room.withUnsafeBytes { bytes in unsafe output.copyMemory(from: bytes) }
        }
    }
}
