// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainBus
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSecretService
internal import KeychainSystem

/// Serves the user's keychains to programs that speak the Secret Service on the session's bus.
enum SecretServiceHost {
    /// Begins, where the options say so; nil where it is not wanted or cannot be.
    static func start(_ options: DaemonOptions, _ keychains: DaemonKeychains) -> SecretService? {
        guard let name = name(options) else { return nil }
        guard let address = Bus.ofSession else {
            Llaverod.say("there is no session bus (DBUS_SESSION_BUS_ADDRESS), so the Secret Service is not served")
            return nil
        }
        do throws(KeychainError) {
            let root = try DaemonHost.place(root: options.root).root
            let memory = DaemonHost.inMemory()
            let collections = SecretCollections(
                keychains.served, of: geteuid(), CollectionRegistry(root: root, clock: now)
            ) { () throws(KeychainError) in try memory.session(for: SecretCollections.caller) }
            let policy = ProgramPolicy(ProgramFile(root: root), clock: now)
            return try start(address, name, collections, policy)
        } catch {
            Llaverod.say("the Secret Service cannot be served: \(error.description)")
            return nil
        }
    }

    /// Refuses a start by the bus for keychains that are not to be served there: whoever asked would wait until the bus gives up.
    static func refuseVainStart(_ options: DaemonOptions) throws(KeychainError) {
        guard isStartedByBus, name(options) == nil else { return }
        throw KeychainError(
            .notAvailable,
            "the Secret Service is not enabled beside the keychains that this was started for; `llavero secret-service enable` with their LLAVERO_HOME enables it"
        )
    }

    /// The name to serve as: the one that was given, else the usual one where `llavero secret-service enable` said so.
    private static func name(_ options: DaemonOptions) -> String? {
        if let name = options.secretService { return name }
        guard !options.isOfSystem, let root = try? DaemonHost.place(root: options.root).root else { return nil }
        return ServiceMark.isSet(root: root) ? SecretService.usualName : nil
    }

    /// One that the bus started is of no use without it, and would keep the next session's from starting.
    private static func endIfStartedByBus() {
        if isStartedByBus { kill(getpid(), SIGTERM) }
    }

    /// Whether a program on the bus asked for the Secret Service, and nobody had it.
    static var isStartedByBus: Bool { unsafe getenv("DBUS_STARTER_BUS_TYPE") != nil }

    private static func start(
        _ address: String, _ name: String, _ collections: SecretCollections, _ policy: ProgramPolicy
    ) throws(KeychainError) -> SecretService? {
        do throws(WaitFailure) {
            let service = try SecretService(on: address, as: name, collections, seat, policy) { event in
                switch event {
                case .serving: Llaverod.say("serving \(name) on the session bus")
                case .nameIsTaken:
                    Llaverod.say("another program is \(name) on the session bus; `llavero doctor` says which")
                case .noBus: Llaverod.say("the session bus cannot be reached, so the Secret Service is not served")
                case .busIsGone:
                    Llaverod.say("the session bus is gone; the Secret Service is not served any more")
                    endIfStartedByBus()
                }
            }
            return service.start() ? service : nil
        } catch {
            throw KeychainError(.outOfMemory, "the system has no descriptor left for the Secret Service")
        }
    }

    private static let now: @Sendable () -> UInt64 = { UInt64(clamping: time(nil)) }

    /// Programs on the bus are asked for on the display of the daemon's own session, else on the one that the program was started
    /// with.
    private static var seat: Seat {
        let own = PromptEnvironment(
            variables: Environment.forPrompts(), isPrivileged: Environment.isPrivileged, terminal: "")
        @Sendable func environment(of client: BusClient) -> PromptEnvironment {
            if own.hasDisplay { return own }
            return own.with(client.surroundings, named: ClientTerminal.names, terminal: nil)
        }
        return Seat { client in
            SystemPrompt(environment(of: client))
        } confirmation: { client, question in
            do throws(PromptError) {
                return try ConfirmationPrompt(environment(of: client)).ask(question) == "yes"
            } catch {
                // The other button; everything else is no answer.
                if case .cancelled = error { return question.cancellation.isTripped ? nil : false }
                return nil
            }
        } isThere: { client in
            environment(of: client).hasDisplay
        }
    }
}

extension Place {
    /// The folder that holds all keychains of the user.
    fileprivate var root: String {
        get throws(KeychainError) {
            guard case .folder(let root, _) = self else {
                throw KeychainError(.notAvailable, "a keychain in memory has no folder for collections")
            }
            return root
        }
    }
}
