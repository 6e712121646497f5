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

        It says what became of each: kept (new in a dry run), here already, repaired (kept, though its source is damaged there), or
        left out, with the reason: so is what is here already with another password. It ends with 1 when something that was left out
        may be missed.

        Formats: llavero-json (an export: items of all kinds come back with everything they had, but for when they were last
        changed), gnome-keyring (a keyring file, sealed or plain), pass (its folder), keepass-csv, keepass-xml (what KeePass and
        KeePassXC export), netrc, git-credentials (the file of git's helper "store"), macos-dump (what security dump-keychain -d
        prints on a Mac).

          --format FORMAT   what the source is; seen from it, if not given
          --dry-run         reads and reports, and keeps nothing
          --fd N            reads the password of a sealed keyring from descriptor N; else it is asked for
          --json            an object for each password
          --plain           a line for each password, with tabs between
          --keychain NAME   into another keychain, by its name or its path

        It ends with 1 when something was left out that may be missed.
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
        let report = try ImportSource.report(path, format, try PasscodeInput.descriptor(options, "--fd"))
        var intake = ImportIntake(try Keychains(options).standard, isDry: options.has("--dry-run"))
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
        intake.listing.print(form)
        let kept = options.has("--dry-run") ? "would be kept" : "kept"
        Tool.say(
            "\(intake.kept) \(kept), \(intake.here) here already, \(intake.leftOut) left out (\(report.format.name))")
        guard intake.missing == 0 else {
            throw .failure("of what was left out \(intake.missing) may be missed; the remark says why")
        }
    }
}
