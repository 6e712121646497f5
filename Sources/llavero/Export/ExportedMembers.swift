// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// What an export says of an item beside its secret: exactly what is stored, so that it can be put back.
enum ExportedMembers {
    static func of(_ item: Item) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = [("name", .text(item.name)), ("kind", .text(item.kind))]
        if item.itemClass == .internetPassword { members.append(("url", .text(item.url))) }
        let absent = ItemIdentity.parts(of: item.itemClass)
        for entry in item.attributes.entries where !ExportNames.isLeftOut(entry.attribute) {
            // What stands for "not given" comes back by itself.
            let isAbsent = absent.contains { $0.attribute == entry.attribute && $0.absent == entry.value }
            if isAbsent || (entry.attribute == .synchronizable && entry.value == .number(0)) { continue }
            members.append((ExportNames.name(of: entry.attribute), value(entry)))
        }
        if let control = item.accessControl {
            members.append(("protection", .text(ExportNames.name(of: control.protection))))
            if control.rules != nil, case .dictionary(var fields) = AccessControlCoding.list(control) {
                fields["prot"] = nil
                members.append(("rules", json(.dictionary(fields))))
            }
        }
        members.append(("keychain", .text(KeychainNames.name(of: item.keychain.place))))
        members.append(("id", .text(item.identifier)))
        return members
    }

    private static func value(_ entry: AttributeList.Entry) -> JSONText {
        switch entry.value {
        case .string(let text): .text(text)
        case .number(let number):
            AttributeText.isSwitch(entry.attribute) && (number == 0 || number == 1)
                ? .boolean(number == 1) : .number(number)
        case .data(let bytes): base64(bytes)
        case .date(let date): .optional(ExportDate.text(date))
        }
    }

    private static func base64(_ bytes: [UInt8]) -> JSONText {
        let text = unsafe SecretForm.base64(SecretValue(copying: bytes)).withUnsafeBytes {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        return .object([("base64", .text(text))])
    }

    private static func json(_ list: PropertyList) -> JSONText {
        switch list {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): .number(number)
        case .string(let text): .text(text)
        case .data(let bytes): base64(bytes)
        case .date(let date): .optional(ExportDate.text(date))
        case .array(let values): .list(values.map(json))
        case .dictionary(let fields): .object(fields.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })
        }
    }
}
