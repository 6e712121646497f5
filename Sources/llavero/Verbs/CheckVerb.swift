// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// `llavero check`.
enum CheckVerb: Verb {
    static let name = "check"
    static let summary = "examines a keychain's files"
    static let help = """
        usage: llavero check [--json | --plain]

        Examines the files of the keychains: whether each item is what was stored, and can be read as far as the keychain is unlocked.
        It changes nothing, and ends with 1 when something is wrong.

          --json            a list of objects
          --plain           a line for each finding: the keychain, a tab, what is wrong
          --keychain NAME   examines another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        var listing = Listing([.init("KEYCHAIN", "keychain"), .init("FINDING", "finding")])
        for keychain in try Keychains(options).searched {
            let findings = try keychain.check()
            let name = KeychainNames.name(of: keychain.place)
            listing.rows += findings.map { [.text(name), .text($0)] }
        }
        listing.print(form)
        guard listing.rows.isEmpty else {
            throw .failure(
                "\(listing.rows.count) \(listing.rows.count == 1 ? "thing is" : "things are") not as they should be")
        }
        if form == .people { print("everything is as it should be") }
    }
}
