// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainBus
internal import KeychainModel

/// What the objects say of themselves.
extension ServiceCore {
    func property(
        _ path: ObjectPath, _ interface: String, _ name: String, _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        guard interface == path.interface || interface.isEmpty else { throw ServiceCore.noInterface(interface) }
        let value: BusValue?
        switch path {
        case .service: value = name == "Collections" ? try collectionPaths() : nil
        case .collection, .alias: value = try property(name, of: collection(path), client)
        case .item, .aliasedItem:
            let (found, id) = try item(path)
            value = try property(name, of: entry(id, in: found), found, client)
        case .session, .prompt: value = nil
        }
        guard let value else { throw BusFault(BusFault.unknownProperty, "there is no property \(name)") }
        return [.variant(value)]
    }

    func properties(
        _ path: ObjectPath, _ interface: String, _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        guard interface == path.interface || interface.isEmpty else { throw ServiceCore.noInterface(interface) }
        var properties: [(String, BusValue)] = []
        switch path {
        case .service: properties = [("Collections", try collectionPaths())]
        case .collection, .alias:
            let found = try collection(path)
            for name in ["Items", "Label", "Locked", "Created", "Modified"] {
                do throws(BusFault) {
                    if let value = try property(name, of: found, client) { properties.append((name, value)) }
                } catch {
                    // What cannot be told before the first unlock is left out: an empty list would be untrue.
                    guard error == .isLocked else { throw error }
                }
            }
        case .item, .aliasedItem:
            let (found, id) = try item(path)
            let entry = try entry(id, in: found)
            for name in ["Attributes", "Created", "Label", "Locked", "Modified"] {
                if let value = property(name, of: entry, found, client) { properties.append((name, value)) }
            }
        case .session, .prompt: break
        }
        return [.properties(properties)]
    }

    private func property(
        _ name: String, of found: ServedCollection, _ client: BusClient
    ) throws(BusFault) -> BusValue? {
        switch name {
        case "Items": try itemPaths(of: found)
        case "Label": .text(found.label)
        case "Locked": .truth(isLocked(found, for: client))
        case "Created": .largeNumber(found.created)
        case "Modified": .largeNumber(found.modified)
        default: nil
        }
    }

    private func property(
        _ name: String, of entry: SecretEntry, _ found: ServedCollection, _ client: BusClient
    ) -> BusValue? {
        switch name {
        case "Locked": .truth(isLocked(found, for: client))
        case "Attributes": .texts(entry.attributes)
        case "Label": .text(entry.label)
        case "Created": .largeNumber(entry.created)
        case "Modified": .largeNumber(entry.modified)
        default: nil
        }
    }

    func setProperty(
        _ path: ObjectPath, _ interface: String, _ name: String, _ value: BusValue, _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        guard interface == path.interface || interface.isEmpty else { throw ServiceCore.noInterface(interface) }
        switch (path, name) {
        case (.collection, "Label"), (.alias, "Label"):
            guard let label = value.asText else { throw .arguments("a label is a text") }
            let found = try collection(path)
            try requireUnlocked(found, client)
            try ServiceCore.translating { () throws(KeychainError) in try collections.setLabel(label, of: found.id) }
            let path = ObjectPath.collection(found.id).text
            tellChange(at: path, SecretInterface.collection, [("Label", value)])
            port.tell("CollectionChanged", of: SecretInterface.service, at: ObjectPath.service.text, [.path(path)])
        case (.item, "Label"), (.item, "Attributes"), (.aliasedItem, "Label"), (.aliasedItem, "Attributes"):
            let (found, id) = try item(path)
            try requireUnlocked(found, client)
            let isThere: Bool
            if name == "Label" {
                guard let label = value.asText else { throw .arguments("a label is a text") }
                isThere = try ServiceCore.translating { () throws(KeychainError) in
                    try found.items.setLabel(label, of: id)
                }
            } else {
                guard let attributes = value.asTexts else { throw .arguments("attributes are texts (a{ss})") }
                isThere = try ServiceCore.translating { () throws(KeychainError) in
                    try found.items.setAttributes(attributes, of: id)
                }
            }
            guard isThere else { throw .noSuchObject }
            record(.update, found, client, count: 1)
            let path = ObjectPath.item(collection: found.id, id: id).text
            tellChange(at: path, SecretInterface.item, [(name, value)])
            tell("ItemChanged", of: found, path)
        default:
            let isThere = (try? property(path, interface, name, client)) != nil
            throw isThere
                ? BusFault(BusFault.readOnlyProperty, "the property \(name) cannot be set")
                : BusFault(BusFault.unknownProperty, "there is no property \(name)")
        }
        return []
    }

    private func entry(_ id: String, in found: ServedCollection) throws(BusFault) -> SecretEntry {
        let entry = try ServiceCore.translating { () throws(KeychainError) in try found.items.entry(id) }
        guard let entry else { throw .noSuchObject }
        return entry
    }

    private func collectionPaths() throws(BusFault) -> BusValue {
        .paths(
            try ServiceCore.translating { () throws(KeychainError) in try collections.all() }
                .map { ObjectPath.collection($0.id).text })
    }

    private func itemPaths(of found: ServedCollection) throws(BusFault) -> BusValue {
        .paths(
            try ServiceCore.translating { () throws(KeychainError) in try found.items.search([:]) }
                .map { ObjectPath.item(collection: found.id, id: $0).text })
    }

    private static func noInterface(_ name: String) -> BusFault {
        BusFault(BusFault.unknownInterface, "the object has no interface \(name)")
    }

    // MARK: Signals

    func tellChange(at path: String, _ interface: String, _ properties: [(String, BusValue)]) {
        port.tell(
            "PropertiesChanged", of: SecretInterface.properties, at: path,
            [.text(interface), .properties(properties), .list(of: "s", [])])
    }

    /// Tells which items a collection has now.
    ///
    /// A long list is not sent with every item: the item's own signal says enough. And never that the list has to be asked for anew: libsecret then takes the collection for one without items, and one whose
    /// lock it does not know for locked.
    func tellItems(of found: ServedCollection, evenMany: Bool = false) {
        guard evenMany || (found.items.knownCount ?? .max) <= ServiceCore.longestToldList,
            let items = try? itemPaths(of: found)
        else { return }
        tellChange(at: ObjectPath.collection(found.id).text, SecretInterface.collection, [("Items", items)])
    }

    func tellLock(of found: ServedCollection) {
        let path = ObjectPath.collection(found.id).text
        tellChange(at: path, SecretInterface.collection, [("Locked", .truth(found.isLocked))])
        port.tell("CollectionChanged", of: SecretInterface.service, at: ObjectPath.service.text, [.path(path)])
    }

    func tellCollections() {
        guard let paths = try? collectionPaths() else { return }
        tellChange(at: ObjectPath.service.text, SecretInterface.service, [("Collections", paths)])
    }

    private static let longestToldList = 100

    // MARK: Introspection

    /// The description of whatever is at a path, and of what lies below it.
    func introspection(_ path: String, _ client: BusClient) -> String {
        let root = ObjectPath.service.text
        switch path {
        case "/": return Introspection.page(of: nil, children: ["org"])
        case "/org": return Introspection.page(of: nil, children: ["freedesktop"])
        case "/org/freedesktop": return Introspection.page(of: nil, children: ["secrets"])
        case root + "/collection":
            let all = (try? collections.all()) ?? []
            return Introspection.page(of: nil, children: all.map { ServiceCore.lastPart(.collection($0.id)) })
        case root + "/aliases":
            let aliases = (try? collections.aliases()) ?? []
            return Introspection.page(of: nil, children: aliases.map { ServiceCore.lastPart(.alias($0)) })
        case root + "/session", root + "/prompt": return Introspection.page(of: nil, children: [])
        default: break
        }
        guard let object = ObjectPath(path) else { return Introspection.page(of: nil, children: []) }
        switch object {
        case .service:
            return Introspection.page(
                of: object.interface, children: ["aliases", "collection", "prompt", "session"])
        case .collection, .alias:
            guard let found = try? collection(object) else { break }
            let items = (try? found.items.search([:])) ?? []
            return Introspection.page(
                of: object.interface,
                children: items.map { ServiceCore.lastPart(.item(collection: found.id, id: $0)) })
        case .item, .aliasedItem:
            guard let (found, id) = try? item(object), (try? found.items.entry(id)) ?? nil != nil else { break }
            return Introspection.page(of: object.interface, children: [])
        case .session, .prompt: return Introspection.page(of: object.interface, children: [])
        }
        return Introspection.page(of: nil, children: [])
    }

    private static func lastPart(_ path: ObjectPath) -> String {
        path.text.split(separator: "/").last.map(String.init) ?? ""
    }
}
