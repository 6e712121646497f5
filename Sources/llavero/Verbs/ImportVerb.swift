// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainImports
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainTools

/// `llavero import`.
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "imports passwords from another store"
    static let help = """
        usage: llavero import SOURCE [--format FORMAT] [--update | --update-all] [--as-secret-service] [--key-file FILE]
                              [--group GROUP] [--dry-run] [--json | --plain]
               llavero import --from-secret-service [--bus-name NAME] [--dry-run] [--json | --plain]

        Imports the passwords of another store, or restores what `llavero export` wrote. SOURCE is a file, the folder of pass, or - for
        standard input, through which nothing lies on the disk in plain; it is only read, never changed. Existing items stay as they are, but for what an import by another choice made of a file of pass,
        and with --update.

        With --update a later import of the same source takes over what has changed there: an item that the keychain has of an
        entry gets its password, user, URL, note, fields, codes and attachments, and its tags besides those it has. Nothing is
        taken away, and what it was is in `llavero history`. Which item that is, its name, user and place say; of pass the name,
        and the user where several have that name. Only an item that was imported from this SOURCE is updated: one that was made
        by hand or has come from another source stays and is listed, and so does one that was changed here since its import, by
        whomever and whatever. --update-all updates these, too. What was imported from this SOURCE and is not in it any more
        stays, and is listed. A later export in the same folder is the same SOURCE where its name differs only in a date, such
        as 20261126 or 2026-11-26, or in the (1) that a browser adds. It asks before it changes more than ten.

        Every entry of the source is imported or reported. The report lists first the entries that were kept (new in a dry run) or
        are here already, then those that were changed (kept, although the source is damaged there or stores them differently), and
        last those that were left out, with the reason and the number: earlier versions of an entry, the contents of a recycle bin,
        and items that the keychain has with another password. It ends with 1 when something that was left out may be a loss. Dates
        of creation and change are not imported, except from llavero-json.

        Attachments, one-time codes, fields and tags stay with their item: `llavero show` lists them, `llavero code`, `llavero get
        --field` and `llavero get --attachment` print them. Folders become tags. All attributes from gnome-keyring and KWallet are kept; items that differ in nothing else are told
        apart by them. llavero-json restores items of all kinds with everything except the date of the last change.
        `Docs/Imports.md` describes the conversion for each source.

        With --from-secret-service the source is the program that keeps secrets for other programs now: gnome-keyring, KWallet,
        KeePassXC or another one on the session bus. It is asked for everything it has, and may itself ask you to unlock that. The
        items go where llaverod's own Secret Service finds them, with their attributes and times, and are read again and compared.
        See `llavero secret-service`.

        Formats: llavero-json (an export), gnome-keyring (a keyring file, encrypted or plain), kwallet (a wallet file NAME.kwl of
        ~/.local/share/kwalletd, with NAME.salt and NAME_attributes.json beside it), pass (its folder), kdbx (a database of
        KeePass 2 or KeePassXC; what OpenSSL cannot open, keepassxc-cli opens, if it is installed), keepass-csv, keepass-xml (their exports), bitwarden-json (an export, with a password of its own or
        without, or its ZIP with attachments), 1pux (an export of 1Password), csv (a table of Chrome, Edge, Brave, Firefox, Apple
        Passwords, Bitwarden, 1Password or another program whose first line names the columns), otpauth (seeds of
        one-time codes, a URL a line: otpauth://… or Google Authenticator's otpauth-migration://…), netrc, git-credentials (the file of git's helper "store"), macos-dump (the output of
        security dump-keychain -d on a Mac).

          --format FORMAT      the format of the source; recognized by its contents, if not given
          --from-secret-service
                               imports what the running provider of the Secret Service has
          --bus-name NAME      its name on the session bus (org.freedesktop.secrets)
          --as-secret-service  for gnome-keyring and kwallet: programs that use the Secret Service find the items as they were there
          --dry-run            reads and reports, and stores nothing
          --update             items that were imported from SOURCE become what it says now, where nobody changed them here
          --update-all         the same, also of items that were changed here, made by hand, or are of another source
          --yes                does not ask before it changes more than ten items
          --group GROUP        for macos-dump: the items are for the programs of that access group, and not among your own; those that
                               declare no group, as most do, and `security` have llavero.open
          --with-recycle-bin   for KeePass, Bitwarden and 1Password: also imports the contents of the recycle bin
          --key-file FILE      for kdbx: the key file, beside the password or in its stead
          --first-line         for pass: the first line is the password also of a key, another document, or bytes, all of which
                               are the password otherwise
          --whole-file         for pass: all of a file of several lines is the password. What is here by the other choice, and
                               unchanged, becomes what this one says
          --fd N               reads the password of an encrypted keyring, wallet, database or export from descriptor N; otherwise it is asked for
          --json               an object for each password
          --plain              a line for each password, with fields separated by tabs
          --keychain NAME      imports into another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let form = try OutputForm(options)
        if options.has("--from-secret-service") {
            try requireNoSource(options)
            return try SecretServiceImport.run(options, form)
        }
        guard options.value("--bus-name") == nil else { throw .usage("--bus-name requires --from-secret-service") }
        let path = try options.operand("SOURCE")
        var format: ImportFormat?
        if let name = options.value("--format") {
            guard let known = ImportFormat(name: name) else {
                throw .usage("--format requires one of \(ImportSource.formats)")
            }
            format = known
        }
        var choices = ImportOptions()
        choices.withRecycleBin = options.has("--with-recycle-bin")
        try options.requireOne(of: ["--first-line", "--whole-file"])
        if options.has("--first-line") { choices.passReading = .firstLine }
        if options.has("--whole-file") { choices.passReading = .wholeFile }
        choices.forSecretService = options.has("--as-secret-service")
        if let path = options.value("--key-file") {
            choices.keyFile = ImportedBytes(try OpenFile(path).content(limit: ImportVerb.largestKeyFile))
        }
        choices.keePassXC = KeePassXC(environment: ImportSource.environment, keyFile: options.value("--key-file"))
        // Before the source is opened, which may take its time, or a passphrase.
        let keychain = try options.has("--as-secret-service") ? nil : Keychains(options).standard
        try keychain?.requireUnlocked()
        let report = try ImportSource.report(path, format, try PasscodeInput.descriptor(options, "--fd"), choices)
        let binned: [ImportFormat] = [.keepassXML, .keepassCSV, .kdbx, .bitwarden, .onePassword]
        guard !choices.withRecycleBin || binned.contains(report.format) else {
            throw .usage(
                "--with-recycle-bin requires the format keepass-csv, keepass-xml, kdbx, bitwarden-json or 1pux")
        }
        guard choices.keyFile == nil || report.format == .kdbx else {
            throw .usage("--key-file requires the format kdbx")
        }
        for option in ["--first-line", "--whole-file"] where options.has(option) && report.format != .pass {
            throw .usage("\(option) requires the format pass")
        }
        if report.isOpenedByKeePassXC { Tool.say("keepassxc-cli has opened it, since OpenSSL here cannot") }
        if options.value("--group") != nil, report.format != .macKeychain {
            throw .usage("--group requires the format macos-dump")
        }
        try options.requireOne(of: ["--update", "--update-all"])
        let updating: ImportIntake.UpdateScope =
            options.has("--update-all") ? .all : options.has("--update") ? .itsOwn : .nothing
        if updating != .nothing {
            guard report.format != .llavero else {
                throw .usage("--update requires another format than llavero-json; `llavero restore` puts a backup back")
            }
            try options.requireOne(of: ["--update", "--as-secret-service"])
            try options.requireOne(of: ["--update-all", "--as-secret-service"])
        }
        let group = try AddVerb.group(options)
        guard group == .passwords || updating == .nothing else {
            throw .usage("--update and --group cannot be used together")
        }
        guard updating != .nothing || !options.has("--yes") else { throw .usage("--yes requires --update") }
        let isDry = options.has("--dry-run")
        guard let keychain else { return try run(report, asSecretService: options, isDry: isDry, form) }
        try MissedKeychain.refuse(keychain)
        if updating != .nothing, !isDry, !options.has("--yes") {
            var trial = try ImportIntake(
                keychain, of: report.format, at: path, isDry: true, updating, among: report.items)
            trial.take(report, "reading")
            // What is replaced is in the history, but who meant another source should not have to bring it back one by one.
            if trial.outcome.updated > ImportVerb.mostUpdates {
                try PersonalAnswer.requireYes(
                    "\(trial.outcome.updated) items and parts of them become what the source says", to: "go on",
                    otherwise: "--yes does it all the same, --dry-run lists them")
            }
        }
        if !isDry { _ = DailySnapshot.make(of: keychain, isPatient: false) }
        var intake = try ImportIntake(
            keychain, of: report.format, at: path, isDry: isDry, updating, among: report.items, for: group)
        intake.take(report, "importing")
        for finding in report.findings { intake.note(finding) }
        try intake.nameGone(report.findings)
        intake.outcome.print(form)
        if !isDry, intake.outcome.kept > 0, report.format.isPlaintextExport, path != "-" {
            Tool.say("\(PlainText.shown(path)) still has them in plain text: remove it when it is not needed any more")
        }
        // An export says of each item whether it is shared.
        if !isDry, intake.outcome.kept > 0, group == .passwords, report.format != .llavero {
            CircleTool.tellOfStaying("what is new stays", sharedBy: "`llavero edit NAME --sync`", in: keychain, options)
        }
        guard intake.outcome.missing == 0 else {
            throw .failure("\(intake.outcome.missing) of the entries left out may be a loss; the remarks show why")
        }
    }

    private static let mostUpdates = 10
    private static let largestKeyFile = 1 << 20

    /// What is about a source has no meaning without one.
    private static func requireNoSource(_ options: Options) throws(CommandError) {
        try options.requireNoOperands(name)
        for option in ["--format", "--fd", "--keychain", "--key-file", "--group"] where options.value(option) != nil {
            throw .usage("\(option) cannot be used with --from-secret-service")
        }
        for option in [
            "--with-recycle-bin", "--first-line", "--whole-file", "--as-secret-service", "--update", "--update-all",
            "--yes",
        ] where options.has(option) {
            throw .usage("\(option) cannot be used with --from-secret-service")
        }
    }

    private static func run(
        _ report: ImportReport, asSecretService options: Options, isDry: Bool, _ form: OutputForm
    ) throws(CommandError) {
        guard report.format == .gnomeKeyring || report.format == .kwallet else {
            throw .usage("--as-secret-service requires the format gnome-keyring or kwallet")
        }
        guard options.value("--keychain") == nil else {
            throw .usage("--keychain and --as-secret-service cannot be used together")
        }
        let items = report.items.map { $0.asSecret }
        let noting = { (outcome: inout ImportOutcome) in for finding in report.findings { outcome.note(finding) } }
        try SecretServiceImport.run(items, of: report.format.name, isDry: isDry, options, noting: noting, form)
    }
}

extension ImportedItem {
    /// The same as gnome-keyring or KWallet shows it on the bus.
    fileprivate var asSecret: OfferedSecret {
        var attributes: [String: String] = [:]
        for attribute in lookup { attributes[attribute.name] = attribute.value }
        if attributes["xdg:schema"] == nil, let schema { attributes["xdg:schema"] = schema }
        return OfferedSecret(
            label: label, attributes: attributes, contentType: contentType ?? "text/plain", created: created ?? 0,
            modified: modified ?? 0, secret: SecretValue(copying: secret.bytes), source: "\(source)")
    }
}

/// The source of an import, and why it cannot be read.
enum ImportSource {
    static func report(
        _ path: String, _ given: ImportFormat?, _ descriptor: Int32?, _ options: ImportOptions
    ) throws(CommandError) -> ImportReport {
        guard path != "-" else {
            let content = try SecretInput.all(from: STDIN_FILENO, line: false)
            return try report(
                of: ImportFile(name: "standard input", content: ImportedBytes(content)), "standard input", given,
                descriptor, options)
        }
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else {
            let store = path == "pass" ? " (the store of pass is usually ~/.password-store)" : ""
            throw OpenFile.failure("\(PlainText.shown(path)) cannot be read\(store)")
        }
        if facts.st_mode & S_IFMT == S_IFDIR {
            guard given?.isFolder ?? true else { throw .failure("\(PlainText.shown(path)) is a folder") }
            // Otherwise any folder would count as an empty store.
            guard unsafe given != nil || access("\(path)/.gpg-id", F_OK) == 0 else {
                throw .failure(
                    "\(PlainText.shown(path)) is a folder without .gpg-id, so not one of pass; --format pass reads it anyway"
                )
            }
            return try saying(path) { () throws(ImportError) in
                try PassFolder(path: path, environment: environmentOfGPG).read(options)
            }
        }
        guard given?.isFolder != true else { throw .failure("\(PlainText.shown(path)) is not a folder of pass") }
        let file = try saying(path) { () throws(ImportError) in try ImportFile(path: path) }
        return try report(of: file, path, given, descriptor, options)
    }

    private static func report(
        of file: ImportFile, _ path: String, _ given: ImportFormat?, _ descriptor: Int32?, _ options: ImportOptions
    ) throws(CommandError) -> ImportReport {
        guard !file.isMacsKeychain else {
            throw .failure(
                "\(PlainText.shown(path)) is the file of a Mac's keychain, which the Mac alone opens: take what `security dump-keychain -d` writes there"
            )
        }
        guard let format = given ?? file.detectedFormat else {
            if ofSecurity.contains(where: { path.lowercased().hasSuffix($0) }) {
                throw .failure(
                    "\(PlainText.shown(path)) is of no password store; `security import` reads keys and certificates")
            }
            let table =
                switch file.foreignTable {
                case .utf16?: ": it is UTF-16, and a table is read as UTF-8 (`iconv -f UTF-16 -t UTF-8`)"
                case .semicolons?: ": a table is read with commas between its values, and this has semicolons"
                case nil: ""
                }
            throw .failure(
                "the format of \(PlainText.shown(path)) is not recognized\(table); give it with --format: \(formats)")
        }
        do throws(ImportError) { return try file.read(as: format, options) } catch {
            guard error == .passwordNeeded else { throw failure(path, error) }
        }
        let kind =
            switch format {
            case .kwallet: "wallet"
            case .kdbx: "database"
            case .bitwarden: "export"
            default: "keyring"
            }
        return try PasscodeInput.opening(
            descriptor, "The password of the \(kind) \(PlainText.shown(path)).", prompt: "Password:",
            wrong: failure(path, .wrongPassword)
        ) { (password) throws(CommandError) in
            do throws(ImportError) { return try file.read(as: format, password: password, options) } catch {
                guard error == .wrongPassword else { throw failure(path, error) }
                return nil
            }
        }
    }

    /// The values of `--format`.
    static var formats: String { ImportFormat.allCases.map(\.name).joined(separator: ", ") }

    /// How the names of files end that hold keys and certificates.
    private static let ofSecurity = [".p12", ".pfx", ".pem", ".cer", ".crt", ".der", ".p7b", ".p8"]

    private static func saying<Result>(
        _ path: String, _ body: () throws(ImportError) -> Result
    ) throws(CommandError) -> Result {
        do throws(ImportError) { return try body() } catch { throw failure(path, error) }
    }

    private static func failure(_ path: String, _ error: ImportError) -> CommandError {
        .failure("\(PlainText.shown(path)): \(words(for: error))")
    }

    private static func words(for error: ImportError) -> String {
        switch error {
        case .unreadable(let code): unsafe String(cString: strerror(code))
        case .notAFile: "it is not a regular file"
        case .notThisFormat: "it is not of this format"
        case .unknownVersion: "its version or its encryption is not supported"
        case .tooLarge: "it is too large"
        case .tooDeep: "its folders or groups are nested too deeply"
        case .passwordNeeded: "it is encrypted and needs a password"
        case .wrongPassword: "the password is wrong, or the file is damaged"
        case .damaged: "it is damaged"
        case .notStarted(.gpg, _): "gpg, which decrypts it, is not installed (sudo apt install gnupg)"
        case .notStarted(let program, let code):
            unsafe "\(program.rawValue), which opens it, cannot be started: \(String(cString: strerror(code)))"
        case .hangs(let program): "\(program.rawValue) did not answer in time"
        case .failed(let program, let code): "\(program.rawValue) did not open it (exit code \(code))"
        case .crypto: "it cannot be decrypted"
        case .wallet(let fault): "\(fault)"
        case .sealed(.bitwardenAccount): "\(SealedFault.bitwardenAccount)"
        case .sealed(.bitwardenArgon2):
            "\(SealedFault.bitwardenArgon2); export it once more without a password of its own, as JSON or ZIP, in a folder of memory such as $XDG_RUNTIME_DIR, and remove that file afterwards; or choose PBKDF2 for the account first"
        case .sealed(let fault):
            "\(fault); keepassxc-cli can open it: install it (sudo apt install keepassxc), and give this command again"
        }
    }

    /// The same with the terminal here as the one where gpg's agent asks for a passphrase, unless it names one: as pass has it.
    ///
    /// gpg itself has a socket for its input, and so no terminal to tell the agent of.
    private static var environmentOfGPG: [String] {
        let name = "GPG_TTY="
        let isNamed = environment.contains { $0.utf8.starts(with: name.utf8) && $0.utf8.count > name.utf8.count }
        guard !isNamed, unsafe getenv("LLAVERO_NO_INPUT") == nil, let terminal else { return environment }
        return environment.filter { !$0.utf8.starts(with: name.utf8) } + [name + terminal]
    }

    /// The path of the terminal that there is for questions.
    private static var terminal: String? {
        for descriptor in [STDIN_FILENO, STDERR_FILENO] {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard unsafe ttyname_r(descriptor, &path, path.count) == 0 else { continue }
            return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }

    /// This process's environment, by which gpg finds its keys, its agent and its terminal, and keepassxc-cli its settings.
    static var environment: [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            unsafe variables.append(String(cString: entry))
            unsafe place += 1
        }
        return variables
    }
}
