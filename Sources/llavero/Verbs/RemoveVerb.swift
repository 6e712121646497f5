// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero remove`.
enum RemoveVerb: Verb {
    static let name = "remove"
    static let summary = "removes items, for good"
    static let help = """
        usage: llavero remove NAME… [--user USER]

        Removes items for good, and says which. When there is no item of one of the names, or several, nothing is removed.

          --user USER       the one of that user, where several have the name
          --apps            looks at what programs keep, too
          --all             at what is invisible, too
          --group GROUP     looks in that access group
          --kind KIND       looks at one kind only: password, internet, certificate, key
          --keychain NAME   looks in another keychain, by its name or its path
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard !options.operands.isEmpty else { throw .usage("NAME is missing") }
        let (keychains, scope) = (try Keychains(options), try ItemScope(options))
        var items: [Item] = []
        for word in options.operands {
            let item = try ItemName(word, isForChange: true).item(in: keychains, scope)
            if !items.contains(where: { $0.isSame(as: item) }) { items.append(item) }
        }
        for item in items {
            try item.keychain.delete(
                DeleteRequest(predicate: item.predicate, tombstones: .whenSynchronizable), of: item.owners)
            options.tell("removed \(item.title) from the keychain \(item.keychain.shownName)")
        }
    }
}
