// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// A pinentry that runs, and the lines that go to and fro.
///
/// It is another's program: it may say anything, for ever, or nothing, and is gone when this goes.
// Not shared: one question has one, and its thread alone speaks to it.
final class PinentryProcess {
    private var child: llv_child
    /// How it has ended, once it has.
    private(set) var ending: llv_child_ending?
    // Locked from the beginning: any line can have the answer in it.
    private var input = SecretBuffer(capacity: 1024)

    /// What it said to one command.
    enum Reply: Equatable {
        case ok(isRepeated: Bool)
        case error(code: UInt32)
    }

    init(_ program: String, environment: PromptEnvironment) throws(PromptError) {
        child = llv_child()
        let words = [program]
        let failure = unsafe PinentryProcess.withCStrings(words) { words in
            unsafe PinentryProcess.withCStrings(environment.forDialogs) { variables in
                unsafe llv_child_start(&child, program, words, variables, environment.isPrivileged)
            }
        }
        guard failure == 0 else { throw .notAvailable("the pinentry program cannot be started") }
    }

    deinit { end() }

    /// Ends it, if it has not ended by itself, without a noticeable wait.
    @discardableResult
    func end(deadline: Int32 = 0) -> llv_child_ending {
        // SIGTERM comes first, upon which one that uses the terminal leaves it as it was.
        if let ending { return ending }
        let ending = unsafe llv_child_end(&child, deadline, 500)
        self.ending = ending
        return ending
    }

    /// Sends a line, with nothing in it that is secret.
    func send(_ text: AssuanText, _ deadline: borrowing Deadline, until moment: Instant) throws(PromptError) {
        var rest = text.bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(child.line, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else {
                // When it has hung up, its last words and its end say why.
                guard sent < 0, errno == EAGAIN || errno == EINTR else { return }
                try wait(POLLOUT, deadline, until: moment)
            }
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
            try wait(POLLIN, deadline, until: moment)
            let file = child.line
            let count = unsafe input.append { room in unsafe recv(file, room.baseAddress, room.count, 0) }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { throw hungUp() }
        }
    }

    private func wait(_ events: Int32, _ deadline: borrowing Deadline, until moment: Instant) throws(PromptError) {
        let isReady = try PromptError.translating { () throws(WaitFailure) in
            try deadline.wait(for: child.line, events, until: moment)
        }
        guard isReady else { throw .failed("pinentry did not answer", code: 0) }
    }

    private func hungUp() -> PromptError {
        let ending = end(deadline: 1000)
        return .failed("pinentry ended without an answer", code: max(0, ending.exit_code, ending.signal))
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        return unsafe body(copies + [nil])
    }

    static let nonsense = PromptError.failed("pinentry sent an invalid answer", code: 0)
    /// More than any says to one command.
    private static let mostLines = 40
}

@available(*, unavailable)
extension PinentryProcess: Sendable {}
