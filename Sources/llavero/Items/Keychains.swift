// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// The keychains that a verb is about: the one that is named, else those that the user's list names.
struct Keychains {
    /// Where new items go.
    let standard: ToolKeychain
    /// Where items are looked for, in that order: the list, and where new items go; of those that are there.
    let searched: [ToolKeychain]

    init(_ options: Options) throws(CommandError) {
        if let named = try Keychains.named(options) {
            standard = named
            searched = [named]
            return
        }
        let preferences = try Keychains.preferences()
        standard = try ToolKeychain(at: preferences.standard)
        var searched: [ToolKeychain] = []
        // What is kept has to be found again, whether the list names its keychain or not.
        let list = preferences.lookedThrough
        for place in list.contains(preferences.standard) ? list : [preferences.standard] + list {
            let keychain = try ToolKeychain(at: place)
            if keychain.isThere { searched.append(keychain) }
        }
        self.searched = searched
    }

    /// The one that a verb about a whole keychain is about: the named one, or what programs use that name none.
    static func one(_ options: Options) throws(CommandError) -> ToolKeychain {
        if let named = try named(options) { return named }
        return try ToolKeychain()
    }

    private static func named(_ options: Options) throws(CommandError) -> ToolKeychain? {
        guard let name = options.value("--keychain") else { return nil }
        let keychain = try ToolKeychain(written: name)
        guard keychain.isThere else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
        return keychain
    }

    static func preferences() throws(CommandError) -> KeychainPreferences {
        try ToolKeychain.translating { () throws(KeychainError) in try KeychainPreferences(of: .current()) }
    }
}
