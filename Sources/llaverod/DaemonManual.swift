// SPDX-License-Identifier: Apache-2.0

internal import KeychainManual

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
