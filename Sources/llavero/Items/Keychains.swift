// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// The keychains that a verb is about: the one that is named, else those that the user's list names.
struct Keychains {
    /// Where new items go.
    let standard: ToolKeychain
    /// Where items are looked for, in that order; of those that are there.
    let searched: [ToolKeychain]

    init(_ options: Options) throws(CommandError) {
        if let name = options.value("--keychain") {
            standard = try ToolKeychain(written: name)
            guard standard.isThere else {
                throw CommandError.notFound("there is no keychain \(PlainText.shown(name))")
            }
            searched = [standard]
            return
        }
        let preferences = try Keychains.preferences()
        standard = try ToolKeychain(at: preferences.standard)
        var searched: [ToolKeychain] = []
        for place in preferences.search {
            let keychain = try ToolKeychain(at: place)
            if keychain.isThere { searched.append(keychain) }
        }
        self.searched = searched
    }

    static func preferences() throws(CommandError) -> KeychainPreferences {
        try ToolKeychain.translating { () throws(KeychainError) in try KeychainPreferences(of: .current()) }
    }
}
