// SPDX-License-Identifier: Apache-2.0

/// What an object of the service is, as its path on the bus says it.
///
/// A path and what it names are the same thing twice: each object has one path, and no other text is read as it.
package enum ObjectPath: Hashable, Sendable {
    case service
    case collection(String)
    case item(collection: String, id: String)
    case alias(String)
    /// An item by the alias of its collection.
    case aliasedItem(alias: String, id: String)
    case session(String)
    case prompt(String)

    /// What a path names; nil for paths that the service never gave to anything.
    package init?(_ path: String) {
        if path == Self.root {
            self = .service
            return
        }
        guard path.hasPrefix(Self.root + "/") else { return nil }
        let parts = path.dropFirst(Self.root.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let name = Self.decoded(parts[1]) else { return nil }
        let id: String?
        if parts.count == 3 {
            guard let decoded = Self.decoded(parts[2]) else { return nil }
            id = decoded
        } else {
            id = nil
        }
        switch (parts[0], id) {
        case ("collection", nil): self = .collection(name)
        case ("collection", let id?): self = .item(collection: name, id: id)
        case ("aliases", nil): self = .alias(name)
        case ("aliases", let id?): self = .aliasedItem(alias: name, id: id)
        case ("session", nil): self = .session(name)
        case ("prompt", nil): self = .prompt(name)
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .service: Self.root
        case .collection(let name): Self.text("collection", name)
        case .item(let collection, let id): Self.text("collection", collection, id)
        case .alias(let name): Self.text("aliases", name)
        case .aliasedItem(let alias, let id): Self.text("aliases", alias, id)
        case .session(let id): Self.text("session", id)
        case .prompt(let id): Self.text("prompt", id)
        }
    }

    // Swift takes texts for equal that have other bytes (an accented letter in one piece or two); they are other objects.
    package static func == (left: ObjectPath, right: ObjectPath) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The path that stands for no object, and for no prompt.
    package static let none = "/"

    private static let root = "/org/freedesktop/secrets"

    private static func text(_ kind: String, _ names: String...) -> String {
        ([root, kind] + names.map(encoded)).joined(separator: "/")
    }

    /// A name as a part of a path: letters and digits of ASCII as they are, and every other byte as `_` and two digits.
    // Programs that look for a collection by its name decode paths so, and make another one when nothing fits.
    private static func encoded(_ name: String) -> String {
        // A path has no part without characters; `_` alone is the name of no other.
        guard !name.isEmpty else { return "_" }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(name.utf8.count)
        for byte in name.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [underscore, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Nil for what `encoded` never makes.
    private static func decoded(_ part: Substring) -> String? {
        if part == "_" { return "" }
        guard !part.isEmpty else { return nil }
        var bytes: [UInt8] = []
        var rest = part.utf8[...]
        while let byte = rest.popFirst() {
            if isPlain(byte) {
                bytes.append(byte)
                continue
            }
            guard byte == underscore, let high = rest.popFirst().flatMap(digits.firstIndex),
                let low = rest.popFirst().flatMap(digits.firstIndex)
            else { return nil }
            let decoded = UInt8(high << 4 | low)
            guard !isPlain(decoded) else { return nil }
            bytes.append(decoded)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static let underscore = UInt8(ascii: "_")
    private static let digits = Array("0123456789abcdef".utf8)
}
