// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainEngine
internal import KeychainIdentity
internal import KeychainModel

/// Serves the keychain of the user it runs for over a socket, so that keys and database live in no other process.
@main
enum Llaverod {
    static func main() {
        let options: Options
        do throws(OptionError) { options = try Options(Environment.arguments.dropFirst()) } catch {
            say(error.description)
            exit(64)
        }
        if options.wantsHelp {
            print(Options.help)
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

    private static func serve(_ options: Options) throws(KeychainError) {
        try Hardening.dropRights()
        if options.isOfSystem { try Hardening.forbidPrograms() }
        try Hardening.forbidCoreDumps()
        Hardening.forbidCrashReports()
        try Hardening.makeRoomForFiles()
        umask(0o077)
        // One that comes while the keychain is being taken over is kept until that is done.
        let signals = StopSignal.block()
        Hardening.surviveFileSizeLimit()
        let listener = try Listener.open(options.socket, isOfSystem: options.isOfSystem)
        let book = RuleBook(entitlements: options.entitlements, signers: options.signers)
        let agents = PromptAgents(at: PromptAgents.places(beside: Environment.current().executable))
        let keychains: Keychains
        do throws(KeychainError) {
            keychains = try Keychains(options, book, agents, isStartedAgain: listener.file == nil)
        } catch {
            listener.remove()
            throw error
        }
        let rules = DaemonRules.of(
            options.isOfSystem ? .everybody : .user(geteuid()), book, isClosed: options.isClosed,
            agents: options.isOfSystem ? agents : nil)
        let daemon = Daemon(listener: listener.socket, keychains: keychains.served, rules: rules)
        let sessions = options.bus.map {
            SessionLock.watch(keychains, of: options.isOfSystem ? nil : geteuid(), bus: $0)
        }
        Notification.send("READY=1")
        signals.whenOneComes {
            Notification.send("STOPPING=1")
            daemon.stop()
        }
        // Nobody would start it anew while it has the keychains, and nobody can end it whom its socket does not lead to it.
        if options.isAgent {
            listener.file?.whenGone {
                say("the socket is gone, and so is everybody who could find this agent; it ends")
                daemon.stop()
            }
        }
        daemon.run()
        sessions?.stop()
        listener.remove()
        keychains.close()
    }

    static func say(_ text: String) {
        let line = Array("llaverod: \(text)\n".utf8)
        _ = unsafe write(STDERR_FILENO, line, line.count)
    }
}
