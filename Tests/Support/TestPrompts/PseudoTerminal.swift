// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
internal import TestProcesses

/// A terminal with a test at its keyboard.
package final class PseudoTerminal: Sendable {
    /// What programs open.
    package let path: String

    private let keyboard: Int32
    /// Open as long as the terminal is, which else ends with its first program.
    private let screen: Int32
    private let seen = Mutex(Seen())

    private struct Seen {
        var bytes: [UInt8] = []
        /// How much of it a test has waited for already.
        var read = 0
        /// The programs that were run here.
        var programs: [SessionProcess] = []
        var isClosed = false
    }

    package init() throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var (number, locked): (Int32, Int32) = (0, 0)
        // posix_openpt and its like, which Swift's Glibc module does not know.
        guard keyboard >= 0, ioctl(keyboard, PseudoTerminal.unlock, &locked) == 0,
            ioctl(keyboard, PseudoTerminal.getNumber, &number) == 0
        else { throw Trouble("no pseudo-terminal: \(errno)") }
        path = "/dev/pts/\(number)"
        screen = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        guard screen >= 0, ioctl(screen, UInt(TIOCSWINSZ), &size) == 0 else { throw Trouble("no screen: \(errno)") }
    }

    deinit { close() }

    /// Hangs up, as an ssh that is gone.
    package func close() {
        seen.withLock { seen in
            if seen.isClosed { return }
            seen.isClosed = true
            Foundation.close(keyboard)
            Foundation.close(screen)
        }
    }

    package func type(_ text: String) throws { try type(Array(text.utf8)) }

    package func type(_ keys: [UInt8]) throws {
        var rest = keys[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else { usleep(1000) }
        }
    }

    /// Reads until the text is on the screen, after what was waited for before.
    package func wait(for text: String, within seconds: Double = EventLimit.seconds) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        let wanted = Array(text.utf8)
        while true {
            let found = seen.withLock { seen -> Bool in
                guard let range = seen.bytes[seen.read...].firstRange(of: wanted) else { return false }
                seen.read = range.upperBound
                return true
            }
            if found { return }
            // Who has ended shows nothing more than what is on its way already.
            let isOver = seen.withLock { !$0.programs.isEmpty && $0.programs.allSatisfy(\.hasEnded) }
            let isRead = read(until: isOver ? Date() : min(end, Date(timeIntervalSinceNow: 1)))
            if !isRead, isOver || Date() >= end { throw Trouble("\"\(text)\" is not on the screen: \(shown)") }
        }
    }

    /// Waits until the terminal shows what is typed, or does not.
    package func wait(forEcho echo: Bool, within seconds: Double = EventLimit.seconds) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while echoes != echo {
            let isOver = seen.withLock { !$0.programs.isEmpty && $0.programs.allSatisfy(\.hasEnded) }
            guard Date() < end, !isOver || echoes == echo else { throw Trouble("echo is \(!echo): \(shown)") }
            usleep(2000)
        }
    }

    /// All that was ever shown.
    package var shown: String {
        while read(until: Date(timeIntervalSinceNow: 0)) {}
        return seen.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private var settings: termios {
        var settings = termios()
        tcgetattr(screen, &settings)
        return settings
    }

    package var echoes: Bool { settings.c_lflag & tcflag_t(ECHO) != 0 }

    /// Whether it is as a shell leaves it to a program.
    package var isOrdinary: Bool {
        let flags = tcflag_t(ECHO | ICANON | ISIG)
        return settings.c_lflag & flags == flags
    }

    /// Whether the next program would find something typed.
    package var hasInput: Bool {
        var awaited = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        return poll(&awaited, 1, 0) == 1
    }

    package func setEcho(_ echo: Bool) {
        var settings = settings
        if echo { settings.c_lflag |= tcflag_t(ECHO) } else { settings.c_lflag &= ~tcflag_t(ECHO) }
        tcsetattr(screen, TCSANOW, &settings)
    }

    /// Runs a program in a session of its own, which this terminal controls.
    package func run(_ words: [String], environment: [String: String]) throws -> SessionProcess {
        let process = try SessionProcess(words, environment: environment, terminal: path)
        seen.withLock { $0.programs.append(process) }
        return process
    }

    /// Reads what there is, waiting for something; false when nothing came.
    private func read(until end: Date) -> Bool {
        var awaited = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&awaited, 1, Int32(max(0, end.timeIntervalSinceNow) * 1000)) == 1 else { return false }
        var part = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(keyboard, &part, part.count)
        guard count > 0 else { return false }
        seen.withLock { $0.bytes += part.prefix(count) }
        return true
    }

    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN
    private static let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
}
