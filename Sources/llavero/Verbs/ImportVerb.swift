// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainTools

/// `llavero import`.
enum ImportVerb: Verb {
    static let name = "import"
    static let summary = "takes passwords over from another store"
    static let help = """
        usage: llavero import SOURCE [--format FORMAT] [--dry-run] [--json | --plain]

        Takes the passwords of another store over, and says what became of each that is not simply there now. SOURCE is a file, or
        the folder of pass; it is opened for reading alone, and nothing in it is changed or deleted. What is here already stays as it
        is.

        Formats: gnome-keyring (a keyring file, sealed or plain), pass (its folder), keepass-csv, keepass-xml (what KeePass and
        KeePassXC export), netrc, git-credentials (the file of git's helper "store"), macos-dump (what security dump-keychain -d
        prints on a Mac).

          --format FORMAT   what the source is; seen from it, if not given
          --dry-run         reads and reports, and keeps nothing
          --fd N            reads the password of a sealed keyring from descriptor N; else it is asked for
          --json            an object for each password
          --plain           a line for each password, with tabs between
          --keychain NAME   into another keychain, by its name or its path

        It ends with 1 when something could not be taken over.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let path = try options.operand("SOURCE")
        let form = try OutputForm(options)
        var format: ImportFormat?
        if let name = options.value("--format") {
            guard let known = ImportFormat(name: name) else {
                throw .usage("--format knows \(ImportFormat.allCases.map(\.name).joined(separator: ", "))")
            }
            format = known
        }
        let report = try ImportSource.report(path, format, try PasscodeInput.descriptor(options, "--fd"))
        var intake = ImportIntake(try Keychains(options).standard, isDry: options.has("--dry-run"))
        var bar = ProgressBar("importing", of: report.items.count)
        for (index, item) in report.items.enumerated() {
            bar.step(to: index)
            intake.take(item)
        }
        bar.end()
        for finding in report.findings { intake.note(finding) }
        intake.listing.print(form)
        let kept = options.has("--dry-run") ? "would be kept" : "kept"
        Tool.say(
            "\(intake.kept) \(kept), \(intake.here) here already, \(intake.failed) failed (\(report.format.name))")
        guard intake.failed == 0 else { throw .failure("not everything could be taken over") }
    }
}
