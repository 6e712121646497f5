// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// An item that was found, and where.
struct Item {
    let found: FoundItem
    let keychain: ToolKeychain
    /// As whom it was found, and is asked for again.
    let owners: ItemOwners

    var attributes: AttributeList { found.attributes ?? AttributeList() }
    var itemClass: ItemClass { found.itemClass }

    func text(_ attribute: Attribute) -> String {
        for entry in attributes.entries where entry.attribute == attribute { return AttributeText.text(entry) }
        return ""
    }

    /// What people call it: its label, or what comes nearest.
    var name: String {
        let label = text(.label)
        if !label.isEmpty { return label }
        let place = self.place
        return place.isEmpty ? "(without a name)" : place
    }

    /// What it is for: a service, or a server.
    var place: String {
        switch itemClass {
        case .genericPassword: text(.service)
        case .internetPassword: url
        case .certificate: ""
        case .key: text(.applicationTag)
        }
    }

    var account: String { itemClass.isPassword ? text(.account) : "" }
    var group: String { text(.accessGroup) }
    var isInvisible: Bool { AttributeText.isTrue(attributes[.isInvisible]) }
    /// It says that there is no password, and that the person is to be asked.
    var isNegative: Bool { AttributeText.isTrue(attributes[.isNegative]) }

    var kind: String { Item.kind(of: itemClass) }

    static func kind(of itemClass: ItemClass) -> String {
        switch itemClass {
        case .genericPassword: "password"
        case .internetPassword: "internet"
        case .certificate: "certificate"
        case .key: "key"
        }
    }

    /// What `id:` in an item's name takes.
    var identifier: String {
        "id:" + ProgramReading.hexadecimal(PersistentReference.item(itemClass, found.persistentID).bytes)
    }

    /// As the parts say it; what is no internet password has none.
    var url: String {
        guard itemClass == .internetPassword else { return "" }
        let server = text(.server)
        let port: String = if case .number(let port)? = attributes[.port], port > 0 { ":\(port)" } else { "" }
        guard let scheme = WebAddress.scheme(of: text(.protocol)) else { return server + port + text(.path) }
        let path = text(.path)
        return "\(scheme)://\(server)\(port)\(path.isEmpty || path.hasPrefix("/") ? path : "/" + path)"
    }

    /// The predicate of this item alone.
    var predicate: ItemPredicate { Item.predicate(of: itemClass, found.persistentID) }

    static func predicate(of itemClass: ItemClass, _ id: PersistentID) -> ItemPredicate {
        ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil,
            restriction: .items([.persistent(.item(itemClass, id))]), filters: [])
    }

    /// Its secret; for what demands somebody, somebody is asked.
    func secret() throws(CommandError) -> SecretValue {
        if isNegative {
            throw .failure("\(PlainText.shown(name)) says that there is no password, and that you are to be asked")
        }
        let request = MatchRequest(predicate: predicate, returning: [.data], limit: .single)
        guard case .item(let item)? = try keychain.match(request, of: owners).first else {
            throw .notFound("\(PlainText.shown(name)) is gone")
        }
        guard let secret = item.secret else {
            throw .failure("\(PlainText.shown(name)) has no secret, or none that may leave the keychain")
        }
        return secret
    }
}
