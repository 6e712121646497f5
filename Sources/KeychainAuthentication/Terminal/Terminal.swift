// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A terminal, opened for us alone, and how it was set.
// Not shared: the object that changed the settings restores them.
final class Terminal {
    let path: String
    let file: Int32
    private let before: termios

    /// Throws when there is none.
    init(_ path: String) throws(PromptError) {
        // Without waiting: the terminal may have no reader, and a program asked to go on must not hang on it.
        file = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Terminal.absent }
        var settings = termios()
        guard unsafe tcgetattr(file, &settings) == 0 else {
            close(file)
            throw Terminal.absent
        }
        self.path = path
        before = settings
    }

    deinit { close(file) }

    /// Whether we may read from it: of the processes it controls, those in the background may not, and are stopped.
    var isInForeground: Bool {
        let group = tcgetpgrp(file)
        // One that does not control us has no foreground for us.
        return group < 0 ? errno == ENOTTY : group == getpgrp()
    }

    /// The character that means `index` (VERASE and so on) here, if any.
    func character(_ index: Int32) -> UInt8? {
        let byte = unsafe withUnsafeBytes(of: before.c_cc) { characters in unsafe characters[Int(index)] }
        return byte == 0 ? nil : byte
    }

    /// Shows nothing of what is typed, and gives it to us byte by byte; also the characters that would be signals.
    ///
    /// So an interruption is a byte, and the terminal is put back before anything else happens.
    func hush() throws(PromptError) {
        var settings = before
        settings.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL | ICANON | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(INLCR | IGNCR | IXON)
        settings.c_iflag |= tcflag_t(ICRNL)
        unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 0
        }
        // TCSANOW: the others wait until everything is written, which a stopped terminal never does.
        guard unsafe tcsetattr(file, TCSANOW, &settings) == 0, isHushed else {
            throw .failed("the terminal's echo cannot be switched off", code: errno)
        }
    }

    /// Whether it shows nothing: tcsetattr is content with having changed anything at all.
    var isHushed: Bool {
        var settings = termios()
        guard unsafe tcgetattr(file, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ECHO | ECHONL | ICANON | ISIG) == 0
    }

    /// Forgets what was typed and not read.
    func forgetInput() { tcflush(file, TCIFLUSH) }

    /// Puts it back as it was.
    func restore() {
        var settings = before
        StopSignals.blocked { _ = unsafe tcsetattr(file, TCSANOW, &settings) }
    }

    private static let absent = PromptError.notAvailable(
        "there is no terminal to ask on; run the program in a terminal")
}

@available(*, unavailable)
extension Terminal: Sendable {}

/// The signals by which a terminal stops a program that has come into its background meanwhile.
enum StopSignals {
    /// Runs `body` while this thread gets none of them: what it does to the terminal then succeeds or fails.
    static func blocked<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var (signals, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGTTIN)
        unsafe sigaddset(&signals, SIGTTOU)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try body()
    }
}
