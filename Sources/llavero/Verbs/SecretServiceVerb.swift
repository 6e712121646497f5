// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainTools

/// `llavero secret-service`.
enum SecretServiceVerb: Verb {
    static let name = "secret-service"
    static let summary = "makes this keychain the one that browsers and other programs use, or takes that back"
    static let help = """
        usage: llavero secret-service [status] [--json | --plain]
               llavero secret-service enable [--system] [--now] [--without-import]
               llavero secret-service disable [--system] [--leave-changed]

        Browsers, git, Python's keyring and all programs of libsecret keep secrets with whatever program is org.freedesktop.secrets
        on the session's bus: gnome-keyring, KWallet, KeePassXC, or llaverod.

        `enable` makes that llaverod: it is started when a program asks, and what would start gnome-keyring or oo7 for it is
        switched off. It changes files of yours alone, or with --system those of the machine, and notes what they were. The change
        counts from the next login on. First import what the other program has: `llavero import --from-secret-service`; enable
        refuses to leave items behind. `disable` puts every file back as it was, so that the program from before serves its
        own items again; what was stored here meanwhile stays here.

        `status`, the default, shows which program it is now, which one the bus would start, and what happens at the next login.

          --system           for all users; requires root
          --now              asks gnome-keyring to end, and starts llaverod; other programs have to be ended by yourself
          --without-import   leaves items with the other program
          --leave-changed    leaves files as they are that somebody changed since, and puts back the others
          --json             one object
          --plain            a line for each field: its name, a tab, its value
          --quiet            prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = options.operands.first ?? "status"
        guard options.operands.count <= 1 else { throw .usage("unexpected argument: \(options.operands[1])") }
        let accepted: [String]
        switch action {
        case "status": accepted = ["--json", "--plain"]
        case "enable": accepted = ["--system", "--now", "--without-import", "--quiet"]
        case "disable": accepted = ["--system", "--leave-changed", "--quiet"]
        default:
            throw .usage(
                "unknown action of secret-service: \(PlainText.shown(action)); the actions are status, enable and disable"
            )
        }
        for option in ["--json", "--plain", "--system", "--now", "--without-import", "--leave-changed", "--quiet"]
        where options.has(option) && !accepted.contains(option) {
            throw .usage("secret-service \(action) does not accept \(option)")
        }
        switch action {
        case "enable": try enable(options)
        case "disable": try disable(options)
        default: try status(options)
        }
    }

    private static func scope(_ options: Options) throws(CommandError) -> ServiceScope {
        guard options.has("--system") else { return try .user() }
        guard geteuid() == 0 else { throw .failure("--system changes files of the machine, which root alone may") }
        return .system
    }

    // MARK: Status

    private static func status(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--json", "--plain"])
        let report = try ServiceReport()
        if options.has("--json") {
            print(JSONText.object(report.members).line)
        } else if options.has("--plain") {
            for (name, value) in report.members { print("\(name)\t\(PlainText.field(value))") }
        } else {
            for line in report.sentences { print(line) }
        }
    }

    // MARK: Enabling

    private static func enable(_ options: Options) throws(CommandError) {
        let scope = try scope(options)
        guard !scope.isOfSystem || !options.has("--now") else {
            throw .usage("--now is for the session of one user, and cannot be used with --system")
        }
        if !scope.isOfSystem {
            // Refuses where this user's keychain cannot be served.
            _ = try SecretTarget.registry()
            if !options.has("--without-import") { try requireImport() }
        }
        var takeover =
            try Takeover(at: scope.record, isOfSystem: scope.isOfSystem)
            ?? Takeover(keptAt: scope.record, isOfSystem: scope.isOfSystem)
        try takeover.apply(try scope.wanted())
        Handover.tellOfChanges(isOfSystem: scope.isOfSystem)
        let whom = scope.isOfSystem ? "for all users" : "for you"
        options.tell("llaverod is to be the Secret Service \(whom); \(takeover.changes.count) files were changed")
        if options.has("--now") { return try Handover.take(options) }
        if scope.isOfSystem {
            options.tell(
                "it counts for each user from the next login on; each imports with `llavero import --from-secret-service`"
            )
        } else if let address = Bus.ofSession, let bus = Bus(address), let owner = try Handover.owner(on: bus) {
            if owner.isOurs { return }
            let how = owner.isGnomeKeyring ? "`llavero secret-service enable --now` ends it" : Handover.advice(owner)
            options.tell("\(PlainText.shown(ServiceReport.words(owner))), goes on until you log out; \(how)")
        } else {
            options.tell(
                "the first program that asks for a secret starts llaverod, in the place of an agent; a keychain with a passcode is locked then, and `llavero unlock` unlocks it"
            )
        }
    }

    /// Nobody's items are left behind unasked.
    private static func requireImport() throws(CommandError) {
        let stamp = ImportStamp.last
        if let address = Bus.ofSession, let bus = Bus(address), let owner = try Handover.owner(on: bus) {
            if owner.isOurs { return }
            let count: Int
            do throws(ProviderFailure) {
                let provider = try SecretProvider(on: address, as: SecretService.usualName)
                count = try provider.collections().filter { !$0.isTemporary }.reduce(0) { $0 + $1.items.count }
            } catch {
                throw .failure(
                    "\(PlainText.shown(owner.program.shown)) does not say how many items it has: \(error); --without-import goes on all the same"
                )
            }
            guard count > 0, stamp?.items != count else { return }
            let imported = stamp.map { ", and \($0.items) were imported" } ?? ""
            throw .failure(
                "\(PlainText.shown(owner.program.shown)) has \(count) items\(imported): `llavero import --from-secret-service` brings them here first; --without-import leaves them there"
            )
        }
        guard stamp == nil, let first = OtherProviders.keyrings.first else { return }
        throw .failure(
            "gnome-keyring has items in \(PlainText.shown(first)): log in with it and run `llavero import --from-secret-service`, or `llavero import --as-secret-service FILE`; --without-import leaves them there"
        )
    }

    // MARK: Disabling

    private static func disable(_ options: Options) throws(CommandError) {
        let scope = try scope(options)
        guard let takeover = try Takeover(at: scope.record, isOfSystem: scope.isOfSystem) else {
            if Folders.isThere(ServiceScope.system.mark), !scope.isOfSystem {
                throw .failure(
                    "it is enabled for all users: `sudo llavero secret-service disable --system` takes that back")
            }
            throw .failure("nothing was changed here, so there is nothing to take back")
        }
        let left = try takeover.takeBack(leavingChanged: options.has("--leave-changed"))
        Handover.tellOfChanges(isOfSystem: scope.isOfSystem)
        options.tell("\(takeover.changes.count - left.count) files are as they were before")
        for path in left { options.tell("\(PlainText.shown(path)) stays as somebody changed it") }
        if let address = Bus.ofSession, let bus = Bus(address), let owner = try Handover.owner(on: bus), owner.isOurs {
            let how =
                Handover.manager("is-active", "--quiet", "llaverod.service")
                ? "it is started again (`systemctl --user restart llaverod`)" : "it ends (`llavero lock --end-agent`)"
            options.tell("llaverod goes on until \(how), or until you log out")
        }
    }
}
