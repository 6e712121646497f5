// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero check`.
enum CheckVerb: Verb {
    static let name = "check"
    static let summary = "checks the files of keychains"
    static let help = """
        usage: llavero check [--json | --plain]
               llavero check --accept [--keychain NAME]

        Checks the files of the keychains: whether each item is intact, and can be read as far as the keychain is unlocked. It reports
        how many items it could not check, changes nothing, and ends with 1 when something is wrong, and with 44 when there is no
        keychain, or one of the search list does not exist.

          --accept          takes the items that are there as those that have to be, after `check` has reported items that were added,
                            removed or put back outside Llavero, or changes that are missing
          --json            a list of objects
          --plain           a line for each finding: the keychain, a tab, the problem
          --keychain NAME   checks another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        if options.has("--accept") {
            let keychain = try Keychains.one(options)
            try keychain.requireThere()
            try keychain.perform(.acceptItems)
            Tool.say("the items of the keychain \(keychain.shownName) are accepted as they are")
            return
        }
        var listing = Listing([.init("KEYCHAIN", "keychain"), .init("FINDING", "finding")])
        var locked = 0
        for keychain in try Keychains(options).requireAll() {
            let name = KeychainNames.name(of: keychain.place)
            let checked = try keychain.checked("checking \(PlainText.shown(name))")
            listing.rows += checked.findings.map { [.text(name), .text($0)] }
            locked += checked.locked
            if let lost = keychain.lostWords { Tool.say("the keychain \(PlainText.shown(name)): \(lost)") }
            guard checked.locked > 0 else { continue }
            Tool.say(
                "the keychain \(PlainText.shown(name)) is locked: \(checked.lockedWords); `llavero unlock\(keychain.option)` first"
            )
        }
        listing.print(form)
        guard listing.rows.isEmpty else {
            throw .failure(
                listing.rows.count == 1
                    ? "one problem was found" : "\(listing.rows.count) problems were found")
        }
        if form == .people {
            print(locked == 0 ? "no problems were found" : "no problems were found in what could be checked")
        }
    }
}

/// The result of checking a keychain.
struct CheckedKeychain {
    let findings: [String]
    /// How many items could not be checked since they are locked.
    let locked: Int
    /// How many items there are.
    let total: Int

    var lockedWords: String {
        "\(locked) \(locked == 1 ? "item was" : "items were") not checked"
    }
}

extension ToolKeychain {
    /// Checks it, with a progress bar when that takes long.
    func checked(_ title: String) throws(CommandError) -> CheckedKeychain {
        var bar = ProgressBar(title)
        defer { bar.end() }
        var count = 0
        let checked = try answering { () throws(KeychainError) in
            try host.check { done, total in
                count = total
                bar.step(to: done, of: total)
            }
        }
        return CheckedKeychain(findings: checked.findings, locked: checked.locked, total: count)
    }
}
