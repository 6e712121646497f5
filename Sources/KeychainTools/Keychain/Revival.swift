// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel

/// What tools do about a keychain whose daemon was killed, or ended with the machine: they start one that takes it over anew.
///
/// That is as safe as the first time: the daemon's lock is free, and who takes the keychain over has to have it.
enum Revival {
    static func revive(_ host: FollowingHost) throws(KeychainError) {
        // A daemon that is about to begin, or to end, has its lock for a moment longer than its socket.
        for _ in 0..<mostPauses where !host.embedded.isFreeOfDaemons {
            if host.meetDaemon() { return }
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            unsafe nanosleep(&pause, nil)
        }
        guard host.embedded.isFreeOfDaemons else {
            throw failure(
                """
                a llaverod has this keychain that does not answer at this socket; \(others(than: host.socket)), or end it
                """, host)
        }
        do throws(CommandError) { try Agent(for: host).start() } catch {
            throw failure(
                """
                the llaverod that had this keychain is gone, and none can be started: \(error.description); to do without: \
                `\(giveBack(host.embedded.place))`
                """, host)
        }
        if Screen.complaints.isTerminal { Tool.say("the llaverod that had the keychain was gone; started another") }
    }

    /// Where the user's daemons listen that were told so by their words: agents of another session, as a rule.
    private static func others(than socket: String?) -> String {
        var found: [String] = []
        for name in processes() {
            var facts = stat()
            guard unsafe stat("/proc/\(name)", &facts) == 0, facts.st_uid == geteuid() else { continue }
            let words = words(of: name)
            guard words.first?.hasSuffix("/llaverod") ?? false, let place = words.firstIndex(of: "--socket"),
                place + 1 < words.count, words[place + 1] != socket
            else { continue }
            found.append("\(PlainText.shown(words[place + 1])) (process \(name))")
        }
        guard !found.isEmpty else { return "set LLAVERO_SOCKET to the one where it listens" }
        return "set LLAVERO_SOCKET to the one where it listens: of yours there is \(found.joined(separator: ", "))"
    }

    private static func processes() -> [String] {
        guard let folder = unsafe opendir("/proc") else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if Int32(name) != nil { names.append(name) }
        }
        return names
    }

    /// What a process was started with.
    private static func words(of process: String) -> [String] {
        let file = unsafe open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return bytes[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What takes the keychain from a daemon that is gone, without another.
    static func giveBack(_ place: Place) -> String {
        guard case .folder(let root, let name) = place, let usual = try? Place.named(by: .current()), place != usual
        else { return "llaverod --give-back" }
        let isElsewhere = (try? Place.root(named: .current())) != root
        return (isElsewhere ? "LLAVERO_HOME=\(ShellWord.quoted(root)) " : "")
            + "LLAVERO_KEYCHAIN=\(name) llaverod --give-back"
    }

    private static func failure(_ text: String, _ host: FollowingHost) -> KeychainError {
        KeychainError(relaying: .notAvailable, text, subject: host.socket, code: nil, retryAfter: nil)
    }

    /// Two seconds, twenty milliseconds at a time.
    private static let mostPauses = 100
}
