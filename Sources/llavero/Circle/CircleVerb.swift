// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero circle`.
enum CircleVerb: Verb {
    static let name = "circle"
    static let summary = "shares synchronizable items with other machines"
    static let help = """
        usage: llavero circle create --server ADDRESS [--name NAME] [--password-fd N] [--quiet]
               llavero circle join --server ADDRESS (--circle ID | --token-fd N) [--compare] [--password-fd N] [--quiet]
               llavero circle join --tpm [--rsa] --server ADDRESS --circle PLACE [--password-fd N] [--quiet]
               llavero circle admit REQUEST [--name NAME] [--reader | --owner] [--sponsor] [--view VIEW…] [--quiet]
               llavero circle admit --compare [--name NAME] [--reader | --owner] [--sponsor] [--view VIEW…] [--quiet]
               llavero circle invite [--name NAME] [--reader | --owner] [--sponsor] [--view VIEW…] [--for TIME]
               llavero circle invite --withdraw TOKEN [--quiet]
               llavero circle allow TPM | FILE [--name NAME] [--reader | --owner] [--sponsor] [--view VIEW…]
               llavero circle tpm [--rsa]
               llavero circle recover --server ADDRESS --circle ID [--remove-others] [--fd N | --stdin] [--password-fd N] [--quiet]
               llavero circle status | list | log | views | invites | proposals [--json | --plain]
               llavero circle words [--fd N | --stdin] [--quiet]
               llavero circle remove DEVICE… [--keep-words] [--yes] [--quiet]
               llavero circle rotate-list DEVICE [--json | --plain]
               llavero circle erase-device DEVICE [--all] [--quiet]
               llavero circle role DEVICE [owner | member] [sponsor] [writer | reader | none] [--view VIEW…] [--quiet]
               llavero circle view NAME [--group GROUP…] [--hint HINT…] [--rest] [--quiet]
               llavero circle quorum N [--quiet]
               llavero circle sign PROPOSAL [--quiet]
               llavero circle heal [--without-unreadable] [--quiet]
               llavero circle leave [--yes] [--quiet]
               llavero circle follow [--yes | --pass-over NUMBER] [--quiet]
               llavero circle server ADDRESS [--password-fd N] [--quiet]
               llavero circle move ADDRESS [--password-fd N] [--quiet]
               llavero circle sql [--member ROLE | --joiner ROLE | --keeper ROLE | --drop ROLE] [--certificate | --password-fd N] [--circle ID]

        A circle is a group of machines that have the same synchronizable items (`add --sync`). They exchange them over a PostgreSQL
        database that sees neither names nor values. Docs/Sync.md says how, Docs/SyncOperations.md how to set up the database.

        `create` founds a circle. `join` and `admit` take a machine in: `join` there prints a request, `admit` on a member takes it and
        prints an answer, which `join` waits for; both are pasted, over ssh for example. With --compare both show eight digits
        instead, and both persons say whether they are the same. `invite` prints a token with which one machine joins without
        anybody: for containers and for machines that start by themselves. `allow` lets in, once, the machine with a certain TPM: it
        takes the hash of its endorsement key, which `tpm` prints there, or a file of them, and prints the circle and its newest
        entry, which the machine has to know (`join --tpm`); nothing secret is anywhere. `recover` is for when no machine is left: it takes
        the fourteen words of `llavero recovery make`, which `words` has made a member before.

        `status` shows how this machine and its circle are, `list` the members, `log` what was done to the circle. A member is heard of when
        it joins, when it writes something that comes here, and every six hours when it says what it has seen; `silent` of
        `status --json` has those of whom nothing was heard for a week, or ever. `remove` ends what a
        machine may do, or several at once, after a question, for of two that turned each may keep the other from being removed; what it
        could read, and has not changed since, `rotate-list` names. `erase-device` has it destroy what it has of the circle, or with --all its keychain,
        when it hears of it.

        `role` says what a machine may do: owner and sponsor as below, member for neither; what is not said of the two is taken away.
        writer, reader or none is for items: in the views of --view, or else in all that the machine reads, or in all where it reads
        none. A view is a set of items with keys of its own: `view` makes one, or changes what it takes, and `views` lists them.
        Machines outside of it keep what they had before. `invites` lists tokens that nobody has used, and TPMs that have not come.

        `quorum` has so many owners sign what owners do. What one of them does is then a proposal, and the command ends with 1 and says
        which; on another owner's machine `proposals` lists what waits, and `sign` signs it. A proposal lasts until something else
        enters the log.

        `heal` gives a database that was put back, or lost something, what this machine remembers, and members the keys that they
        find there no more. What it cannot read another machine may have: run it there too. Where none has, --without-unreadable gives
        that up, and the rest is whole again. `follow` takes the database's history where there are two, and merges what is here into
        it; of the log it says first what that costs. With --pass-over an owner decides that an entry which follows no history counts for
        nobody, on no machine. `leave` ends this machine's part; its items stay. The last owner leaves others only with --yes.

        `move` tells all machines that the circle is at another address from now on, after a look whether it is there. `server` says where
        this machine reaches it, or its password; where nobody is at the address of a move, it goes on at the one given.

          --server ADDRESS   postgresql://USER@HOST/DATABASE?sslmode=verify-full… or a Unix socket; without a password
          --password-fd N    reads the password of the role from descriptor N; otherwise it is asked for where one is needed
          --circle ID        32 digits, as `llavero circle status` on a member shows them
          --token-fd N       reads the token from descriptor N
          --tpm              proves by this machine's TPM, which the circle allows, that it is that machine
          --rsa              by the TPM's RSA key, which clouds and certificates know it by; its key on P-256 otherwise
          --compare          compares digits instead of pasting codes
          --name NAME        what people call the machine; its host name otherwise
          --reader           it may read, and not write
          --owner            it may admit and remove others
          --view VIEW…       only these views; all of them otherwise
          --withdraw TOKEN   nobody joins any more with the token, or the TPM: the token itself, or its number, which `invites` lists
          --group GROUP…     the view takes the items of these access groups; one that ends in * stands for all that begin so
          --hint HINT…       the view takes the items that name it so (kSecAttrSyncViewHint)
          --rest             the view takes what no other one takes
          --sponsor          its daemon admits machines that have a token, or whose TPM is allowed
          --for TIME         how long the token holds: 30m, 12h, 7d; one hour otherwise
          --fd N             reads the fourteen words from descriptor N
          --stdin            reads them from standard input
          --remove-others    all other members are removed, and new keys are made
          --keep-words       leaves words a member that the removed owner had made one; otherwise they end with it
          --without-unreadable
                             puts records that say nothing in the place of lost ones that this machine cannot read
          --yes              takes the server's log, passes over, or removes several machines, without asking
          --pass-over NUMBER the entry that is to count for nobody
          --all              not only what it has of the circle: the whole keychain
          --member ROLE      the SQL for a role of a machine; without any of these four, the tables
          --joiner ROLE      the SQL for a role of a machine that joins: until `--member ROLE` it reads and writes its messages to members, no more
          --keeper ROLE      the SQL for a role that removes what nobody needs any more
          --drop ROLE        the SQL that ends a role
          --certificate      the role has no password: it proves itself by a client certificate, or at a socket by its user
          --json             one object, or one for each line
          --plain            fields separated by tabs
          --keychain NAME    another keychain, by name or path
          --quiet            prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        var operands = options.operands[...]
        guard let word = operands.popFirst() else { throw .usage("circle requires an action") }
        guard let action = Action(rawValue: word) else {
            throw .usage(
                "unknown action of circle: \(PlainText.shown(word))\(Suggestion.question(word, among: Action.allCases.map(\.rawValue)))"
            )
        }
        for option in CircleVerb.allOptions
        where options.has(option) || options.value(option) != nil || !options.values(option).isEmpty {
            guard action.options.contains(option) else {
                let who = action == .join && option == "--name" ? "; the member that admits this machine names it" : ""
                throw .usage("circle \(word) does not accept \(option)\(who)")
            }
        }
        guard operands.count <= action.operands || operands.isEmpty else {
            throw .usage("unexpected argument: \(PlainText.shown(operands.last ?? ""))")
        }
        let operand = operands.first ?? ""
        guard !operand.isEmpty || action.operands == 0 || options.has("--compare") else {
            let what =
                switch action {
                case .role: "a device, and what it may do"
                case .remove: "one device or several"
                default: "one argument"
                }
            throw .usage("circle \(word) takes \(what)")
        }
        switch action {
        case .create: try CircleBeginnings.create(options)
        case .join: try CircleJoining.join(options)
        case .admit: try CircleJoining.admit(operand, options)
        case .invite:
            if let token = options.value("--withdraw") {
                try CircleRights.withdraw(token, options)
            } else {
                try CircleJoining.invite(options)
            }
        case .invites: try CircleRights.invites(options)
        case .role: try CircleRights.role(operand, Array(operands.dropFirst()), options)
        case .view: try CircleRights.view(operand, options)
        case .views: try CircleRights.views(options)
        case .quorum: try CircleProposals.quorum(operand, options)
        case .proposals: try CircleProposals.proposals(options)
        case .sign: try CircleProposals.sign(operand, options)
        case .allow: try CircleChips.allow(operand, options)
        case .tpm: try CircleChips.tpm(options)
        case .recover: try CircleJoining.recover(options)
        case .status: try CircleStatus.run(options)
        case .list: try CircleReports.list(options)
        case .log: try CircleReports.log(options)
        case .words: try CircleChanges.words(options)
        case .remove: try CircleChanges.remove(Array(options.operands.dropFirst()), options)
        case .rotateList: try CircleReports.rotateList(operand, options)
        case .eraseDevice: try CircleChanges.erase(operand, options)
        case .heal: try CircleChanges.heal(options)
        case .follow: try CircleChanges.follow(options)
        case .leave: try CircleBeginnings.leave(options)
        case .server: try CircleBeginnings.server(operand, options)
        case .move: try CircleChanges.move(operand, options)
        case .sql: try CircleBeginnings.sql(options)
        }
    }

    private static let mostRemoved = 256

    private static let allOptions = [
        "--server", "--name", "--password-fd", "--quiet", "--circle", "--token-fd", "--compare", "--reader", "--owner",
        "--sponsor", "--for", "--remove-others", "--fd", "--stdin", "--json", "--plain", "--all", "--member",
        "--joiner",
        "--keeper", "--drop", "--certificate", "--keep-words", "--without-unreadable", "--yes", "--pass-over", "--view",
        "--withdraw",
        "--group", "--hint", "--rest",
        "--tpm", "--rsa",
    ]

    private enum Action: String, CaseIterable {
        case create, join, admit, invite, allow, tpm, recover, status, list, log, words, remove
        case rotateList = "rotate-list"
        case eraseDevice = "erase-device"
        case heal, follow, leave, server, move, sql, invites, role, view, views, quorum, proposals, sign

        var operands: Int {
            switch self {
            case .remove: CircleVerb.mostRemoved
            case .allow, .admit, .rotateList, .eraseDevice, .server, .move, .view, .quorum, .sign: 1
            case .role: 4
            default: 0
            }
        }

        var options: [String] {
            switch self {
            case .create: ["--server", "--name", "--password-fd", "--quiet"]
            case .join:
                ["--server", "--circle", "--token-fd", "--compare", "--password-fd", "--quiet", "--tpm", "--rsa"]
            case .allow: ["--name", "--reader", "--owner", "--sponsor", "--view"]
            case .tpm: ["--rsa"]
            case .admit: ["--name", "--reader", "--owner", "--sponsor", "--view", "--compare", "--quiet"]
            case .invite: ["--name", "--reader", "--owner", "--sponsor", "--view", "--for", "--withdraw", "--quiet"]
            case .recover: ["--server", "--circle", "--remove-others", "--fd", "--stdin", "--password-fd", "--quiet"]
            case .status, .list, .log, .rotateList, .views, .invites, .proposals: ["--json", "--plain"]
            case .role: ["--view", "--quiet"]
            case .view: ["--group", "--hint", "--rest", "--quiet"]
            case .words: ["--fd", "--stdin", "--quiet"]
            case .remove: ["--keep-words", "--yes", "--quiet"]
            case .follow: ["--yes", "--pass-over", "--quiet"]
            case .heal: ["--without-unreadable", "--quiet"]
            case .leave: ["--yes", "--quiet"]
            case .quorum, .sign: ["--quiet"]
            case .eraseDevice: ["--all", "--quiet"]
            case .server, .move: ["--password-fd", "--quiet"]
            case .sql:
                ["--member", "--joiner", "--keeper", "--drop", "--certificate", "--password-fd", "--circle"]
            }
        }
    }
}
