// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// The clipboard that `llavero copy` writes to.
enum Clipboard {
    /// A program holds the text as long as it runs; when it ends, only that text is gone.
    case program([String])
    /// A buffer of tmux, which sends it on to the terminal where it may.
    case tmux(Tmux)
    /// The terminal's clipboard, also over ssh; the terminal sends no reply.
    case terminal

    /// The clipboard that is available; an error that says why there is none, and ends with `advice`.
    static func here(_ advice: String) throws(CommandError) -> Clipboard {
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
        let none = "there is no clipboard: no display with wl-copy, xclip or xsel"
        guard Screen.output.isTerminal || Screen.complaints.isTerminal else {
            throw .failure("\(none), and no terminal; \(advice)")
        }
        if ProgramSearch.variable("TMUX") != nil {
            guard let tmux = Tmux() else { throw .failure("\(none), and tmux is not in PATH; \(advice)") }
            return .tmux(tmux)
        }
        guard ProgramSearch.variable("STY") == nil else {
            throw .failure("\(none), and screen hands none on; \(advice)")
        }
        let kind = ProgramSearch.variable("TERM") ?? "dumb"
        guard kind != "dumb", kind != "linux" else {
            throw .failure("\(none), and the terminal (TERM is \(PlainText.shown(kind))) has none; \(advice)")
        }
        return .terminal
    }

    /// Where a secret that was copied is, and for how long: what is known of it.
    func place(for seconds: Int) -> String {
        switch self {
        case .program: return "is in the clipboard for \(seconds) seconds"
        case .tmux(let tmux): return "is in tmux's buffer for \(seconds) seconds\(tmux.further)"
        case .terminal:
            let kind = ProgramSearch.variable("TERM") ?? ""
            let way =
                kind.hasPrefix("screen") || kind.hasPrefix("tmux")
                ? ", and tmux between with set-clipboard off or external" : ""
            return
                "was sent to the terminal's clipboard for \(seconds) seconds; a terminal without OSC 52\(way) ignores that"
        }
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

/// The tmux that this process runs in.
struct Tmux {
    private let program: String
    /// A buffer of its own, so that nothing else is overwritten, or removed later.
    let buffer: String
    /// Behind "is in tmux's buffer": whether the terminal was told, too.
    let further: String

    /// nil where tmux cannot be found.
    init?() {
        guard let program = ProgramSearch.path(of: "tmux") else { return nil }
        (self.program, buffer) = (program, "llavero-\(getpid())")
        func answer(_ words: String...) -> String? { try? Tmux.run([program] + words).text }
        let terminal = answer("display-message", "-p", "#{client_tty}") ?? ""
        // It sends it whatever set-clipboard is, which is about programs' own sequences and about copying in tmux.
        if let all = answer("show-messages", "-T"), Tmux.lacksClipboard(terminal, all) {
            further = ", and not in the terminal's clipboard, for tmux knows of none (terminal-features)"
        } else {
            further = ", and was sent to the terminal's clipboard, which a terminal without OSC 52 ignores"
        }
    }

    /// Whether tmux's list of its terminals says that one has no way to set the clipboard, which is called `Ms` there.
    static func lacksClipboard(_ terminal: String, _ list: String) -> Bool {
        var isOurs = false
        for line in list.split(separator: "\n") {
            if line.hasPrefix("Terminal ") {
                isOurs = !terminal.isEmpty && line.contains(" for \(terminal),")
            } else if isOurs, line.contains(" Ms: ") {
                return line.contains("[missing]")
            }
        }
        return false
    }

    /// Gives it a secret, by its standard input.
    func keep(_ secret: SecretValue, _ advice: String) throws(CommandError) {
        signal(SIGPIPE, SIG_IGN)
        let ending = try Tmux.run([program, "load-buffer", "-w", "-b", buffer, "-"], input: secret).ending
        guard ending == 0 else {
            throw .failure("tmux did not take the password; it has to be version 3.2 or newer; \(advice)")
        }
    }

    /// The command that removes a buffer, and leaves a blank in a clipboard that has it.
    static func removal(of buffer: String) throws(CommandError) {
        guard let program = ProgramSearch.path(of: "tmux") else { return }
        _ = try run([program, "set-buffer", "-w", "-b", buffer, " ", ";", "delete-buffer", "-b", buffer])
    }

    /// What it printed, without the last line feed, and how it ended.
    private static func run(
        _ words: [String], input: SecretValue? = nil
    ) throws(CommandError) -> (text: String, ending: Int32?) {
        let (into, out) = (try ChildProcess.line(), try ChildProcess.line())
        let child: ChildProcess
        do throws(CommandError) {
            child = try ChildProcess(words, input: into.reading, output: out.writing, inSessionOfItsOwn: false)
        } catch {
            for end in [into.reading, into.writing, out.reading, out.writing] { close(end) }
            throw error
        }
        close(into.reading)
        close(out.writing)
        if let input { try? SecretOutput.write(input, to: into.writing) }
        close(into.writing)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while bytes.count < mostOutput {
            let count = unsafe read(out.reading, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        close(out.reading)
        let ending = child.ending(waits: true)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return (String(decoding: bytes, as: UTF8.self), ending)
    }

    private static let mostOutput = 1 << 20
}

/// The process that `llavero copy` leaves running: it starts the clipboard program, and ends it after the given time.
enum ClipboardKeeperVerb: Verb {
    static let name = "clipboard-keeper"
    static let summary = "keeps a secret in the clipboard for some time; `llavero copy` starts it"
    static let help = """
        usage: llavero clipboard-keeper --seconds N [--buffer NAME | PROGRAM ARGUMENT…]

        Reads a secret, lets the program offer it for the given time, and prints whether that started. Without a program it clears
        the terminal's clipboard after that time, or removes a buffer of tmux.

          --seconds N    how many seconds
          --buffer NAME  the buffer of tmux
        """

    /// How it is started for a buffer of tmux.
    static func words(for seconds: Int, removing buffer: String) -> [String] {
        ["/proc/self/exe", name, "--seconds", "\(seconds)", "--buffer", buffer]
    }

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
            if let buffer = options.value("--buffer") { return try Tmux.removal(of: buffer) }
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
