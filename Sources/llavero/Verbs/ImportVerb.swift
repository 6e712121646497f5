// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// `llavero import`.
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "takes passwords over from another store"
    static let help = """
        usage: llavero import SOURCE [--format FORMAT] [--dry-run] [--json | --plain]

        Takes the passwords of another store over, or puts back what `llavero export` wrote. SOURCE is a file, or the folder of
        pass; it is opened for reading alone, and nothing in it is changed or deleted. What is here already stays as it is.

        Everything that the source has becomes an item, or is named. It says of each first what was kept (new in a dry run) or is
        here already, then what was changed (kept, though its source is damaged there, or has it in another way), and last what was
        left out, with the reason and the number: so are an entry's earlier versions, what is in a recycle bin, and what is here
        already with another password. It ends with 1 when something that was left out may be missed. When items were made and
        changed is not taken over, but for llavero-json.

        Attachments, one-time codes, and fields and notes that the source protects become items of their own, called "ENTRY (NAME)".
        Other fields stand in the note of the item. Of gnome-keyring all attributes are kept; items that differ in nothing else
        are told apart by them. The source llavero-json gives items of all kinds back with everything they had, but for when they
        were last changed. `Docs/Imports.md` says for each source what becomes what.

        Formats: llavero-json (an export), gnome-keyring (a keyring file, sealed or plain), pass (its folder), keepass-csv,
        keepass-xml (what KeePass and KeePassXC export), netrc, git-credentials (the file of git's helper "store"), macos-dump (what
        security dump-keychain -d prints on a Mac).

          --format FORMAT      what the source is; seen from it, if not given
          --dry-run            reads and reports, and keeps nothing
          --with-recycle-bin   of KeePass: takes what is in the recycle bin, too
          --first-line         of pass: the first line is the password and the others are notes, even where the others are no
                               "name: value" lines; without it all of such a file, a key for instance, is the password
          --fd N               reads the password of a sealed keyring from descriptor N; else it is asked for
          --json               an object for each password
          --plain              a line for each password, with tabs between
          --keychain NAME      into another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let path = try options.operand("SOURCE")
        let form = try OutputForm(options)
        var format: ImportFormat?
        if let name = options.value("--format") {
            guard let known = ImportFormat(name: name) else {
                throw .usage("--format knows \(ImportSource.formats)")
            }
            format = known
        }
        var choices = ImportOptions()
        choices.withRecycleBin = options.has("--with-recycle-bin")
        choices.firstLineOnly = options.has("--first-line")
        let report = try ImportSource.report(path, format, try PasscodeInput.descriptor(options, "--fd"), choices)
        guard !choices.withRecycleBin || report.format == .keepassXML || report.format == .keepassCSV else {
            throw .usage("--with-recycle-bin is for keepass-csv and keepass-xml")
        }
        guard !choices.firstLineOnly || report.format == .pass else { throw .usage("--first-line is for pass") }
        var intake = ImportIntake(
            try Keychains(options).standard, of: report.format, isDry: options.has("--dry-run"))
        var bar = ProgressBar("importing", of: report.items.count + report.exported.count)
        for (index, item) in report.items.enumerated() {
            bar.step(to: index)
            intake.take(item)
        }
        for (index, item) in report.exported.enumerated() {
            bar.step(to: report.items.count + index)
            intake.take(item)
        }
        bar.end()
        for finding in report.findings { intake.note(finding) }
        intake.outcome.print(form)
        guard intake.outcome.missing == 0 else {
            throw .failure("of what was left out \(intake.outcome.missing) may be missed; the remark says why")
        }
    }
}

/// The store that is taken over, and why it cannot be.
enum ImportSource {
    static func report(
        _ path: String, _ given: ImportFormat?, _ descriptor: Int32?, _ options: ImportOptions
    ) throws(CommandError) -> ImportReport {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { throw OpenFile.failure("\(PlainText.shown(path)) cannot be read") }
        if facts.st_mode & S_IFMT == S_IFDIR {
            guard given?.isFolder ?? true else { throw .failure("\(PlainText.shown(path)) is a folder") }
            // Or any folder would be a store of which nothing could be read.
            guard unsafe given != nil || access("\(path)/.gpg-id", F_OK) == 0 else {
                throw .failure(
                    "\(PlainText.shown(path)) is a folder, and not that of pass: .gpg-id is missing; --format pass reads it all the same"
                )
            }
            return try saying(path) { () throws(ImportError) in
                try PassFolder(path: path, environment: environment).read(options)
            }
        }
        guard given?.isFolder != true else { throw .failure("\(PlainText.shown(path)) is no folder, as pass has one") }
        let file = try saying(path) { () throws(ImportError) in try ImportFile(path: path) }
        guard let format = given ?? file.detectedFormat else {
            throw .failure("\(PlainText.shown(path)) does not show what it is; --format says so: \(formats)")
        }
        let password: Passcode? =
            format == .gnomeKeyring && file.isSealed
            ? try PasscodeInput.passcode(descriptor, "The password of the keyring \(PlainText.shown(path)).") : nil
        return try saying(path) { () throws(ImportError) in try file.read(as: format, password: password, options) }
    }

    /// Those that `--format` knows.
    static var formats: String { ImportFormat.allCases.map(\.name).joined(separator: ", ") }

    private static func saying<Result>(
        _ path: String, _ body: () throws(ImportError) -> Result
    ) throws(CommandError) -> Result {
        do throws(ImportError) { return try body() } catch {
            throw .failure("\(PlainText.shown(path)): \(words(for: error))")
        }
    }

    private static func words(for error: ImportError) -> String {
        switch error {
        case .unreadable(let code): unsafe String(cString: strerror(code))
        case .notAFile: "it is no file"
        case .notThisFormat: "it is of another format"
        case .unknownVersion: "it is of a version, or sealed in a way, that is not known here"
        case .tooLarge: "it is larger than a store of passwords can be"
        case .tooDeep: "folders or groups in it lie deeper in one another than is read here"
        case .passwordNeeded: "it is sealed with a password"
        case .wrongPassword: "the password is wrong, or the file is damaged"
        case .damaged: "it is damaged"
        case .noGPG: "there is no gpg, which decrypts it (sudo apt install gnupg)"
        case .gpgHangs: "gpg did not answer in time"
        case .crypto: "it cannot be decrypted"
        }
    }

    /// This process's, for gpg, which finds its keys, its agent and its terminal by it.
    private static var environment: [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            unsafe variables.append(String(cString: entry))
            unsafe place += 1
        }
        return variables
    }
}
