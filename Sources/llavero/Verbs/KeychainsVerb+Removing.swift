// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// The end of a keychain, and what is done with one that does not open any more.
extension KeychainsVerb {
    static func remove(
        _ name: String, withItems: Bool, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        guard try keychain.isThere else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
        // From here on it is known whether a daemon has it, and be it one that was gone.
        _ = try keychain.standing()
        // A daemon shows no program what another one keeps there.
        guard withItems || !keychain.hasDaemon else {
            throw .failure(
                "nobody but the daemon can see whether the keychain still has items of other programs; "
                    + "--with-items removes it with whatever it has")
        }
        try OwnerCheck.require([keychain], descriptor, "The keychain \(PlainText.shown(name)) is to be removed.")
        let items = withItems ? [] : try ItemScope.everything.items(in: [keychain])
        guard items.isEmpty else {
            throw .failure("the keychain still has items (\(items.count)); --with-items removes them with it")
        }
        try keychain.remove()
        options.tell("removed the keychain \(keychain.shownName)\(withItems ? ", with what it had" : "")")
        var preferences = try Keychains.preferences()
        guard preferences.search.contains(keychain.place) || preferences.standard == keychain.place else { return }
        preferences.forget(keychain.place)
        try ToolKeychain.translating { () throws(KeychainError) in try preferences.save() }
    }

    /// The lists of keychains stay as they are: the next item begins a new keychain in its place.
    static func setAside(_ name: String, _ options: Options) throws(CommandError) {
        let keychain = try ToolKeychain(written: name)
        let path = try ToolKeychain.translating { () throws(KeychainError) in
            try KeychainRemoval.setAside(keychain.place)
        }
        options.tell(
            """
            moved the keychain \(keychain.shownName), whole, to \(PlainText.shown(path)); the next item begins a new one. \
            Moved back, or named by --keychain, it is what it was
            """)
    }
}
