// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

/// A pinentry that runs, and the lines that go to and fro.
///
/// It is another's program: it may say anything, for ever, or nothing, and is gone when this goes.
// Not shared: one question has one, and its thread alone speaks to it.
final class PinentryProcess {
    private let child: ChildProgram
    // Locked from the beginning: any line can have the answer in it.
    private var input = SecretBuffer(capacity: 1024)

    /// What it said to one command.
    enum Reply: Equatable {
        case ok(isRepeated: Bool)
        case error(code: UInt32)
    }

    init(_ program: String, environment: PromptEnvironment) throws(PromptError) {
        do throws(ChildProgram.StartFailure) {
            child = try ChildProgram(
                program, [program], environment: environment.forDialogs, dropsPrivileges: environment.isPrivileged)
        } catch { throw .notAvailable("the pinentry program cannot be started") }
    }

    /// How it has ended, once it has.
    var ending: ChildProgram.Ending? { child.ending }

    /// Ends it, if it has not ended by itself, without a noticeable wait.
    @discardableResult
    func end(within patience: Int32 = 0) -> ChildProgram.Ending { child.end(within: patience) }

    /// Sends a line, with nothing in it that is secret.
    func send(_ text: AssuanText, _ deadline: borrowing Deadline, until moment: Instant) throws(PromptError) {
        try answered { () throws(WaitFailure) in
            let sent = unsafe text.bytes.withUnsafeBytes { bytes -> Result<Bool, WaitFailure> in
                do throws(WaitFailure) { return .success(try unsafe child.send(bytes, deadline, until: moment)) } catch
                {
                    return .failure(error)
                }
            }
            return try sent.get()
        }
    }

    /// Waits for what it says to the last command, and adds the answer, if there is one, to `answer`.
    func reply(
        into answer: inout SecretBuffer, _ deadline: borrowing Deadline, until moment: Instant
    ) throws(PromptError) -> Reply {
        var isRepeated = false
        for _ in 0..<PinentryProcess.mostLines {
            switch try line(into: &answer, deadline, until: moment) {
            case .ok: return .ok(isRepeated: isRepeated)
            case .error(let code): return .error(code: code)
            case .repeated: isRepeated = true
            case .data, .other: continue
            case .excess: throw .tooLong
            case .malformed: throw PinentryProcess.nonsense
            }
        }
        throw PinentryProcess.nonsense
    }

    private func line(
        into answer: inout SecretBuffer, _ deadline: borrowing Deadline, until moment: Instant
    ) throws(PromptError) -> AssuanLine {
        while true {
            if let end = unsafe input.bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = unsafe AssuanLine(UnsafeRawBufferPointer(rebasing: input.bytes[..<end]), answer: &answer)
                input.removeFirst(end + 1)
                return line
            }
            guard input.count < input.capacity else { throw PinentryProcess.nonsense }
            try answered { () throws(WaitFailure) in try child.waitForWords(deadline, until: moment) }
            let count = unsafe input.append { room in unsafe child.receive(into: room) }
            if count == 0 { throw hungUp() }
        }
    }

    private func answered(_ wait: () throws(WaitFailure) -> Bool) throws(PromptError) {
        guard try PromptError.translating(wait) else { throw .failed("pinentry did not answer", code: 0) }
    }

    private func hungUp() -> PromptError {
        let ending = end(within: 1000)
        return .failed("pinentry ended without an answer", code: ending.code ?? ending.signal ?? 0)
    }

    static let nonsense = PromptError.failed("pinentry sent an invalid answer", code: 0)
    /// More than any says to one command.
    private static let mostLines = 40
}

@available(*, unavailable)
extension PinentryProcess: Sendable {}
