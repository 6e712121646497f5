// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// An item that was found, with its keychain.
struct PlacedItem {
    let item: FoundItem
    let keychain: ToolKeychain

    /// Exactly this item.
    var predicate: ItemPredicate { .only(.item(item.itemClass, item.persistentID)) }

    /// D26: a negative item, which records that the person is to be asked each time.
    var isNegative: Bool { item.attributes?[.isNegative].map { $0 != .number(0) } ?? false }
}

/// The first item that matches, in the order of the keychains.
enum ItemSearch {
    static func first(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes
    ) throws(SecurityFailure) -> PlacedItem {
        let item = try firstIfAny(kind, attributes, in: keychains, returning: returning)
        guard let item else { throw .notFound() }
        return item
    }

    static func firstIfAny(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes,
        call: String = SecurityFailure.CallName.content
    ) throws(SecurityFailure) -> PlacedItem? {
        for keychain in keychains {
            let found = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
                try match(kind, attributes, in: keychain, returning: returning)
            }
            if let item = try first(of: found, in: keychain) { return item }
        }
        return nil
    }

    /// The same, but in the open keychains first: a locked one is named, or asked for when they do not have it, and so is one that
    /// cannot be opened, which is the answer then.
    static func firstInOpen(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychains: [ToolKeychain], returning: ReturnTypes,
        _ session: Session
    ) throws(SecurityFailure) -> PlacedItem {
        var locked: [ToolKeychain] = []
        var unopened: [(keychain: ToolKeychain, error: CommandError)] = []
        for keychain in keychains {
            let found: [Found]
            do throws(CommandError) {
                found = try match(kind, attributes, in: keychain, returning: returning)
            } catch {
                if Unlocking.isOfLock(error, keychain) {
                    locked.append(keychain)
                } else if (try? keychain.state()) == nil {
                    unopened.append((keychain, error))
                } else {
                    throw SecurityFailure(error, in: SecurityFailure.CallName.content)
                }
                continue
            }
            guard let item = try first(of: found, in: keychain) else { continue }
            for one in locked { LockedKeychains.tell(of: one, session) }
            for one in unopened { session.warn("\(one.keychain.path) cannot be opened: \(one.error.description)") }
            return item
        }
        if let one = unopened.first { throw SecurityFailure(one.error, in: SecurityFailure.CallName.content) }
        return try first(kind, attributes, in: locked, returning: returning)
    }

    /// A person's password that is called so and has a URL: on a Mac, too, that is an item of the other class, but there nobody keeps
    /// it by a name alone.
    static func withURL(_ attributes: AttributeList, in keychains: [ToolKeychain]) -> Namesake? {
        guard case .string(let name)? = attributes[.label] ?? attributes[.service] else { return nil }
        var wanted = AttributeList()
        wanted[.label] = .string(name)
        if let account = attributes[.account] { wanted[.account] = account }
        var predicate = ItemPredicate.all(of: .stored(.internetPassword), wanted)
        predicate.groups = .named(AccessGroup.passwords.name)
        let request = MatchRequest(predicate: predicate, returning: .attributes, limit: .single)
        for keychain in keychains
        where (try? keychain.state().lockState).map({ $0 == .unlocked || $0 == .noPasscode }) ?? false {
            guard case .item? = (try? keychain.matchWithDamaged(request, of: .programs))?.first else { continue }
            return Namesake(name: name)
        }
        return nil
    }

    /// An item of the other class with a name.
    struct Namesake {
        fileprivate let name: String

        var shownName: String { PlainText.shown(name) }
        var finding: String { "security find-internet-password -l \(ShellWord.quoted(shownName))" }
    }

    /// The first item of a keychain that matches; of a program's and a person's, which programs do not see, the program's.
    private static func match(
        _ kind: PasswordKind, _ attributes: AttributeList, in keychain: ToolKeychain, returning: ReturnTypes
    ) throws(CommandError) -> [Found] {
        var predicate = ItemPredicate.all(of: .stored(kind.itemClass), attributes)
        let returning = returning.union(.attributes)
        let found = try keychain.matchWithDamaged(
            MatchRequest(predicate: predicate, returning: returning, limit: .single), of: .programs)
        if case .item(let item)? = found.first, item.isSecretServiceEntry {
            return try secret(behindEntries: predicate, in: keychain, returning: returning)
        }
        guard case .item(let item)? = found.first, item.isPersons else { return found }
        predicate.groups = .named(AccessGroup.open.name)
        do throws(CommandError) {
            let ofPrograms = try keychain.matchWithDamaged(
                MatchRequest(predicate: predicate, returning: returning, limit: .single), of: .programs)
            return ofPrograms.isEmpty ? found : ofPrograms
        } catch {
            // Where a daemon gives `security` no such group, there is nothing of programs.
            guard case .keychain(let cause) = error, cause.reason == .missingEntitlement else { throw error }
            return found
        }
    }

    /// The first that is no entry of the Secret Service's: its secret is another item.
    private static func secret(
        behindEntries predicate: ItemPredicate, in keychain: ToolKeychain, returning: ReturnTypes
    ) throws(CommandError) -> [Found] {
        let all = try keychain.matchWithDamaged(
            MatchRequest(predicate: predicate, returning: .attributes, limit: .all), of: .programs)
        let first = all.first { if case .item(let item) = $0 { !item.isSecretServiceEntry } else { true } }
        guard case .item(let item)? = first else { return first.map { [$0] } ?? [] }
        return try keychain.matchWithDamaged(
            MatchRequest(
                predicate: .only(.item(item.itemClass, item.persistentID)), returning: returning, limit: .single),
            of: .programs)
    }

    private static func first(
        of found: [Found], in keychain: ToolKeychain
    ) throws(SecurityFailure) -> PlacedItem? {
        switch found.first {
        case .item(let item)?: return PlacedItem(item: item, keychain: keychain)
        // Not another item of the next keychain: that would be the wrong password.
        case .damaged(let item)?:
            // Without a reference it may be any that lies on a part of the database which cannot be read.
            let isNamed = item.rest != nil || item.persistentID != nil
            throw SecurityFailure(
                isNamed ? .damaged("The item") : .mayBeDamaged("the item"), in: SecurityFailure.CallName.content)
        case .identity?, nil: return nil
        }
    }
}

extension FoundItem {
    /// Whether a person keeps it with `llavero`.
    var isPersons: Bool { attributes?[.accessGroup] == .string(AccessGroup.passwords.name) }
}

extension ItemPredicate {
    /// Every item of a class that has these attributes.
    static func all(of queriedClass: QueriedClass, _ attributes: AttributeList) -> ItemPredicate {
        ItemPredicate(
            queriedClass: queriedClass, attributes: attributes, groups: .everyGroupOfCaller, synchronizable: .any,
            tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }
}
