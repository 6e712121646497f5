// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero report`.
enum ReportVerb: Verb {
    static let name = "report"
    static let summary = "reports weak, reused, exposed, expiring and unprotected items"
    static let help = """
        usage: llavero report [--apps] [--html FILE | --json | --plain] [--old-after TIME] [--soon TIME]

        Examines your passwords and all certificates, and lists those that are weak, used more than once, kept in plain text in a
        file, about to expire, unprotected, or unchanged for long. It changes nothing and asks for nothing but the passcode of a locked
        keychain: items that demand more are counted, not read. No secret is shown, nor why one is weak.

        A password is weak when an estimate needs fewer than 10^10 tries, and very weak with fewer than 10^6. The estimate knows short
        lists of common passwords and words, names of the item and its user, sequences, rows of keyboards, repetitions and dates. It
        does not know which passwords have leaked, so one that it does not call weak may be weak too.

          --html FILE       writes a page with charts instead, which only you can read; FILE must not exist
          --json            one object
          --plain           a line for each finding, with fields separated by tabs
          --old-after TIME  how long a password may stay unchanged, such as 52w; 365 days without it
          --soon TIME       how long before its end something counts as expiring; 30 days without it
          --apps            also items that programs keep
          --all             also invisible items
          --user USER       only items of this user
          --group GROUP     only items of this access group
          --kind KIND       only items of this kind: password, internet, certificate, key
          --keychain NAME   reports on another keychain, by name or path
          --quiet           does not say that a file was written

        The files are those that `llavero doctor` examines, and histories and settings of shells, databases and clouds. It ends with 1
        when an item, or a part of the database, is so damaged that nothing of it can be read.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        try options.requireOne(of: ["--html", "--json", "--plain"])
        let form = try OutputForm(options)
        let day = 86_400.0
        let limits = SecurityReport.Limits(
            old: try options.time("--old-after").map(Double.init) ?? 365 * day,
            soon: try options.time("--soon").map(Double.init) ?? 30 * day)
        let keychains = try OpenKeychains(among: try Keychains(options).requireAll())
        // Before all is read: that takes longer.
        let file: NewFile? = if let path = options.value("--html") { try NewFile(for: path) } else { nil }
        let report = try SecurityReport(
            of: keychains.open, try ItemScope(options).ofReport, limits, at: BackupText.now)
        if let file, let path = options.value("--html") {
            try file.write(Array(try ReportPage(report).text.utf8))
            try file.takeEmptyPlace()
            options.tell(
                "wrote \(PlainText.shown(path)), which only you can read: it has no passwords, but says which ones are weak"
            )
        } else {
            ReportText(report).print(form)
        }
        keychains.tellOfLocked()
        try report.damage.end()
    }
}
