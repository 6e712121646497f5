// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The keychains that a helper looks through, and the default one, where it puts what is new: those of people's commands.
struct HelperKeychains {
    let standard: ToolKeychain
    let searched: [ToolKeychain]
    /// Why one that was there is not, or is not opened, if so: what is not found may be in it.
    private let lack: CommandError?

    init() throws(CommandError) {
        let list = try SearchList()
        (standard, searched) = (list.standard, list.searched)
        for one in list.unopened { Tool.say(one.warning) }
        if searched.isEmpty, let text = standard.namedInVain { Tool.say(text) }
        let closed = list.unopened.first.map { one in
            CommandError.failure("nothing was found, and the keychain \(one.keychain.shownName) may have it")
        }
        lack = list.absent.lazy.compactMap(\.disappearance).first ?? closed
    }

    /// The items with all of the attributes, the newest first, wherever they are.
    ///
    /// A locked keychain that has one refuses: the next item would be the wrong password.
    func passwords(
        _ attributes: AttributeList, of itemClass: ItemClass = .internetPassword
    ) throws(CommandError) -> [PasswordItem] {
        var items: [PasswordItem] = []
        for keychain in searched { items += try keychain.passwords(attributes, of: itemClass) }
        if items.isEmpty, let lack { throw lack }
        return items.sorted { $0.changed > $1.changed }
    }

    /// Adds a password to the default keychain; false if that has one with the same identity already.
    func addPassword(
        _ attributes: AttributeList, _ secret: SecretValue, of itemClass: ItemClass = .internetPassword
    ) throws(CommandError) -> Bool {
        do throws(CommandError) {
            try standard.add(
                AddRequest(
                    itemClass: itemClass, attributes: attributes, group: .everyGroupOfCaller,
                    protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: secret,
                    returning: [], origin: .caller), of: .person)
            return true
        } catch {
            if case .keychain(let reason) = error, reason.reason == .duplicateItem { return false }
            throw error
        }
    }
}

extension ToolKeychain {
    /// Its items with all of the attributes.
    fileprivate func passwords(
        _ attributes: AttributeList, of itemClass: ItemClass
    ) throws(CommandError) -> [PasswordItem] {
        var predicate = ItemPredicate.passwords(of: itemClass, attributes)
        let found = try match(
            MatchRequest(predicate: predicate, returning: [.attributes, .persistentReference], limit: .all),
            of: .person)
        if found.isEmpty {
            // A daemon leaves out what the helper may not see. Named, the group where people's passwords are is refused then,
            // with the cause; "not found" is for what is not there.
            predicate.groups = .named(AccessGroup.passwords.name)
            _ = try match(MatchRequest(predicate: predicate, returning: [], limit: .single), of: .person)
        }
        return found.compactMap { PasswordItem($0, in: self) }
    }
}
