// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainSecretService
internal import KeychainSystem
internal import KeychainTools

/// What is done with the programs that run now, so that a change counts before the next login.
enum Handover {
    /// Tells the bus and the service manager that files have changed; where there is none, nothing is to be told.
    static func tellOfChanges(isOfSystem: Bool) {
        if let address = Bus.ofSession, let bus = Bus(address),
            let deadline = try? Deadline(seconds: 20, Cancellation())
        {
            _ = try? bus.call(.ofBus("ReloadConfig"), [], deadline)
        }
        if !isOfSystem { manager("daemon-reload") }
    }

    /// Has the provider that owns the name end, if it has a way to be asked; then has ours started.
    static func take(_ options: Options) throws(CommandError) {
        guard let address = Bus.ofSession, let bus = Bus(address) else {
            throw .failure("there is no session bus, so nothing can be taken over now")
        }
        if let owner = try owner(on: bus) {
            if owner.isOurs { return options.tell("llaverod is the Secret Service already") }
            try end(owner, bus)
            options.tell("\(PlainText.shown(owner.program.shown)) has ended")
        }
        try letOursRead(options)
        guard let deadline = try? Deadline(seconds: 60, Cancellation()) else { throw .failure("no descriptor is left") }
        do throws(BusFailure) {
            try bus.call(.ofBus("StartServiceByName"), [.text(SecretService.usualName), .number(0)], deadline)
        } catch {
            throw .failure("the bus could not start llaverod; run it yourself to see why, or log in again")
        }
        guard let owner = try owner(on: bus), owner.isOurs else {
            throw .failure("another program took the name first; `llavero secret-service status` says which")
        }
        options.tell("llaverod is the Secret Service from now on")
    }

    static func owner(on bus: Bus) throws(CommandError) -> NameOwner? {
        do throws(BusFailure) { return try NameOwner.find(SecretService.usualName, on: bus) } catch {
            throw .failure("the session bus does not answer")
        }
    }

    private static func end(_ owner: NameOwner, _ bus: Bus) throws(CommandError) {
        guard owner.isGnomeKeyring else {
            let process = owner.process.map { " (process \($0))" } ?? ""
            throw .failure(
                "\(PlainText.shown(owner.program.shown))\(process) is the Secret Service now, and has to be ended by yourself: \(advice(owner)); then run this again, or log in again"
            )
        }
        // Or the manager starts it again.
        manager("stop", "gnome-keyring-daemon.socket", "gnome-keyring-daemon.service")
        var refusal: CommandError?
        if try self.owner(on: bus)?.connection == owner.connection {
            do throws(CommandError) { try quit() } catch {
                // The manager has ended it just now, and the bus will notice; or it hears nobody.
                refusal = error
            }
        }
        guard let deadline = try? Deadline(seconds: refusal == nil ? 30 : 5, Cancellation()) else {
            throw .failure("no descriptor is left")
        }
        while try self.owner(on: bus)?.connection == owner.connection {
            guard (try? deadline.check()) != nil else {
                throw refusal ?? .failure("gnome-keyring was asked to end, and still runs; log in again")
            }
            usleep(20_000)
        }
    }

    /// What a person does with a provider that cannot be asked to end.
    static func advice(_ owner: NameOwner) -> String {
        if owner.isKWallet {
            return
                "in KWallet's settings, switch off that it serves other programs (apiEnabled=false in the group [org.freedesktop.secrets] of kwalletrc)"
        }
        if owner.isKeePassXC { return "in KeePassXC's settings, switch off its Secret Service integration" }
        return "end it, and have it not started any more"
    }

    /// By its control socket: a byte, then the size of the message and the number of what is asked for.
    private static func quit() throws(CommandError) {
        guard let folder = Folders.variable("XDG_RUNTIME_DIR") else {
            throw .failure("XDG_RUNTIME_DIR is not set, so gnome-keyring cannot be asked to end; log in again")
        }
        let socket = OwnedDescriptor(
            owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("\(folder)/keyring/control".utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .failure("the path of gnome-keyring's socket is too long; log in again")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let isConnected = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(socket.number, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw OpenFile.failure("gnome-keyring cannot be asked to end") }
        let message: [UInt8] = [0, 0, 0, 0, 8, 0, 0, 0, 3]
        guard unsafe send(socket.number, message, message.count, Int32(MSG_NOSIGNAL)) == message.count else {
            throw .failure("gnome-keyring cannot be asked to end; log in again")
        }
        // Its answer, or its end.
        var answer = [UInt8](repeating: 0, count: 8)
        _ = unsafe recv(socket.number, &answer, answer.count, Int32(MSG_WAITALL))
    }

    /// Has a llaverod that runs already read that it is to serve.
    private static func letOursRead(_ options: Options) throws(CommandError) {
        let keychain = try ToolKeychain()
        guard keychain.hasDaemon else { return }
        if manager("is-active", "--quiet", "llaverod.service") {
            manager("restart", "llaverod.service")
        } else {
            guard try Agent.end(of: keychain.host) else { return }
        }
        options.tell("llaverod was started again, so a keychain with a passcode is locked: \(keychain.unlockCommand)")
    }

    /// Calls the user's service manager; false where there is none, or where it says no.
    @discardableResult
    static func manager(_ words: String...) -> Bool {
        guard let folder = Folders.variable("XDG_RUNTIME_DIR"), Folders.isThere("\(folder)/systemd/private"),
            let program = ProgramSearch.path(of: "systemctl"),
            let child = try? ChildProcess(
                [program, "--user"] + words, input: nil, output: nil, inSessionOfItsOwn: false)
        else { return false }
        return child.ending(waits: true) == 0
    }
}
