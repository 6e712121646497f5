// SPDX-License-Identifier: Apache-2.0

/// A few commands for each verb, as its page of the manual and `llavero help VERB` show them.
enum VerbExamples {
    static func of(_ verb: String) -> [(command: String, explanation: String)] { all[verb] ?? [] }

    /// As text at the end of a help.
    static func text(of verb: String) -> String {
        let examples = of(verb)
        if examples.isEmpty { return "" }
        return "\n\nExamples:\n" + examples.map { "  \($0.command)\n      \($0.explanation)" }.joined(separator: "\n")
    }

    private static let all: [String: [(command: String, explanation: String)]] = [
        "add": [
            ("llavero add github --user ada", "asks for the password twice, and stores it"),
            ("llavero add forum --url https://ada@forum.example --generate", "generates one for a server"),
            ("llavero add diary --editor", "opens your editor for a text of several lines"),
            ("llavero add deploy-key --stdin --raw < key.pem", "stores a file as it is"),
            (
                "llavero add card --tag money --expires 2028-05-01",
                "with a tag, and the day from which on it is no good"
            ),
        ],
        "get": [
            ("llavero get github", "prints the password"), ("llavero get github/ada", "the password of that user"),
            ("llavero get deploy-key --raw > key.pem", "writes exactly its bytes"),
            ("llavero get github --field user", "prints its user"),
            ("llavero get github --whole", "all of it, in the form of an entry of `pass`"),
            ("llavero get github --json", "all of it with the secret, for a script"),
        ],
        "code": [
            ("llavero code github", "prints the one-time code"),
            ("llavero code github --copy", "copies it to the clipboard, for 45 seconds"),
            ("llavero edit github --code", "asks for the otpauth:// URL of the site's QR code, or the secret"),
        ],
        "list": [
            ("llavero list --tag work", "those with a tag"),
            ("llavero list", "your passwords, in a table"),
            ("llavero list --apps --json", "also those of programs, for a script"),
        ],
        "trust": [
            ("llavero trust", "what you said of certificates"),
            ("llavero trust add company-root.pem", "trusts a private authority"),
        ],
        "search": [("llavero search mail", "items with mail in name, user, server or note")],
        "show": [
            ("llavero show github", "all attributes, without the password"),
            ("llavero show github --json", "for a script"),
        ],
        "edit": [
            ("llavero edit github", "asks for a new password, twice"),
            ("llavero edit github --generate --length 30", "generates a new one"),
            ("llavero edit deploy-key --editor", "opens a text of several lines in your editor, in memory alone"),
            ("llavero edit github --note 'expires in May'", "changes only the note"),
            (
                "llavero edit github --field PIN",
                "asks for a further secret, which `llavero get github --field PIN` prints"
            ),
            ("llavero edit passport --attach scan.pdf", "stores a file with the item"),
        ],
        "browse": [
            ("llavero browse", "all of your keychain on the whole screen; / searches, ? lists the keys, q ends"),
            ("llavero browse --hide-after 10 --mouse", "shows a password for ten seconds at most, and takes clicks"),
        ],
        "rename": [("llavero rename github 'github (work)'", "gives it another name")],
        "remove": [
            ("llavero remove github/ada", "removes the one of that user"),
            ("llavero remove old older --keychain archive", "removes two items of another keychain, or nothing"),
        ],
        "backup": [
            ("llavero backup ~/keychain.llavero-backup --passphrase", "asks for a passphrase that opens it anywhere"),
            (
                "llavero backup --into ~/backups --keep 7",
                "with a recovery key nothing is asked; a week of daily backups"
            ),
            (
                "llavero backup - --fd 3 3<phrase | ssh host 'llavero restore - --yes --fd 3 3<phrase'",
                "to another machine, which has a file of the passphrase, too"
            ),
            (
                "llavero backup --into ~/backups --fd 3 --passcode-fd 4 3<phrase 4<passcode",
                "from cron or a unit, where nobody types: both secrets from files that only you can read"
            ),
            ("llavero backup --verify ~/keychain.llavero-backup", "whether the file is complete and undamaged"),
        ],
        "restore": [
            ("llavero restore ~/keychain.llavero-backup --dry-run", "lists what would change"),
            ("llavero restore ~/keychain.llavero-backup", "puts back what is missing or older"),
        ],
        "snapshots": [
            ("llavero snapshots", "what can be gone back to"),
            ("llavero restore --snapshot 2026-11-22 --dry-run", "what would change"),
        ],
        "compact": [("llavero compact", "gives the room of removed items back to the disk")],
        "erase": [("llavero erase archive", "destroys it for good, after its name was typed")],
        "history": [
            ("llavero history github", "what the item was before it was changed"),
            ("llavero history", "the removed items that can be brought back"),
        ],
        "undelete": [("llavero undelete github", "brings the item back that was removed last under that name")],
        "restore-version": [("llavero restore-version github 12", "makes the item what it was in version 12")],
        "forget": [
            ("llavero forget github", "destroys its earlier versions"),
            ("llavero forget --everything", "destroys all earlier versions of your passwords"),
        ],
        "copy": [
            ("llavero copy github --clear-after 20", "for twenty seconds"),
            ("llavero copy github --field code", "the one-time code"),
        ],
        "run": [
            ("llavero run --env TOKEN=github -- ./deploy.sh", "the script gets the password in $TOKEN"),
            ("llavero run --env-file .env -- make deploy", "variables of a file, with the references in it replaced"),
            (
                "llavero run --file KEY=deploy-key -- sh -c 'openssl pkey -in \"$KEY\" -noout'",
                "the command's shell gets the path in $KEY"
            ),
        ],
        "inject": [
            ("llavero inject config.tpl --out config", "fills {{ llavero://github/user }} and others into a new file"),
            ("llavero inject < config.tpl | kubectl apply -f -", "on its way to a command"),
        ],
        "generate": [
            ("llavero generate", "three groups of six"), ("llavero generate --words 5", "five words, easy to type"),
            ("llavero generate --length 32 --symbols", "as long as a site allows"),
        ],
        "keychains": [
            ("llavero keychains", "lists all keychains"),
            ("llavero keychains create work", "creates another one"),
            ("llavero keychains search login work", "searches both for items"),
            ("llavero keychains set-aside login", "moves a keychain that cannot be opened out of the way"),
        ],
        "circle": [
            ("llavero circle status", "how this machine and its circle are, and what to do about it"),
            ("llavero circle invite --name build-7 --reader --for 30m >token", "lets one machine in that has nobody"),
            (
                "llavero circle allow \"$(ssh web-1 llavero circle tpm)\" --name web-1",
                "lets in the machine with that TPM, and prints what it has to know of the circle"
            ),
            ("llavero circle role phone owner writer", "lets phone admit and remove others, too"),
            ("llavero circle view work --group 'team.*'", "keeps a team's items apart, for now on this machine alone"),
        ],
        "sync": [("llavero sync", "fetches what others changed, and sends what changed here")],
        "groups": [("llavero groups", "how many items each access group has")],
        "apps": [
            ("llavero apps", "the programs that asked for passwords on the session's bus"),
            ("llavero apps refuse program:/usr/bin/game", "a game finds everything locked from now on"),
            ("llavero apps others ask", "has you asked about every program that comes new"),
        ],
        "secret-service": [
            ("llavero secret-service", "shows which program keeps other programs' secrets now"),
            ("llavero secret-service enable", "makes that llaverod, from the next login on"),
            ("llavero secret-service disable", "puts everything back as it was"),
        ],
        "import": [
            ("llavero import --dry-run ~/.password-store", "reports what an import of each entry of pass would do"),
            ("llavero import --update ~/.password-store", "takes over what was changed in pass since the last import"),
            ("llavero import passwords.csv", "imports an export of a browser, or of KeePassXC"),
            ("llavero import passwords.kdbx", "imports a database of KeePass; asks for its password"),
            ("llavero import export.1pux", "imports an export of 1Password, with its files"),
            ("llavero import ~/.local/share/kwalletd/kdewallet.kwl", "imports a wallet of KWallet, without KDE"),
            ("llavero import --from-secret-service", "brings everything that gnome-keyring keeps for other programs"),
        ],
        "export": [
            ("llavero export backup.json", "all of your items, into a new file that only you can read"),
            ("llavero export --format csv > passwords.csv", "for another password manager"),
        ],
        "dump": [("llavero dump --json", "all items, without their secrets")],
        "check": [("llavero check && llavero export backup.json", "a backup, if nothing is damaged")],
        "repair": [
            ("llavero repair --dry-run", "what a damaged keychain still holds"),
            ("llavero repair", "a sound keychain with all of that, and the damaged one beside it"),
        ],
        "doctor": [("llavero doctor", "problems, and how to fix them")],
        "report": [
            ("llavero report", "weak, reused and exposed passwords, and what expires"),
            ("llavero report --html report.html", "the same as a page with charts, for a browser"),
            ("llavero report --old-after 104w --json", "for a script; old is what did not change for two years"),
        ],
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
            ("llavero recovery make --paper | lp", "prints a page with the words and a QR code"),
            ("llavero recovery check", "whether the words on the page are right"),
            ("llavero recovery use", "opens the keychain with them on a machine without its device key"),
        ],
        "audit": [
            ("llavero audit", "what was done, and by which program"),
            ("llavero audit --secrets --item github", "who read it"),
            ("llavero audit --verify", "whether the log is intact"),
        ],
        "ssh-add": [
            ("llavero ssh-add --store ~/.ssh/id_ed25519", "stores a key"),
            ("llavero ssh-add -t 1h", "adds the stored keys to the agent for an hour"),
        ],
        "sign": [
            (
                "llavero sign --key team.pem --identifier TEAM.com.example.app ./app",
                "signs a program, so that daemons recognize it"
            )
        ],
        "verify": [("llavero verify ./app", "whether its signature is valid")],
        "sign-key": [("llavero sign-key --prefix TEAM. team.pem > team.plist", "makes a key and its signer file")],
        "help": [("llavero help get", "explains a verb"), ("man llavero-get", "the same, as a page")],
        "version": [("llavero version", "prints the version")],
    ]
}
