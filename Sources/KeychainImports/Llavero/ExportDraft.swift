// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// An item of an export while its members are read: each comes once, and none that nobody knows.
internal struct ExportDraft {
    /// What the file calls it.
    internal private(set) var name = ""
    private var itemClass: ItemClass?
    private var attributes = AttributeList()
    private var protection: Accessibility?
    private var rules: PropertyList?
    private var secret: ImportedBytes?
    private var seen: Set<[UInt8]> = []

    internal mutating func take(
        _ member: String, _ cursor: inout JSONCursor<ImportedBytes>
    ) throws(JSONFault) {
        guard seen.insert(Array(member.utf8)).inserted else { throw .twice }
        switch member {
        case "name": name = try ExportMember.text(&cursor)
        // For people: it follows from the rest, or says where the item was.
        case "url", "keychain", "id": _ = try ExportMember.text(&cursor)
        case "kind":
            guard let named = ExportNames.itemClass(named: try ExportMember.text(&cursor)) else { throw .malformed }
            itemClass = named
        case "protection":
            guard let named = ExportNames.protection(named: try ExportMember.text(&cursor)) else { throw .malformed }
            protection = named
        case "rules": rules = try ExportMember.list(&cursor)
        case "secret", "secret-base64":
            guard secret == nil else { throw .twice }
            let place = try cursor.string()
            secret =
                member == "secret"
                ? ExportMember.bytes(cursor.source, place) : cursor.source.decodingBase64(place)
            guard secret != nil else { throw .malformed }
        default:
            guard let attribute = ExportNames.attribute(named: member), !ExportNames.isLeftOut(attribute) else {
                throw .malformed
            }
            attributes[attribute] = try ExportMember.value(&cursor, of: attribute)
        }
    }

    /// nil where something is missing that every item has, or the parts contradict each other.
    internal func item(_ source: SourceLocation) -> ExportedItem? {
        guard let itemClass, let accessControl, case .string(let groupName)? = attributes[.accessGroup],
            let group = AccessGroup(groupName)
        else { return nil }
        var own = AttributeList()
        for entry in attributes.entries {
            guard entry.attribute.isKnown(to: itemClass), entry.attribute.kind.takes(entry.value) else { return nil }
            switch entry.attribute {
            case .accessGroup, .synchronizable, .creationDate, .modificationDate: continue
            default: own[entry.attribute] = entry.value
            }
        }
        let created: Double? = if case .date(let date)? = attributes[.creationDate] { date } else { nil }
        return ExportedItem(
            itemClass: itemClass, name: name, attributes: own, group: group, accessControl: accessControl,
            isSynchronizable: attributes[.synchronizable] == .number(1), created: created, secret: secret,
            source: source)
    }

    private var accessControl: AccessControl? {
        guard let protection else { return nil }
        guard let rules else { return AccessControl(protection: protection) }
        guard case .dictionary(var fields) = rules,
            fields.updateValue(.string(protection.name), forKey: "prot") == nil
        else { return nil }
        return try? AccessControlCoding.control(.dictionary(fields))
    }
}
