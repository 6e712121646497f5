// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `security delete-generic-password`.
enum DeleteGenericPassword: SecurityVerb {
    static let name = "delete-generic-password"
    static let summary = "deletes a generic password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Deletes the first item with all of these attributes, and prints its attributes. Without KEYCHAIN the keychains of the search list are searched.

        \(PasswordKind.generic.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.generic, words, session)
    }
}

/// `security delete-internet-password`.
enum DeleteInternetPassword: SecurityVerb {
    static let name = "delete-internet-password"
    static let summary = "deletes an internet password"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Deletes the first item with all of these attributes, and prints its attributes. Without KEYCHAIN the keychains of the search list are searched.

        \(PasswordKind.internet.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.internet, words, session)
    }
}

/// delete-generic-password and delete-internet-password.
enum PasswordDeletion {
    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: kind.letters))
        let attributes = try kind.attributes(options)
        guard !attributes.isEmpty else {
            throw .usage("an option that selects the password is missing: without any, the first item would be deleted")
        }
        let found = try ItemSearch.first(
            kind, attributes, in: try KeychainSearch.searched(options.operands, session, forChange: true),
            returning: .attributes)
        print(ItemText.text(found.item, in: found.keychain.path))
        try Unlocking.retrying(found.keychain, SecurityFailure.CallName.delete) { () throws(CommandError) in
            let whole = try found.keychain.whole(
                found.item.itemClass, found.item.persistentID, found.item.attributes ?? AttributeList(), of: .programs)
            try found.keychain.removeParts(
                of: .only(.item(found.item.itemClass, found.item.persistentID)), .programs)
            try found.keychain.delete(
                DeleteRequest(predicate: whole, tombstones: .whenSynchronizable), of: .programs)
        }
        print("password has been deleted.")
    }
}
