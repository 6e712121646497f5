// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// Which programs were given a stored answer, and to which question.
///
/// An askpass is started for each question and does not learn whether its answer was right. But ssh and sudo ask the same
/// question again in the same process when it was wrong. So the asking process and a hash of its question are recorded, as
/// long as that process lives, in a file beside the socket of the user's daemon.
enum GivenAnswers {
    /// Records that the parent process gets an answer; true if it got one to this question before.
    ///
    /// Where nothing can be recorded, every answer counts as the first.
    static func noteAnswer(to question: String) -> Bool {
        guard let asker = AskingProcess.parent, let hash = try? Digest.sha256(of: Array(question.utf8)) else {
            return false
        }
        let entry = Entry(asker: asker, question: Hexadecimal.digits(of: hash))
        guard let file = openFile() else { return false }
        defer { close(file) }
        // Held for the few lines below.
        while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { return false } }
        var entries = read(file).filter(\.asker.isAlive)
        if entries.contains(entry) { return true }
        entries = entries.suffix(most - 1) + [entry]
        write(entries, to: file)
        return false
    }

    private struct Entry: Equatable {
        let asker: AskingProcess
        let question: String

        init(asker: AskingProcess, question: String) { (self.asker, self.question) = (asker, question) }

        /// nil for a malformed line.
        init?(_ line: Substring) {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, let process = pid_t(parts[0]), process > 0, let start = UInt64(parts[1]),
                parts[2].utf8.count == 64
            else { return nil }
            self.init(asker: AskingProcess(process: process, start: start), question: String(parts[2]))
        }

        var line: String { "\(asker.process) \(asker.start) \(question)\n" }
    }

    private static func openFile() -> Int32? {
        let surroundings = Environment.current()
        guard let socket = DaemonSocket.ofUser(surroundings), let slash = socket.lastIndex(of: "/") else { return nil }
        let folder = String(socket[..<slash])
        _ = unsafe mkdir(folder, 0o700)
        let file = unsafe open(folder + "/.askpass", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return nil }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid() else {
            close(file)
            return nil
        }
        return file
    }

    private static func read(_ file: Int32) -> [Entry] {
        var bytes = [UInt8](repeating: 0, count: most * longestLine)
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").compactMap(
            Entry.init)
    }

    private static func write(_ entries: [Entry], to file: Int32) {
        let text = Array(entries.map(\.line).joined().utf8)
        // An incomplete line is ignored when it is read.
        guard ftruncate(file, 0) == 0 else { return }
        _ = unsafe pwrite(file, text, text.count, 0)
    }

    /// More than the number of programs that wait for a password at once.
    private static let most = 200
    private static let longestLine = 10 + 20 + 64 + 3
}

/// A process, distinguished from later ones with the same number.
private struct AskingProcess: Equatable {
    let process: pid_t
    /// In ticks since the machine was started; 0 if unknown.
    let start: UInt64

    /// nil if it is in another namespace, or gone.
    static var parent: AskingProcess? {
        let parent = getppid()
        return parent > 0 ? AskingProcess(process: parent, start: startTime(of: parent)) : nil
    }

    var isAlive: Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        return AskingProcess.startTime(of: process) == start
    }

    init(process: pid_t, start: UInt64) { (self.process, self.start) = (process, start) }

    private static func startTime(of process: pid_t) -> UInt64 {
        let file = unsafe open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        // The name in brackets may have any letters; the start time is the twentieth number after it.
        guard count > 0, let bracket = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return 0 }
        let fields = String(decoding: bytes[(bracket + 1)..<count], as: UTF8.self).split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) ?? 0 : 0
    }
}
