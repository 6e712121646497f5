// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainCoding
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero keyring`: what the Python package keyring-llavero calls.
///
/// Names come on standard input, too: the command line is for every program to read.
enum KeyringVerb: Verb {
    static let name = "keyring"
    static let summary = "generic passwords by service and user; the Python package keyring-llavero calls it"
    static let help = """
        usage: llavero keyring get | set | delete

        Reads a JSON object with "service", "username" and, for set, "password" from standard input. get prints one with "username"
        and "password", or null if there is none; without "username" it looks for any user's. It ends with 36 if the keychain is
        locked. The items are those of `security find-generic-password -s SERVICE -a USER`.

          --keychain NAME   uses another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = try options.operand("get, set or delete")
        let said = try SecretInput.all(from: 0, line: false)
        let members: JSONStrings
        do throws(CodingError) { members = try JSONStrings(said) } catch {
            throw .failure("standard input is not a valid JSON object")
        }
        let passwords = KeyringPasswords(
            try Keychains(options), service: try text("service", members), user: try textIfAny("username", members))
        switch action {
        case "get": try passwords.print()
        case "set":
            guard let password = members["password"] else { throw .usage("\"password\" is missing") }
            try passwords.set(password)
        case "delete": try passwords.delete()
        default: throw .usage("unknown action: \(action)")
        }
    }

    private static func text(_ name: String, _ members: JSONStrings) throws(CommandError) -> String {
        guard let text = try textIfAny(name, members) else { throw .usage("\"\(name)\" is missing") }
        return text
    }

    private static func textIfAny(_ name: String, _ members: JSONStrings) throws(CommandError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.text else { throw .failure("the \(name) has a NUL character") }
        return text
    }
}

/// The generic passwords of a service and a user, in all keychains that are searched.
private struct KeyringPasswords {
    private let keychains: Keychains
    private let service: String
    private let user: String?

    init(_ keychains: Keychains, service: String, user: String?) {
        (self.keychains, self.service, self.user) = (keychains, service, user)
    }

    /// An item, with its keychain.
    private struct Place {
        let keychain: ToolKeychain
        let id: PersistentID
        let user: String
        let isNegative: Bool
        let changed: Double

        var predicate: ItemPredicate { ToolItem.predicate(of: .genericPassword, id) }
    }

    func print() throws(CommandError) {
        let places = try places()
        // A negative item records that the person is to be asked.
        guard let place = places.first(where: { !$0.isNegative }) else {
            // Python is told that there is no password only where that is sure.
            guard !keychains.isPartial || !places.isEmpty else {
                throw .failure("whether there is a password cannot be told")
            }
            Swift.print("null")
            return
        }
        let request = MatchRequest(predicate: place.predicate, returning: [.data], limit: .single)
        guard case .item(let item)? = try place.keychain.matchWithDamaged(request, of: .person).first else {
            throw .damaged("the item")
        }
        guard let secret = JSONStrings.quoted(item.secret ?? SecretValue(copying: [])),
            let user = JSONStrings.quoted(SecretValue(text: place.user))
        else { throw .failure("the password is not text, and Python's keyring has only text") }
        let parts = [
            SecretValue(text: #"{"username":"#), user, SecretValue(text: #","password":"#), secret,
            SecretValue(text: "}"),
        ]
        try SecretOutput.write(SecretValue.joined(parts), to: 1, ending: "\n")
    }

    func set(_ password: SecretValue) throws(CommandError) {
        guard let user else { throw .usage("\"username\" is missing") }
        let places = try places()
        if let place = places.first(where: { !$0.isNegative }) {
            let changes = ItemChanges(
                attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil, secret: password)
            let request = UpdateRequest(
                predicate: place.predicate, changes: changes, tombstones: .whenSynchronizable)
            return try place.keychain.changing { () throws(CommandError) in
                try place.keychain.update(request, of: .person)
            }
        }
        guard places.isEmpty else {
            throw .failure("a negative item records that no password is stored for this service; nothing was stored")
        }
        var attributes = identity
        attributes[.account] = .string(user)
        // As `security` and a Mac label what has no label.
        attributes[.label] = .string(service)
        let request = AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.passwords.name),
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: password, returning: [],
            origin: .caller)
        let keychain = keychains.standard
        try keychain.changing { () throws(CommandError) in _ = try keychain.add(request, of: .person) }
    }

    /// Every one of that user's: the next get must not find another.
    func delete() throws(CommandError) {
        guard user != nil else { throw .usage("\"username\" is missing") }
        let places = try places().filter { !$0.isNegative }
        guard !places.isEmpty else { throw .notFound("no password is stored for this service and user") }
        for place in places {
            let request = DeleteRequest(predicate: place.predicate, tombstones: .whenSynchronizable)
            try place.keychain.changing { () throws(CommandError) in
                try place.keychain.removeParts(of: place.predicate, .person)
                try place.keychain.delete(request, of: .person)
            }
        }
    }

    private var identity: AttributeList {
        var attributes = AttributeList()
        attributes[.service] = .string(service)
        if let user { attributes[.account] = .string(user) }
        return attributes
    }

    /// The newest first, as of git's and docker's.
    private func places() throws(CommandError) -> [Place] {
        var places: [Place] = []
        for keychain in keychains.searched {
            let predicate = ItemPredicate(
                queriedClass: .stored(.genericPassword), attributes: identity, groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            let request = MatchRequest(predicate: predicate, returning: [.attributes], limit: .all)
            for found in try keychain.matchWithDamaged(request, of: .person) {
                // Not the next item: that would be the wrong password.
                guard case .item(let item) = found, let attributes = item.attributes else { throw .damaged("an item") }
                let user: String? =
                    switch attributes[.account] {
                    case nil: ""
                    case .string(let text)?: text
                    case .data(let bytes)?: String(validating: bytes, as: UTF8.self)
                    case .number?, .date?: nil
                    }
                // An account that is not text is nobody's whom Python could name.
                guard let user else { continue }
                let isNegative = attributes[.isNegative].map { $0 != .number(0) } ?? false
                let changed: Double = if case .date(let date)? = attributes[.modificationDate] { date } else { 0 }
                places.append(
                    Place(
                        keychain: keychain, id: item.persistentID, user: user, isNegative: isNegative, changed: changed)
                )
            }
        }
        return places.sorted { $0.changed > $1.changed }
    }
}
