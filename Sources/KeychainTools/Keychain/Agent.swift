// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPeer
internal import Glibc
package import KeychainConnection
internal import KeychainModel

/// The daemon that the tool starts for its user, so that an unlocked keychain stays unlocked after the command.
package struct Agent {
    private let program: String
    private let socket: String
    private let owner: KeychainOwner

    /// Finds the program to start and its socket; refuses where programs would not find the daemon.
    package init(for owner: KeychainOwner?) throws(CommandError) {
        guard !Environment.isPrivileged else {
            throw .failure(
                "this program runs with more rights than its user, so it starts no daemon; start llaverod yourself")
        }
        guard let owner else {
            throw .failure(
                """
                no path for a daemon's socket is known, so the unlock would end with this command; set LLAVERO_SOCKET to a \
                short path in a folder of yours, also for your other programs
                """)
        }
        try Agent.refuseBesideSystem(owner.embedded.place)
        let socket = owner.socket
        guard socket.hasPrefix("/") else { throw .failure("LLAVERO_SOCKET has to be an absolute path") }
        try Agent.refuseHopeless(socket)
        guard let program = Agent.installed(beside: Environment.current().executable) else {
            throw .failure(Agent.whyNotFound)
        }
        (self.program, self.socket, self.owner) = (program, socket, owner)
    }

    /// An administrator's agent would take a keychain that the system's daemon has for a user, and keep it from that user.
    package static func refuseBesideSystem(_ place: Place) throws(CommandError) {
        guard DaemonSocket.isWithSystem(place) else { return }
        throw .failure(
            """
            the system's daemon has the keychains in this folder for its users: stop it first \
            (`systemctl stop llaverod.socket llaverod.service`), and afterwards end what was started meanwhile \
            (`llavero lock --end-agent`, as now) and start it again (`systemctl start llaverod.socket`)
            """)
    }

    /// The daemon makes the folder of its socket, but no parent folders.
    private static func refuseHopeless(_ socket: String) throws(CommandError) {
        let folder = parent(socket)
        let isThere = unsafe access(folder, F_OK) == 0
        guard unsafe access(isThere ? folder : parent(folder), W_OK | X_OK) != 0 else { return }
        let code = errno
        // Beside the keychains, which are made with the first item.
        if !isThere, code == ENOENT, socket.hasSuffix("/.agent") { return }
        throw .failure(
            """
            llaverod cannot make its socket \(PlainText.shown(socket)): \(unsafe String(cString: strerror(code))); XDG_RUNTIME_DIR should name the folder of your \
            session, or be unset, and LLAVERO_SOCKET a path in a folder of yours
            """)
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
    }

    /// Makes the folder of the keychains for a socket in it, so that it is known here why that cannot be.
    private func makeFolder() throws(CommandError) {
        let folder = Agent.parent(socket)
        guard socket.hasSuffix("/.agent"), unsafe access(folder, F_OK) != 0 else { return }
        do throws(KeychainError) { try KeychainFolder(root: folder, name: "").prepareRoot() } catch {
            // A home that is missing has its own advice.
            guard let code = error.code else { throw .keychain(error) }
            let reason = unsafe String(cString: strerror(Int32(truncatingIfNeeded: code)))
            throw .failure(
                """
                the folder \(PlainText.shown(folder)) for llaverod's socket cannot be made (\(reason)); set \
                LLAVERO_HOME to a folder of yours, or LLAVERO_SOCKET to a path in one
                """)
        }
    }

    /// Without /proc a program does not learn where it is, and so not what is beside it.
    private static var whyNotFound: String {
        unsafe access("/proc/self", F_OK) == 0
            ? "llaverod was not found beside this program; start it yourself, and try again"
            : "llaverod cannot be found, for /proc is not mounted; mount it, or start llaverod yourself, and try again"
    }

    /// Starts it, and returns when it serves; sessions go to it from then on.
    package func start() throws(CommandError) {
        if owner.meetDaemon() { return }
        try makeFolder()
        var child = try spawn()
        for _ in 0..<Agent.mostPauses {
            // A daemon that another tool started in the meantime serves as well.
            if owner.meetDaemon() { return }
            var status: Int32 = 0
            if child > 0, unsafe waitpid(child, &status, WNOHANG) == child {
                child = 0
                if owner.meetDaemon() { return }
                throw .failure("llaverod ended at once; run `\(program) --socket \(socket)` to see why")
            }
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            unsafe nanosleep(&pause, nil)
        }
        kill(child, SIGTERM)
        throw .failure("llaverod does not answer on \(socket); try again, or run it yourself to see why")
    }

    /// Ends it, and returns once it has ended and given its keychains back; false where no agent runs.
    ///
    /// A daemon that no tool started is not ended.
    package static func end(of host: HandoverHost) throws(CommandError) -> Bool {
        guard let socket = host.socket else { return false }
        return try end(listeningOn: socket)
    }

    /// Ends the agent that listens on a socket; false where nobody does.
    @discardableResult
    package static func end(listeningOn socket: String) throws(CommandError) -> Bool {
        let client = unsafe llv_peer_connect(socket)
        guard client >= 0 else { return false }
        var listener = llv_peer_credentials()
        let failure = unsafe llv_peer_read_credentials(client, &listener)
        var isExact = false
        let process = failure == 0 ? unsafe llv_peer_open_process(client, listener.pid, &isExact) : failure
        // The daemon waits for connected clients.
        close(client)
        guard process >= 0 else {
            throw .failure("the process that listens on \(socket) cannot be determined (\(-process))")
        }
        defer { close(process) }
        guard listener.uid == geteuid(), isAgent(listener.pid), llv_peer_is_alive(process) == 1 else {
            throw .failure("the llaverod on \(socket) is not your agent: \(Agent.end(ofOther: listener.pid))")
        }
        let refusal = llv_peer_end_process(process)
        guard refusal == 0 || refusal == -ESRCH else { throw .failure("the agent cannot be ended (\(-refusal))") }
        guard llv_peer_wait(process, false, patience) == 1 else {
            throw .failure("the agent was told to end, but still serves a program; try again later")
        }
        return true
    }

    /// The command that ends the daemon on this socket for good: one that systemd starts at each login would be there again.
    package static func endingCommand(of host: HandoverHost) -> String {
        let agents = "llavero lock --end-agent"
        guard let socket = host.socket else { return agents }
        let client = unsafe llv_peer_connect(socket)
        guard client >= 0 else { return agents }
        defer { close(client) }
        var listener = llv_peer_credentials()
        guard unsafe llv_peer_read_credentials(client, &listener) == 0, !isAgent(listener.pid) else { return agents }
        return isDaemon(listener.pid)
            ? "kill \(listener.pid)" : "systemctl --user disable --now llaverod.socket llaverod.service"
    }

    /// The agent inherits no open file: a passcode may still be in a descriptor.
    private func spawn() throws(CommandError) -> pid_t {
        let arguments = [program, "--agent", "--socket", socket]
        let words = unsafe arguments.map { unsafe strdup($0) }
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        let variables = unsafe Agent.variables()
        var child: pid_t = 0
        let failure = unsafe llv_service_start(&child, program, words + [nil], variables + [nil])
        guard failure == 0 else { throw .failure("\(program) cannot be started (\(failure))") }
        return child
    }

    /// This process's environment, without the variables that a service manager set for it alone.
    private static func variables() -> [UnsafeMutablePointer<CChar>?] {
        let others: [StaticString] = [
            "NOTIFY_SOCKET=", "LISTEN_", "WATCHDOG_", "CREDENTIALS_DIRECTORY=", "INVOCATION_ID=",
            // Every connection names its keychain.
            "LLAVERO_KEYCHAIN=",
        ]
        var kept: [UnsafeMutablePointer<CChar>?] = unsafe []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            let isOthers = others.contains { prefix in
                unsafe strncmp(
                    entry, UnsafeRawPointer(prefix.utf8Start).assumingMemoryBound(to: CChar.self),
                    prefix.utf8CodeUnitCount) == 0
            }
            if !isOthers { unsafe kept.append(entry) }
            unsafe place += 1
        }
        return unsafe kept
    }

    /// The daemon that was installed or built together with this program.
    package static func installed(beside executable: String?) -> String? {
        guard let executable, let end = executable.lastIndex(of: "/") else { return nil }
        let folder = executable[..<end]
        var places = ["\(folder)/llaverod"]
        if let end = folder.lastIndex(of: "/") {
            let prefix = folder[..<end]
            places += ["\(prefix)/libexec/llavero/llaverod", "\(prefix)/libexec/llaverod", "\(prefix)/bin/llaverod"]
        }
        return places.first { unsafe access($0, X_OK) == 0 }
    }

    /// How a daemon is ended that no tool started.
    ///
    /// The kernel says which process made the socket: the daemon, or the service manager, which is not to be killed.
    private static func end(ofOther listener: Int32) -> String {
        if isDaemon(listener) { return "`kill \(listener)` ends it" }
        // The first process is the system's manager; a user's has another number.
        let scope = listener == 1 ? "" : " --user"
        return "systemd started it, and `systemctl\(scope) stop llaverod.socket llaverod.service` ends it"
    }

    private static func isDaemon(_ process: Int32) -> Bool {
        let program = DaemonRestart.words(of: String(process)).first ?? ""
        return program == "llaverod" || program.hasSuffix("/llaverod")
    }

    /// Recognized by its command line.
    private static func isAgent(_ process: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe llv_peer_read_process_file(process, "cmdline", &bytes, bytes.count)
        guard count > 0 else { return false }
        return bytes[..<Int(count)].split(separator: 0).contains { Array($0) == Array("--agent".utf8) }
    }

    /// A minute, twenty milliseconds at a time: it ends earlier when llaverod answers or has ended, and a busy machine is slow.
    private static let mostPauses = 3000
    /// Milliseconds.
    private static let patience: Int32 = 10_000
}

/// Starts another daemon for a keychain whose daemon was killed, or ended with the machine.
///
/// That is as safe as the first start: the old daemon's lock is free, and the new daemon has to hold it.
enum DaemonRestart {
    static func restart(_ owner: KeychainOwner) throws(KeychainError) {
        do throws(CommandError) { try Agent.refuseBesideSystem(owner.embedded.place) } catch {
            throw KeychainError(
                relaying: .notAvailable, error.description, subject: nil, code: nil, retryAfter: nil)
        }
        // A daemon that starts or ends holds its lock for a moment longer than its socket.
        for _ in 0..<mostPauses where !owner.embedded.isFreeOfDaemons {
            if owner.meetDaemon() { return }
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            unsafe nanosleep(&pause, nil)
        }
        guard owner.embedded.isFreeOfDaemons else {
            throw failure(
                """
                a llaverod that does not answer on this socket serves this keychain; \(others(than: owner.socket)), or end it, as by `systemctl restart` of its unit
                """, owner)
        }
        do throws(CommandError) { try Agent(for: owner).start() } catch {
            throw failure(
                """
                the llaverod that served this keychain is gone, and no other can be started: \(error.description); to use the keychain without a daemon: \
                `\(giveBack(owner.embedded.place))`
                """, owner)
        }
        if Screen.complaints.isTerminal {
            Tool.say("the llaverod that served the keychain was gone; started another one")
        }
    }

    /// The sockets on the command lines of the user's daemons: usually agents of other sessions.
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
        guard !found.isEmpty else { return "set LLAVERO_SOCKET to its socket" }
        return "set LLAVERO_SOCKET to its socket; your daemons listen on \(found.joined(separator: ", "))"
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

    /// The command line of a process.
    fileprivate static func words(of process: String) -> [String] {
        let file = unsafe open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return bytes[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The command that takes the keychain back from a daemon that is gone.
    static func giveBack(_ place: Place) -> String {
        guard case .folder(let root, let name) = place, let usual = try? Place.named(by: .current()), place != usual
        else { return "llaverod --give-back" }
        let isElsewhere = (try? Place.root(named: .current())) != root
        return (isElsewhere ? "LLAVERO_HOME=\(ShellWord.quoted(root)) " : "")
            + "LLAVERO_KEYCHAIN=\(name) llaverod --give-back"
    }

    private static func failure(_ text: String, _ owner: KeychainOwner) -> KeychainError {
        KeychainError(relaying: .notAvailable, text, subject: owner.socket, code: nil, retryAfter: nil)
    }

    /// Two seconds, twenty milliseconds at a time.
    private static let mostPauses = 100
}
