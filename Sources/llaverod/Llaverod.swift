// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainSystem
internal import KeychainTools

/// Serves the keychain of the user it runs for over a socket, so that keys and database live in no other process.
@main
enum Llaverod {
    static func main() {
        let options: DaemonOptions
        do throws(CommandError) { options = try DaemonOptions(Environment.arguments.dropFirst()) } catch {
            say(error.description)
            exit(64)
        }
        if options.wantsHelp {
            print(DaemonOptions.help)
            exit(0)
        }
        if options.wantsVersion {
            print(VersionText.lines(of: "llaverod"))
            exit(0)
        }
        if options.wantsManual {
            print(DaemonManual.page, terminator: "")
            exit(0)
        }
        do throws(KeychainError) {
            if options.givesBack {
                try DaemonHost.giveBack(try DaemonHost.place(root: options.root))
                exit(0)
            }
            try serve(options)
        } catch {
            say(error.description)
            exit(1)
        }
        exit(0)
    }

    private static func serve(_ options: DaemonOptions) throws(KeychainError) {
        try Hardening.dropRights()
        Hardening.trustFilterOfUnit()
        if options.isOfSystem { try Hardening.forbidPrograms() }
        try Hardening.forbidCoreDumps()
        Hardening.forbidCrashReports()
        // The system's has every user's keys; root can attach to it all the same.
        if !options.isOfSystem, let warning = Hardening.letDebuggersAttach() { say(warning) }
        try Hardening.makeRoomForFiles()
        umask(0o077)
        // A signal that comes while the keychain is being taken over waits until that is done.
        let signals = StopSignal.block()
        Hardening.surviveFileSizeLimit()
        try SecretServiceHost.refuseVainStart(options)
        // An agent that was started without this bus has its place to give up.
        if SecretServiceHost.isStartedByBus, let socket = options.socket ?? DaemonSocket.ofUser(.current()) {
            do throws(CommandError) { try Agent.end(listeningOn: socket) } catch { say(error.description) }
        }
        let listener = try Listener.open(
            options.socket, isOfSystem: options.isOfSystem, isWithoutSession: options.isWithoutSession)
        // The rules for a user's programs do not bind who has the files of all users' keychains.
        let isOfAdministrator = try options.isOfAdministrator
        let book = RuleBook(
            entitlements: isOfAdministrator ? nil : options.entitlements, signers: options.signers
        ) { say($0) }
        let agents = PromptAgents(at: PromptAgents.places(beside: Environment.current().executable))
        let keychains: DaemonKeychains
        do throws(KeychainError) {
            keychains = try DaemonKeychains(options, book, agents, isStartedAgain: listener.file == nil)
        } catch {
            listener.remove()
            throw error
        }
        let rules = DaemonRules.of(
            options.isOfSystem
                ? .everybody : isOfAdministrator ? .administrator(geteuid()) : .user(geteuid()), book,
            isClosed: options.isClosed,
            agents: options.isOfSystem ? agents : nil)
        let daemon = Daemon(listener: listener.socket, keychains: keychains.served, rules: rules)
        let sessions = options.bus.map {
            SessionLock.watch(keychains, of: options.isOfSystem ? nil : geteuid(), bus: $0)
        }
        let secretService = SecretServiceHost.start(options, keychains)
        let circles = CircleThread.start(options, keychains)
        Notification.send("READY=1")
        signals.whenOneComes {
            Notification.send("STOPPING=1")
            circles?.beginToStop()
            daemon.stop()
        }
        // Without its socket no program can reach it or end it, and while it holds the keychains no other daemon can start.
        let isOver = ForkSafeMutex(false)
        if !options.isOfSystem {
            listener.file?.whenGone {
                // This process removes it when it ends.
                guard !isOver.withLock({ $0 }) else { return }
                say("the socket was removed, so no program can reach this daemon; ending")
                daemon.stop()
            }
        }
        daemon.run()
        isOver.withLock { $0 = true }
        circles?.stop()
        secretService?.stop()
        sessions?.stop()
        listener.remove()
        keychains.close()
    }

    static func say(_ text: String) {
        let line = Array("llaverod: \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}

/// The signals that end the daemon, blocked and received by one thread.
struct StopSignal {
    /// Blocks them in every thread that starts from now on.
    static func block() -> StopSignal {
        var signals = set()
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        return StopSignal()
    }

    /// Runs `body` on its own thread when one arrives.
    func whenOneComes(_ body: @escaping @Sendable () -> Void) {
        _ = NamedThread.start("stop-signals") {
            var signals = StopSignal.set()
            var number: Int32 = 0
            unsafe sigwait(&signals, &number)
            body()
        }
    }

    private static func set() -> sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }
}

/// Messages to the service manager (sd_notify).
enum Notification {
    /// Sends it where the service manager listens; a failure has no effect.
    static func send(_ text: String) {
        guard let name = unsafe getenv("NOTIFY_SOCKET") else { return }
        var path = unsafe Array(String(cString: name).utf8)
        // An abstract socket is written with an at sign, which stands for a NUL.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return }
        defer { close(file) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let words = Array(text.utf8)
        _ = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(file, words, words.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }
}
