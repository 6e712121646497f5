// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainStore
internal import KeychainSystem
internal import KeychainTools

/// `llavero repair`.
enum RepairVerb: Verb {
    static let name = "repair"
    static let summary = "saves what a damaged keychain still holds"
    static let help = """
        usage: llavero repair [--dry-run] [--keychain NAME] [--fd N | --stdin]

        Reads all that is left of a keychain whose files are damaged, puts every item that is proved intact into a new folder, and
        exchanges the two folders. The damaged keychain is only read, and stays beside the new one under a name with the date; nothing
        is deleted. What could not be saved is listed by what is still readable of it: its kind, its access group, and when it was
        added. A daemon that serves the keychain has to be stopped first, and other programs that use it have to end. If the keychain
        has a passcode, it is asked for.

          --dry-run         reports what would be saved, and changes nothing
          --keychain NAME   repairs another keychain, by name or path
          --fd N            reads the passcode from descriptor N to its end; one line feed at the end is dropped
          --stdin           reads it from standard input, in the same way
          --quiet           prints only what could not be saved
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        // Its files may be in no state to tell whether it is there.
        let keychain: ToolKeychain
        if let named = options.value("--keychain") {
            keychain = try ToolKeychain(written: named)
        } else {
            keychain = try ToolKeychain()
        }
        let repair = try keychain.answering { () throws(KeychainError) in try KeychainRepair(keychain.place) }
        let isDryRun = options.has("--dry-run")
        let outcome: KeychainRepair.Outcome
        if repair.needsPasscode {
            outcome = try PasscodeInput.using(descriptor, "The keychain is to be repaired.") {
                (passcode) throws(CommandError) in try run(repair, passcode, isDryRun)
            }
        } else {
            outcome = try run(repair, nil, isDryRun)
        }
        tell(outcome, repair, keychain, isDryRun, options)
        guard outcome.report.lost.isEmpty else {
            let count = outcome.report.lost.count
            throw .failure(count == 1 ? "one item could not be saved" : "\(count) items could not be saved")
        }
    }

    private static func run(
        _ repair: KeychainRepair, _ passcode: Passcode?, _ isDryRun: Bool
    ) throws(CommandError) -> KeychainRepair.Outcome {
        try ToolKeychain.translating { () throws(KeychainError) in try repair.run(passcode, isDryRun: isDryRun) }
    }

    private static func tell(
        _ outcome: KeychainRepair.Outcome, _ repair: KeychainRepair, _ keychain: ToolKeychain, _ isDryRun: Bool,
        _ options: Options
    ) {
        let report = outcome.report
        if outcome.isNeeded {
            if report.damagedPages > 0 {
                options.tell(
                    counted(report.damagedPages, "page of the database is", "pages of the database are") + " damaged")
            }
            if report.isLogDamaged { options.tell("the log of the last changes is damaged in its middle") }
            if repair.usesKeybagCopy {
                options.tell("the keybag is that of keybag.copy: the database has none any more")
            }
            options.tell(
                counted(report.savedItems, "item", "items") + (isDryRun ? " can be saved" : " saved")
                    + (report.released > 0 ? ", \(report.released) of them from the quarantine" : ""))
        } else {
            options.tell("nothing is damaged in the keychain \(keychain.shownName), so nothing was changed")
        }
        if report.unproved > 0 {
            Tool.say(
                counted(report.unproved, "item", "items")
                    + " could not be proved, since the key of the protection class is lost; kept unchanged")
        }
        for item in report.lost { print(words(for: item)) }
        if report.quarantined > 0 {
            Tool.say(
                counted(report.quarantined, "damaged item is", "damaged items are")
                    + " kept in the quarantine of the new database; nothing was deleted")
        }
        guard let old = outcome.old else { return }
        options.tell("the damaged keychain is kept in \(PlainText.shown(old)); remove it when nothing is missing")
    }

    private static func words(for item: LostItem) -> String {
        var words = "not saved: " + (item.itemClass.map { "a \($0.words)" } ?? "an item")
        if let group = item.group { words += " of the group \(PlainText.shown(group))" }
        if let added = item.added { words += ", added \(UTCTime(secondsSince1970: added).text)" }
        return words
    }

    private static func counted(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }
}
