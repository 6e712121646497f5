// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
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
