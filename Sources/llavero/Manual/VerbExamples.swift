// SPDX-License-Identifier: Apache-2.0

/// A few commands for each verb, as its page of the manual and `llavero help VERB` show them.
enum VerbExamples {
    static func of(_ verb: String) -> [(command: String, explanation: String)] { all[verb] ?? [] }

    /// As they stand behind a help.
    static func text(of verb: String) -> String {
        let examples = of(verb)
        if examples.isEmpty { return "" }
        return "\n\nExamples:\n" + examples.map { "  \($0.command)\n      \($0.explanation)" }.joined(separator: "\n")
    }

    private static let all: [String: [(command: String, explanation: String)]] = [
        "add": [
            ("llavero add github --user ada", "asks for the password, twice, and keeps it"),
            ("llavero add forum --url https://ada@forum.example --generate", "makes one up for a server"),
            ("llavero add deploy-key --stdin --raw < key.pem", "keeps a file as it is"),
        ],
        "get": [
            ("llavero get github", "prints the password"), ("llavero get github/ada", "the one of that user"),
            ("llavero get deploy-key --raw > key.pem", "writes exactly its bytes"),
        ],
        "list": [
            ("llavero list", "your passwords, in a table"),
            ("llavero list --apps --json", "programs' too, for a script"),
        ],
        "search": [("llavero search mail", "whatever has mail in its name, user, server or note")],
        "show": [
            ("llavero show github", "everything but the password"), ("llavero show github --json", "for a script"),
        ],
        "edit": [
            ("llavero edit github", "asks for a new password, twice"),
            ("llavero edit github --generate --length 30", "makes up a new one"),
            ("llavero edit github --note 'expires in May'", "changes the note, and nothing else"),
        ],
        "rename": [("llavero rename github 'github (work)'", "gives it another name")],
        "remove": [
            ("llavero remove github/ada", "removes the one of that user"),
            ("llavero remove old older --keychain archive", "removes two of another keychain, or none"),
        ],
        "copy": [("llavero copy github --clear-after 20", "for twenty seconds")],
        "run": [
            ("llavero run --env TOKEN=github -- ./deploy.sh", "the script finds the password in $TOKEN"),
            (
                "llavero run --file KEY=deploy-key -- sh -c 'openssl pkey -in \"$KEY\" -noout'",
                "the path is in $KEY, for the command's own shell"
            ),
        ],
        "generate": [
            ("llavero generate", "three groups of six"), ("llavero generate --words 5", "five words, easily typed"),
            ("llavero generate --length 32 --symbols", "as long as a site admits"),
        ],
        "keychains": [
            ("llavero keychains", "which ones there are"),
            ("llavero keychains create work", "makes another one"),
            ("llavero keychains search login work", "looks for items in both"),
            ("llavero keychains set-aside login", "moves one out of the way that does not open any more"),
        ],
        "groups": [("llavero groups", "how much each group of programs keeps")],
        "import": [
            ("llavero import --dry-run ~/.password-store", "says what would become of each entry of pass"),
            ("llavero import passwords.csv", "takes an export of KeePassXC over"),
        ],
        "export": [
            ("llavero export backup.json", "everything of yours, into a new file for you alone"),
            ("llavero export --format csv > passwords.csv", "for another password manager"),
        ],
        "dump": [("llavero dump --json", "all items, without their secrets")],
        "check": [("llavero check && llavero export backup.json", "a backup of what is whole")],
        "doctor": [("llavero doctor", "what is wrong, and what to do")],
        "completion": [("source <(llavero completion bash)", "in ~/.bashrc: completes llavero and security")],
        "status": [("llavero status", "for people"), ("llavero status --plain | grep ^state", "for a script")],
        "unlock": [
            ("llavero unlock", "until it is locked"), ("llavero unlock --for 15m", "for a quarter of an hour"),
        ],
        "lock": [("llavero lock", "locks it at once"), ("llavero lock --end-agent", "ends the agent, too")],
        "settings": [
            ("llavero settings --lock-after 15m", "locks it after fifteen minutes without a call"),
            ("llavero settings --lock-after never --lock-with-session no", "keeps it unlocked"),
        ],
        "passcode": [
            ("llavero passcode set", "asks for one, twice"),
            ("llavero passcode set --new-fd 3 3< file", "takes it from a file, for a script"),
        ],
        "recovery": [
            ("llavero recovery make > /dev/tty", "shows fourteen words to write down"),
            ("llavero recovery use", "opens the keychain with them, on a machine that cannot"),
        ],
        "audit": [("llavero audit", "what was done, by whom"), ("llavero audit --verify", "whether the log is whole")],
        "ssh-add": [
            ("llavero ssh-add --store ~/.ssh/id_ed25519", "takes a key over"),
            ("llavero ssh-add -t 1h", "gives the stored keys to the agent for an hour"),
        ],
        "sign": [
            (
                "llavero sign --key team.pem --identifier TEAM.com.example.app ./app",
                "signs a program, so that daemons know it"
            )
        ],
        "verify": [("llavero verify ./app", "whether its signature holds")],
        "sign-key": [("llavero sign-key --prefix TEAM. team.pem > team.plist", "makes a key, and its signer file")],
        "help": [("llavero help get", "explains a verb"), ("man llavero-get", "the same, as a page")],
        "version": [("llavero version", "says which one this is")],
    ]
}
