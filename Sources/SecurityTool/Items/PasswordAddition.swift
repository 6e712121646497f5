// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// What add-generic-password and add-internet-password do.
enum PasswordAddition {
    /// The lines of the help for what is beside the options that name the item.
    static let usage = """
          -w [VALUE]         the password; as the last word, without a value, it asks for it, twice
          --password-fd N    reads the password from descriptor N to its end; one line feed at the end does not count
          -X DIGITS          the password in hexadecimal digits
          -U                 changes the item that is there already, instead of failing
          -A, -T PROGRAM     accepted; items have no list of applications here
        """

    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        // Before -w and -X: there -p was what -w is now.
        let letters = kind.letters + (kind == .generic ? "p:" : "") + NewSecret.letters + "UAT:"
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: letters, repeated: ["T"], valued: NewSecret.valued))
        let name = try options.operandIfAny("keychain")
        var attributes = try kind.attributes(options)
        let keychain = try Keychains.target(name)
        AccessLists.explain(options, session)
        let secret = try NewSecret.read(options, session, older: kind == .generic ? "p" : nil)
        let own = attributes
        if attributes[.label] == nil, let name = attributes[kind.nameOfUnlabelled] { attributes[.label] = name }
        let request = AddRequest(
            itemClass: kind.itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
            secret: secret ?? SecretValue(copying: []), returning: [], origin: .caller)
        do throws(SecurityFailure) {
            try Unlocking.retrying(keychain, SecurityFailure.Call.create) { () throws(CommandError) in
                _ = try keychain.add(request, of: .programs)
            }
        } catch {
            guard options.has("U"), case .status(.duplicateItem, _, _) = error else { throw error }
            try update(kind, own, secret, in: keychain)
        }
    }

    /// -U: what was given takes the place of what is there, and the rest stays.
    private static func update(
        _ kind: PasswordKind, _ attributes: AttributeList, _ secret: SecretValue?, in keychain: ToolKeychain
    ) throws(SecurityFailure) {
        var unique = AttributeList()
        for part in ItemIdentity.parts(of: kind.itemClass) {
            unique[part.attribute] = attributes[part.attribute] ?? part.absent
        }
        // In the group that the Add was for: the same item of another may be there too.
        let found = try ItemSearch.first(
            kind, unique, in: [keychain], returning: .attributes, group: .named(AccessGroup.open.name))
        guard !found.isNegative else {
            throw .status(
                .duplicateItem, call: SecurityFailure.Call.modify,
                why: "the item says that no password is to be kept for it; delete it first, if that is wrong")
        }
        var changed = AttributeList()
        for entry in attributes.entries where !unique.contains(entry.attribute) {
            changed[entry.attribute] = entry.value
        }
        let changes = ItemChanges(
            attributes: changed, group: nil, accessControl: nil, isSynchronizable: nil, secret: secret)
        let request = UpdateRequest(predicate: found.predicate, changes: changes, tombstones: .whenSynchronizable)
        try Unlocking.retrying(keychain, SecurityFailure.Call.modify) { () throws(CommandError) in
            try keychain.update(request, of: .programs)
        }
    }
}
