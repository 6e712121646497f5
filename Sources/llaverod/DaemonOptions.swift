// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainBus
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainTools

/// The options on the command line.
struct DaemonOptions {
    /// Where to listen; nil for a socket from the service manager, or the user's usual one.
    private(set) var socket: String?
    /// Whether it listens beside the keychains even while its user has a session, whose folder goes with the session.
    private(set) var isWithoutSession = false
    /// The folder of the keychains; nil for the user's usual one.
    private(set) var root: String?
    private(set) var entitlements = "/etc/llavero/entitlements.d"
    /// Whether programs that no file names have no access groups.
    private(set) var isClosed = false
    /// The name on the session's bus as which it is the Secret Service; nil when it is none.
    private(set) var secretService: String?
    /// The bus on which logind is found; nil when sessions do not lock the keychain.
    private(set) var bus: String? = Bus.system
    private(set) var signers = "/etc/llavero/signers.d"
    /// Whether the daemon refuses operations that it cannot record.
    private(set) var requiresAudit = false
    /// The credential with the passcode that unlocks the keychain at the start; nil when it stays locked.
    private(set) var credential: String?
    /// Whether it serves every user, each with a keychain of its own.
    private(set) var isOfSystem = false
    /// How much each user may store with the system's daemon.
    private(set) var quota = KeychainQuota.standard
    /// How often a circle's server is asked whether it has something new, in seconds; nil where it is not asked.
    private(set) var syncInterval: UInt32? = 30
    private(set) var givesBack = false
    /// Whether a tool started it: then it takes keychains over on request, and gives them back when it ends.
    private(set) var isAgent = false
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false
    /// Whether to print the manual page, for installers.
    private(set) var wantsManual = false

    init(_ arguments: ArraySlice<String>) throws(CommandError) {
        var rest = arguments
        var hasQuota = false
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--version": wantsVersion = true
            case "--manual": wantsManual = true
            case "--closed": isClosed = true
            case "--system": isOfSystem = true
            case "--give-back": givesBack = true
            case "--agent": isAgent = true
            case "--require-audit": requiresAudit = true
            case "--socket": socket = try DaemonOptions.path(&rest, argument)
            case "--without-session": isWithoutSession = true
            case "--home": root = try DaemonOptions.path(&rest, argument)
            case "--entitlements":
                let path = try DaemonOptions.path(&rest, argument)
                entitlements = path
            case "--passcode-credential":
                credential = try DaemonOptions.value(&rest, argument, "the name of a credential")
            case "--no-lock-events": bus = nil
            case "--bus": bus = try DaemonOptions.value(&rest, argument, "an address, such as unix:path=/run/dbus/bus")
            case "--keychains-per-user":
                quota.keychains = try DaemonOptions.number(&rest, argument, "a number of keychains", 1...100_000)
                hasQuota = true
            case "--disk-per-user":
                quota.bytes = try DaemonOptions.size(&rest, argument)
                hasQuota = true
            case "--sync-every":
                syncInterval = UInt32(
                    try DaemonOptions.number(&rest, argument, "a number of seconds", 1...900))
            case "--no-sync": syncInterval = nil
            case "--secret-service": secretService = SecretService.usualName
            case _ where argument.hasPrefix("--secret-service="):
                secretService = String(argument.dropFirst("--secret-service=".count))
            case "--signers": signers = try DaemonOptions.path(&rest, argument)
            default: throw CommandError.failure("unknown option: \(argument); --help lists the options")
            }
        }
        if hasQuota, !isOfSystem {
            throw CommandError.failure(
                "--keychains-per-user and --disk-per-user require --system")
        }
        if isWithoutSession, isOfSystem || socket != nil {
            throw CommandError.failure("--without-session cannot be used with --system or --socket")
        }
        if isOfSystem, secretService != nil {
            throw CommandError.failure(
                "--secret-service cannot be used with --system: a session bus belongs to one user, whose own daemon serves it"
            )
        }
        if isOfSystem, givesBack {
            throw CommandError.failure(
                "--give-back cannot be used with --system, whose keychains are served by that daemon only")
        }
    }

    /// Whether it is an administrator's, who opens a keychain of a user of the system's daemon while that is stopped.
    var isOfAdministrator: Bool {
        get throws(KeychainError) {
            guard isAgent else { return false }
            return DaemonSocket.isOfSystemStore(try DaemonHost.place(root: root))
        }
    }

    private static func path(_ rest: inout ArraySlice<String>, _ option: String) throws(CommandError) -> String {
        let path = try value(&rest, option, "an absolute path")
        guard path.hasPrefix("/") else { throw CommandError.failure("\(option) requires an absolute path") }
        return path
    }

    private static func number(
        _ rest: inout ArraySlice<String>, _ option: String, _ kind: String, _ range: ClosedRange<Int>
    ) throws(CommandError) -> Int {
        guard let number = Int(try value(&rest, option, kind)), range.contains(number) else {
            throw CommandError.failure(
                "\(option) requires \(kind), from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number of mebibytes or gibibytes, as `500M` or `2G`.
    private static func size(_ rest: inout ArraySlice<String>, _ option: String) throws(CommandError) -> Int {
        let text = try value(&rest, option, "a size, such as 500M or 2G")
        let units = ["M": 20, "G": 30, "T": 40]
        guard let unit = units[String(text.suffix(1))], let number = Int(text.dropLast()),
            (1...1 << 20).contains(number), number << unit >= 16 << 20
        else { throw CommandError.failure("\(option) requires a size of 16M or more, such as 500M or 2G") }
        return number << unit
    }

    private static func value(
        _ rest: inout ArraySlice<String>, _ option: String, _ kind: String
    ) throws(CommandError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw CommandError.failure("\(option) requires \(kind)")
        }
        return value
    }

    static let help = """
        usage: llaverod [OPTION]...
               llaverod --give-back [--home FOLDER]

        Serves your keychain over a socket: programs ask the daemon, and have no access to its keys and files.

          --socket PATH          the socket to listen on, unless systemd passes one (default: where programs look)
          --without-session      listens beside the keychains, even while a session of yours has a folder for sockets: for a unit of
                                 the system's that serves one user
          --home FOLDER          the folder of the keychains (default: $LLAVERO_HOME, or ~/.local/share/llavero)
          --entitlements FOLDER  files that grant access groups to programs (/etc/llavero/entitlements.d)
          --closed               refuses every call of a program that no entitlement file names
          --passcode-credential NAME
                                 unlocks the keychain at the start with the passcode in this systemd credential
          --no-lock-events       does not lock when a session is locked or the last one ends, or the machine sleeps
          --bus ADDRESS          the system bus (unix:path=/run/dbus/system_bus_socket)
          --signers FOLDER       signers whose programs carry their own access groups (/etc/llavero/signers.d)
          --secret-service       serves browsers, libsecret and other programs on the session bus, too, as org.freedesktop.secrets;
                                 --secret-service=NAME as another name
          --sync-every SECONDS   how often keychains that are in a circle ask its server for news: 1 to 900 (30)
          --no-sync              does not synchronize: `llavero sync` does it when it is run
          --require-audit        refuses operations on secrets that cannot be recorded in the audit log
          --system               serves every user, each with a separate keychain that only the daemon can read: the
                                 socket is /run/llavero/socket, the keychains are below --home (/var/lib/llavero), and user
                                 1000 has the credential NAME.1000. The daemon shows no prompts: each user runs
                                 `llavero prompt-agent` for them
          --keychains-per-user N  with --system: how many keychains each user may have (64)
          --disk-per-user SIZE   with --system: how much disk space each user's keychains and logs may take (1G, at least 16M)
          --give-back            lets programs open the keychain themselves again
          --version              prints the version, the commit, the file format, and the versions of the libraries
        """
}

/// The manual page of this program, made from its help.
enum DaemonManual {
    static var page: String {
        let help = HelpText(DaemonOptions.help)
        var page = ManualPage("llaverod", section: 8, "serves keychains to programs")
        page.add(synopsis: help.ways)
        page.add(section: "DESCRIPTION", help.paragraphs + [others])
        page.add(section: "OPTIONS")
        page.add(options: help.options)
        page.add(section: "START AND STOP", [units, agent, signals, gone])
        page.add(section: "FILES")
        for (name, text) in files { page.add(term: name, text) }
        page.add(section: "ENVIRONMENT")
        for (name, text) in variables { page.add(term: name, text) }
        page.add(examples: [
            ("systemctl --user enable --now llaverod.socket", "a daemon for you, started when a program first asks"),
            ("llaverod --secret-service", "serves browsers and desktop programs on the session's bus, too"),
            ("llaverod --give-back", "afterwards programs open the keychain themselves again"),
        ])
        page.add(
            section: "EXIT STATUS",
            [["0 after a signal to end, 1 when it could not serve, 64 when an option is wrong."]])
        page.add(seeAlso: [("llavero", 1), ("security", 1)])
        return page.text
    }

    private static let others = [
        "Programs need no change: they ask the daemon if one answers, and otherwise open the keychain themselves."
    ]
    private static let units = [
        "For one user: `systemctl --user enable --now llaverod.socket`. For all users: `systemd-sysusers`,",
        "`systemd-tmpfiles --create` and `systemctl enable --now llaverod.socket`. The same with `disable` stops it.",
    ]
    private static let agent = [
        "llavero(1) and security(1) start a daemon as your agent when a keychain is to stay unlocked. The agent takes a",
        "keychain over on request. `llavero lock --end-agent` ends it; it then gives its keychains back.",
    ]
    private static let signals = [
        "SIGTERM, SIGINT and SIGHUP end it once the current calls are done. A user's daemon then gives its keychains back,",
        "unless the service manager owns its socket and starts it again.",
    ]
    private static let gone = [
        "A keychain belongs to the daemon that took it over, also while that daemon restarts or after it was killed: programs then fail",
        "with a message and do not open it. The next command of llavero(1) or security(1) starts another daemon;",
        "`llaverod --give-back` makes the keychain usable without a daemon.",
    ]
    private static let files = [
        ("$XDG_RUNTIME_DIR/llavero/socket", "where the user's own daemon listens"),
        ("~/.local/share/llavero/.agent", "where it listens without a login session, as in containers and CI"),
        ("/run/llavero/socket", "where the system's daemon listens"),
        ("/var/lib/llavero", "the keychains of the system's daemon"),
        ("/etc/llavero/entitlements.d", "files that grant access groups to programs"),
        ("/etc/llavero/signers.d", "signers whose programs carry their own access groups"),
        ("audit/", "beside each keychain: its audit log"),
    ]
    private static let variables = [
        ("LLAVERO_HOME", "the folder of the keychains"),
        ("LLAVERO_KEYCHAIN", "the keychain that it takes over at the start, or gives back, instead of login"),
        ("LLAVERO_SOCKET", "the socket where programs look for it"),
        (
            "LLAVERO_SYSTEM_SOCKET",
            "the socket where programs look for the system's daemon, instead of /run/llavero/socket"
        ),
        ("PINENTRY", "the program that a user's own daemon asks for passcodes and passwords with"),
    ]
}
