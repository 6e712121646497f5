// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// Everything that is known of an item, but its secret.
struct ItemDetails {
    let members: [(String, JSONText)]

    init(_ item: Item) {
        var members: [(String, JSONText)] = [("name", .text(item.name)), ("kind", .text(item.kind))]
        if item.itemClass == .internetPassword { members.append(("url", .text(item.url))) }
        for attribute in ItemDetails.order {
            for entry in item.attributes.entries where entry.attribute == attribute {
                members += ItemDetails.member(entry)
            }
        }
        for entry in item.attributes.entries
        where !ItemDetails.order.contains(entry.attribute) && !ItemDetails.left.contains(entry.attribute)
            && !(entry.attribute == .viewHint && NameMark.isOne(entry.value))
        {
            members += ItemDetails.member(entry)
        }
        if let control = item.accessControl {
            members.append(("protection", .text(AccessWords.protection(control.protection))))
            members.append(("access", .text(AccessWords.access(control, to: item.itemClass))))
        }
        if let damage = item.damage { members.append(("damaged", .text(damage.rawValue))) }
        members.append(("keychain", .text(KeychainNames.name(of: item.keychain.place))))
        members.append(("id", .text(item.identifier)))
        self.members = members
    }

    func print(_ form: OutputForm) {
        switch form {
        case .json: Swift.print(JSONText.object(members).line)
        case .plain: for (name, value) in members { Swift.print("\(name)\t\(PlainText.field(value))") }
        case .people:
            let width = members.map(\.0.count).max() ?? 0
            for (name, value) in members {
                let text = PlainText.shown(value)
                Swift.print("\(Screen.output.bold(TextWidth.padded(name, to: width)))  \(text)")
            }
        }
    }

    /// What says nothing is left out: an empty text, a number that was not given, a switch that is off.
    ///
    /// A protocol stands there as addresses begin, and not by Apple's four letters for it.
    private static func member(_ entry: AttributeList.Entry) -> [(String, JSONText)] {
        switch entry.value {
        case .string(""), .data([]): return []
        case .number(0) where entry.attribute != .keyClass: return []
        case .date(let date) where date == 0: return []
        case .string(let code) where entry.attribute == .protocol:
            return [(AttributeText.name(of: .protocol), .text(WebAddress.scheme(of: code) ?? code))]
        case .string, .data, .number, .date:
            return [(AttributeText.name(of: entry.attribute), AttributeText.json(entry))]
        }
    }

    private static let order: [Attribute] = [
        .label, .account, .service, .server, .protocol, .port, .path, .comment, .itemDescription, .accessGroup,
        .creationDate, .modificationDate,
    ]
    /// Ours, or said in words at the end.
    private static let left: [Attribute] = [
        .accessible, .accessControl, .multiUser, .digest, .syncIdentifier, .tombstone,
    ]
}
