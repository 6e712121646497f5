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

        Deletes the first item that has all of these, and prints what it was. Without KEYCHAIN the keychains of the search list are looked through.

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

        Deletes the first item that has all of these, and prints what it was. Without KEYCHAIN the keychains of the search list are looked through.

        \(PasswordKind.internet.usage)
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PasswordDeletion.run(.internet, words, session)
    }
}

/// What delete-generic-password and delete-internet-password do.
enum PasswordDeletion {
    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: kind.letters))
        let attributes = try kind.attributes(options)
        guard !attributes.isEmpty else {
            throw .usage("say which password: without any option the first there is would go")
        }
        let found = try ItemSearch.first(
            kind, attributes, in: try Keychains.searched(options.operands), returning: .attributes)
        print(ItemText.text(found.item, in: found.keychain.path))
        let request = DeleteRequest(predicate: found.predicate, tombstones: .whenSynchronizable)
        try Unlocking.retrying(found.keychain, SecurityFailure.Call.delete) { () throws(CommandError) in
            try found.keychain.delete(request, of: .programs)
        }
        print("password has been deleted.")
    }
}
