// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem
internal import KeychainTools

/// `llavero repair`.
enum RepairVerb: Verb {
    static let name = "repair"
    static let summary = "saves what a damaged keychain still holds"
    static let help = """
        usage: llavero repair [--dry-run] [--recovery] [--keychain NAME] [--fd N | --stdin]

        Reads all that is left of a keychain whose files are damaged, puts every item that is proved intact into a new folder, and
        exchanges the two folders. The damaged keychain is only read, and stays beside the new one under a name with the date; nothing
        is deleted. What could not be saved is listed by what is still readable of it: its kind, its access group, and when it was
        added, unless a snapshot has it (`llavero snapshots`): then it is brought back as it was on that day. A daemon that serves
        the keychain has to be stopped first, and other programs that use it have to end. If the keychain has a passcode, it is
        asked for.

          --dry-run         reports what would be saved, and changes nothing
          --recovery        for a keychain whose device key is lost too: asks for the words of the recovery key, not for the passcode.
                            `llavero recovery use` then gives the repaired keychain a new device key
          --keychain NAME   repairs another keychain, by name or path
          --fd N            reads the passcode (or the words) from descriptor N to its end; one line feed at the end is dropped
          --stdin           reads it from standard input, in the same way
          --quiet           prints only what could not be saved
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        let keychain = try Keychains.oneAtAll(options)
        guard !keychain.isOfSystem else {
            throw .failure("the system's daemon has the keychain: \(keychain.repairAdvice)")
        }
        let isDryRun = options.has("--dry-run")
        // It does not hold a keychain that it could not open, and would open the repaired one in the middle.
        if !isDryRun { try Agent.refuseBesideSystem(keychain.place) }
        let (outcome, passcode, usesKeybagCopy) =
            options.has("--recovery")
            ? try runWithWords(keychain, options, isDryRun) : try run(keychain, descriptor, isDryRun)
        var returned: [PersistentID: SnapshotReturn.Returned] = [:]
        // Without its device key the repaired keychain takes nothing yet.
        if outcome.old != nil, !options.has("--recovery") {
            // The repaired keychain is what counts: a snapshot that cannot be used makes it no worse.
            do throws(CommandError) { returned = try bringBack(outcome.report.lost, keychain, passcode) } catch {
                Tool.say("the snapshots of the keychain could not be used: \(error.description)")
            }
        }
        tell(outcome, returned, usesKeybagCopy, keychain, isDryRun, options)
        if outcome.old != nil, options.has("--recovery") {
            options.tell("now give it a new device key: llavero recovery use\(keychain.option)")
        }
        let count = outcome.report.lost.count - returned.count
        let newest = Snapshots(of: keychain)?.all.first
        let advice =
            newest.map {
                "; the snapshot of \($0.time) is the newest, and `llavero restore --snapshot\(keychain.option)` brings back what is not here"
            } ?? ", unless a backup has it"
        guard !outcome.report.mayLackMore else {
            throw .failure(
                "items may be lost that nothing is left of to name them\(count == 0 ? "" : ", besides \(counted(count, "item", "items"))")\(advice)"
            )
        }
        guard count == 0 else {
            throw .failure(
                (count == 1 ? "one item could not be saved" : "\(count) items could not be saved")
                    + (newest == nil ? "" : advice))
        }
        let versions = outcome.report.lostVersions
        guard versions == 0 else {
            throw .failure(
                versions == 1
                    ? "one earlier version could not be saved" : "\(versions) earlier versions could not be saved")
        }
    }

    /// The repair, which has the keychain to itself until this returns.
    private static func run(
        _ keychain: ToolKeychain, _ descriptor: Int32?, _ isDryRun: Bool
    ) throws(CommandError) -> (KeychainRepair.Outcome, Passcode?, usesKeybagCopy: Bool) {
        let repair = try keychain.answering { () throws(KeychainError) in try KeychainRepair(keychain.place) }
        guard repair.needsPasscode else { return (try run(repair, nil, isDryRun), nil, repair.usesKeybagCopy) }
        return try PasscodeInput.using(descriptor, "The keychain is to be repaired.") {
            (passcode) throws(CommandError) in (try run(repair, passcode, isDryRun), passcode, repair.usesKeybagCopy)
        }
    }

    /// The same for a keychain without its device key.
    private static func runWithWords(
        _ keychain: ToolKeychain, _ options: Options, _ isDryRun: Bool
    ) throws(CommandError) -> (KeychainRepair.Outcome, Passcode?, usesKeybagCopy: Bool) {
        let key = try TypedRecoveryKey.key(options)
        let repair = try keychain.answering { () throws(KeychainError) in try KeychainRepair(keychain.place, key) }
        return (try run(repair, nil, isDryRun), nil, repair.usesKeybagCopy)
    }

    private static func bringBack(
        _ lost: [LostItem], _ keychain: ToolKeychain, _ passcode: Passcode?
    ) throws(CommandError) -> [PersistentID: SnapshotReturn.Returned] {
        guard !lost.isEmpty, Snapshots(of: keychain)?.all.isEmpty == false else { return [:] }
        if let passcode { try keychain.perform(.unlock(passcode)) }
        return try SnapshotReturn(of: lost, to: keychain).returned
    }

    private static func run(
        _ repair: KeychainRepair, _ passcode: Passcode?, _ isDryRun: Bool
    ) throws(CommandError) -> KeychainRepair.Outcome {
        try ToolKeychain.translating { () throws(KeychainError) in try repair.run(passcode, isDryRun: isDryRun) }
    }

    private static func tell(
        _ outcome: KeychainRepair.Outcome, _ returned: [PersistentID: SnapshotReturn.Returned], _ usesKeybagCopy: Bool,
        _ keychain: ToolKeychain, _ isDryRun: Bool, _ options: Options
    ) {
        let report = outcome.report
        if outcome.isNeeded {
            if report.damagedPages > 0 {
                options.tell(
                    counted(report.damagedPages, "page of the database is", "pages of the database are") + " damaged")
            }
            if report.isLogDamaged { options.tell("the log of the last changes is damaged in its middle") }
            if report.keptLogs > 0 {
                options.tell(
                    "changes were looked for in \(counted(report.keptLogs, "log that was", "logs that were")) kept because of damage: "
                        + counted(report.changedInLogs, "item is", "items are") + " as found there; "
                        + "one that was removed after the damage may be there again")
            }
            if usesKeybagCopy {
                options.tell("the keybag is that of keybag.copy: the database has none any more")
            }
            options.tell(
                counted(report.savedItems, "item", "items") + (isDryRun ? " can be saved" : " saved")
                    + (report.released > 0 ? ", \(report.released) of them from the quarantine" : ""))
            if report.savedVersions + report.lostVersions > 0 {
                options.tell(
                    counted(report.savedVersions, "earlier version of items", "earlier versions of items")
                        + (isDryRun ? " can be saved" : " saved"))
            }
        } else {
            options.tell("nothing is damaged in the keychain \(keychain.shownName), so nothing was changed")
        }
        if report.unproved > 0 {
            Tool.say(
                counted(report.unproved, "item", "items")
                    + " could not be proved, since the key of the protection class is lost; kept unchanged")
        }
        for item in report.lost {
            if let there = item.id.flatMap({ returned[$0] }) {
                print("brought back from the snapshot of \(there.snapshot.time): \(there.name)")
            } else {
                print(words(for: item))
            }
        }
        if report.lostVersions > 0 {
            print("not saved: " + counted(report.lostVersions, "earlier version of items", "earlier versions of items"))
        }
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
