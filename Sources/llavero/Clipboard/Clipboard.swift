// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// The clipboard that `llavero copy` writes to.
enum Clipboard {
    /// A program holds the text as long as it runs; when it ends, only that text is gone.
    case program([String])
    /// The terminal's clipboard, also over ssh; the terminal sends no reply.
    case terminal

    /// The clipboard that is available; nil without one.
    static func here() -> Clipboard? {
        if ProgramSearch.variable("WAYLAND_DISPLAY") != nil, let path = ProgramSearch.path(of: "wl-copy") {
            return .program([path, "--foreground"])
        }
        if ProgramSearch.variable("DISPLAY") != nil {
            if let path = ProgramSearch.path(of: "xclip") {
                return .program([path, "-quiet", "-selection", "clipboard", "-in"])
            }
            if let path = ProgramSearch.path(of: "xsel") {
                return .program([path, "--nodetach", "--clipboard", "--input"])
            }
        }
        return Screen.output.isTerminal || Screen.complaints.isTerminal ? .terminal : nil
    }

    /// The escape sequence that sets a terminal's clipboard (OSC 52).
    static func escape(_ secret: SecretValue) -> SecretValue {
        let (head, tail) = (Array("\u{1B}]52;c;".utf8), Array("\u{07}".utf8))
        let text = secret.base64()
        return unsafe text.withUnsafeBytes { bytes in
            unsafe SecretValue(count: head.count + bytes.count + tail.count) { output in
                unsafe output.copyBytes(from: head)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyMemory(from: bytes)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[(head.count + bytes.count)...])
                    .copyBytes(from: tail)
            }
        }
    }

    /// The terminal that receives the escape sequence.
    static var screen: Int32 { isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO }
}

/// The process that `llavero copy` leaves running: it starts the clipboard program, and ends it after the given time.
enum ClipboardKeeperVerb: Verb {
    static let name = "clipboard-keeper"
    static let summary = "keeps a secret in the clipboard for some time; `llavero copy` starts it"
    static let help = """
        usage: llavero clipboard-keeper --seconds N [PROGRAM ARGUMENT…]

        Reads a secret, lets the program offer it for the given time, and prints whether that started. Without a program it clears
        the terminal's clipboard after that time.

          --seconds N   how many seconds
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let seconds = try options.number("--seconds", in: 1...3600, "a number from 1 to 3600") ?? 45
        signal(SIGPIPE, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        var endings = sigset_t()
        unsafe sigemptyset(&endings)
        unsafe sigaddset(&endings, SIGCHLD)
        unsafe sigprocmask(SIG_BLOCK, &endings, nil)
        guard !options.operands.isEmpty else {
            wait(&endings, timespec(tv_sec: seconds, tv_nsec: 0))
            let escape = Array("\u{1B}]52;c;\u{07}".utf8)
            _ = unsafe write(STDOUT_FILENO, escape, escape.count)
            return
        }
        let line = try ChildProcess.line()
        // Started before the secret is read, so that no copy of it is inherited; it ends with this process, even if that is killed.
        let program = try ChildProcess(dependent: options.operands, input: line.reading)
        close(line.reading)
        guard try handOver(to: line.writing) else {
            // The program may have ended, or may not read.
            kill(program.number, SIGKILL)
            _ = program.ending(waits: true)
            throw refused
        }
        close(line.writing)
        // A program without a display ends at once.
        wait(&endings, timespec(tv_sec: 0, tv_nsec: 300_000_000))
        let ending = program.ending(waits: false)
        if let ending, ending != 0 { throw refused }
        print("ready")
        fflush(nil)
        close(STDOUT_FILENO)
        // Something else was copied already; the process number may belong to another process by now.
        if ending != nil { return }
        wait(&endings, timespec(tv_sec: seconds, tv_nsec: 0))
        kill(program.number, SIGTERM)
        _ = program.ending(waits: true)
    }

    private static let refused = CommandError.failure("the clipboard did not accept the secret")

    /// Whether the secret was written; this process has no copy of it any more when this returns.
    private static func handOver(to descriptor: Int32) throws(CommandError) -> Bool {
        hand(try SecretInput.all(from: 0, line: false), to: descriptor)
    }

    /// Writes all of it, within a limit of seconds.
    private static func hand(_ secret: SecretValue, to descriptor: Int32) -> Bool {
        let end = ContinuousClock.now + .seconds(patience)
        // Otherwise one write could block without limit.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return unsafe secret.withUnsafeBytes { bytes in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                let left = ContinuousClock.now.duration(to: end)
                guard left > .zero else { return false }
                var line = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard unsafe poll(&line, 1, Int32(left.components.seconds + 1) * 1000) >= 0 || errno == EINTR else {
                    return false
                }
                let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
                let count = unsafe write(descriptor, piece.baseAddress, piece.count)
                if count < 0, errno != EAGAIN, errno != EINTR { return false }
                unsafe rest = rest.dropFirst(max(0, count))
            }
            return true
        }
    }

    /// Seconds that a program has to read the secret.
    private static let patience = 5

    /// Waits until the program ends, at most so long.
    private static func wait(_ endings: inout sigset_t, _ time: timespec) {
        var time = time
        _ = unsafe sigtimedwait(&endings, nil, &time)
    }
}
