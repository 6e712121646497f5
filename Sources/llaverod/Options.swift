// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainManual

/// What the command line says.
struct Options {
    /// Where to listen; nil for a socket that was handed over, or the user's own.
    private(set) var socket: String?
    /// The folder of keychains; nil for the user's own.
    private(set) var root: String?
    private(set) var entitlements = "/etc/llavero/entitlements.d"
    /// Whether a program that no file names has no group.
    private(set) var isClosed = false
    /// Where logind is asked for; nil when sessions have no say.
    private(set) var bus: String? = Bus.system
    private(set) var signers = "/etc/llavero/signers.d"
    /// Whether nothing is done that cannot be recorded.
    private(set) var requiresAudit = false
    /// The credential with the passcode that the keychain is unlocked with at once; nil when it stays locked.
    private(set) var credential: String?
    /// Whether it serves every user, each with a keychain of its own.
    private(set) var isOfSystem = false
    /// How much each user may keep with the system's daemon.
    private(set) var quota = KeychainQuota.standard
    private(set) var givesBack = false
    /// Whether a tool started it: then it takes keychains over when somebody asks, and gives them back when it ends.
    private(set) var isAgent = false
    private(set) var wantsHelp = false
    /// Whether its page of the manual is wanted, by who installs it.
    private(set) var wantsManual = false

    init(_ arguments: ArraySlice<String>) throws(OptionError) {
        var rest = arguments
        var hasQuota = false
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--manual": wantsManual = true
            case "--closed": isClosed = true
            case "--system": isOfSystem = true
            case "--give-back": givesBack = true
            case "--agent": isAgent = true
            case "--require-audit": requiresAudit = true
            case "--socket": socket = try Options.path(&rest, argument)
            case "--home": root = try Options.path(&rest, argument)
            case "--entitlements":
                let path = try Options.path(&rest, argument)
                entitlements = path
            case "--passcode-credential": credential = try Options.value(&rest, argument, "the name of a credential")
            case "--no-lock-events": bus = nil
            case "--bus": bus = try Options.value(&rest, argument, "an address, such as unix:path=/run/dbus/bus")
            case "--keychains-per-user":
                quota.keychains = try Options.number(&rest, argument, "a number of keychains", 1...100_000)
                hasQuota = true
            case "--disk-per-user":
                quota.bytes = try Options.size(&rest, argument)
                hasQuota = true
            case "--signers": signers = try Options.path(&rest, argument)
            default: throw OptionError(description: "there is no option \(argument); --help lists them")
            }
        }
        if hasQuota, !isOfSystem {
            throw OptionError(
                description: "--keychains-per-user and --disk-per-user are for --system; your own disk is yours")
        }
        if isOfSystem, givesBack {
            throw OptionError(description: "what the system's daemon has was nobody's before, and is not given back")
        }
    }

    private static func path(_ rest: inout ArraySlice<String>, _ option: String) throws(OptionError) -> String {
        let path = try value(&rest, option, "an absolute path")
        guard path.hasPrefix("/") else { throw OptionError(description: "\(option) wants an absolute path") }
        return path
    }

    private static func number(
        _ rest: inout ArraySlice<String>, _ option: String, _ kind: String, _ range: ClosedRange<Int>
    ) throws(OptionError) -> Int {
        guard let number = Int(try value(&rest, option, kind)), range.contains(number) else {
            throw OptionError(
                description: "\(option) wants \(kind), from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number of mebibytes or gibibytes, as `500M` or `2G`.
    private static func size(_ rest: inout ArraySlice<String>, _ option: String) throws(OptionError) -> Int {
        let text = try value(&rest, option, "a size, such as 500M or 2G")
        let units = ["M": 20, "G": 30, "T": 40]
        guard let unit = units[String(text.suffix(1))], let number = Int(text.dropLast()),
            (1...1 << 20).contains(number), number << unit >= 16 << 20
        else { throw OptionError(description: "\(option) wants a size of 16M or more, such as 500M or 2G") }
        return number << unit
    }

    private static func value(
        _ rest: inout ArraySlice<String>, _ option: String, _ kind: String
    ) throws(OptionError) -> String {
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw OptionError(description: "\(option) wants \(kind)")
        }
        return value
    }

    static let help = """
        usage: llaverod [OPTION]...
               llaverod --give-back [--home FOLDER]

        Serves your keychain over a socket: programs then ask the daemon, and have neither its keys nor its files.

          --socket PATH          where to listen, if systemd hands over no socket (where programs look)
          --home FOLDER          where the keychains are ($LLAVERO_HOME, else ~/.local/share/llavero)
          --entitlements FOLDER  who is in which access groups (/etc/llavero/entitlements.d)
          --closed               a program that no file there names has no group: each of its calls is refused
          --passcode-credential NAME
                                 unlocks the keychain at once with the passcode in a credential of systemd's
          --no-lock-events       stays unlocked when a session is locked, or the machine sleeps
          --bus ADDRESS          the system's bus (unix:path=/run/dbus/system_bus_socket)
          --signers FOLDER       whose signed programs say that themselves (/etc/llavero/signers.d)
          --require-audit        does nothing with secrets that it cannot record in its audit log
          --system               serves every user, each with a keychain of its own that nobody but the daemon can read:
                                 the socket is /run/llavero/socket, the keychains are below --home (/var/lib/llavero), and
                                 the credential of the user with the number 1000 is NAME.1000. It asks nobody itself:
                                 `llavero prompt-agent`, which each user runs, asks for it
          --keychains-per-user N with --system: how many keychains each user may have (64)
          --disk-per-user SIZE   with --system: how much of the disk each user's keychains may take, with their logs (1G)
          --give-back            lets programs open the keychain themselves again
        """
}

struct OptionError: Error {
    let description: String
}

/// The page of the manual about this program, made from its help.
enum DaemonManual {
    static var page: String {
        let help = HelpText(Options.help)
        var page = ManualPage("llaverod", section: 8, "keeps keychains, and unlocks them for programs")
        page.add(synopsis: help.ways)
        page.add(section: "DESCRIPTION", help.paragraphs + [others])
        page.add(section: "OPTIONS")
        page.add(options: help.options)
        page.add(section: "HOW IT BEGINS AND ENDS", [units, agent, signals, gone])
        page.add(section: "FILES")
        for (name, text) in files { page.add(term: name, text) }
        page.add(section: "ENVIRONMENT")
        for (name, text) in variables { page.add(term: name, text) }
        page.add(
            section: "EXIT STATUS",
            [["0 when it was told to end, 1 when it could not serve, 64 when its options were not understood."]])
        page.add(seeAlso: [("llavero", 1), ("security", 1)])
        return page.text
    }

    private static let others = [
        "Programs need no change: they ask the daemon where one answers, and open the keychain themselves where none has it."
    ]
    private static let units = [
        "For one user: `systemctl --user enable --now llaverod.socket`. For everybody: `systemd-sysusers`,",
        "`systemd-tmpfiles --create` and `systemctl enable --now llaverod.socket`. The same with `disable` ends it.",
    ]
    private static let agent = [
        "llavero(1) and security(1) start one as your agent, when a keychain is to stay unlocked and none runs. It takes a",
        "keychain over when somebody asks for it. `llavero lock --end-agent` ends it; then it gives back what it had.",
    ]
    private static let signals = [
        "SIGTERM, SIGINT and SIGHUP end it after the calls that are under way. A user's daemon then gives its keychains back,",
        "unless the service manager has its socket and starts it again.",
    ]
    private static let gone = [
        "A keychain belongs to the daemon that took it over, also while that is away to be started again, and after it was killed: programs are",
        "told so and do not open it. The next command of llavero(1) or security(1) then starts another daemon, and",
        "`llaverod --give-back` does without.",
    ]
    private static let files = [
        ("$XDG_RUNTIME_DIR/llavero/socket", "where the user's own daemon listens"),
        ("~/.local/share/llavero/.agent", "where it listens when there is no session, as in containers and CI"),
        ("/run/llavero/socket", "where the system's daemon listens"),
        ("/var/lib/llavero", "the keychains of the system's daemon"),
        ("/etc/llavero/entitlements.d", "who is in which access groups"),
        ("/etc/llavero/signers.d", "whose signed programs say that themselves"),
        ("audit/", "beside each keychain: what was done with it, and by whom"),
    ]
    private static let variables = [
        ("LLAVERO_HOME", "the folder of the keychains"),
        ("LLAVERO_KEYCHAIN", "which keychain it takes over at once, or gives back, instead of login"),
        ("LLAVERO_SOCKET", "where programs look for it"),
        ("LLAVERO_SYSTEM_SOCKET", "where programs look for the system's, in place of /run/llavero/socket"),
        ("PINENTRY", "the program with which a user's own daemon asks for passcodes and passwords"),
    ]
}
