// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A reference to one value of an item, as configuration files have it: `llavero://[KEYCHAIN/]ITEM[/FIELD]`.
///
/// One part is the item, two are the item and a field, three are keychain, item and field: so a name is never taken for a
/// keychain. Whatever has a meaning here is written in percent-encoding: a slash within a part is `%2F`.
package struct SecretReference: Sendable {
    /// As people and options name keychains; nil for those that the tool searches.
    package let keychain: String?
    /// Any name of the item that the verbs accept.
    package let item: String
    package let field: ItemField

    /// nil for text that does not begin as a reference, which then is none.
    package init?(_ text: String) throws(ReferenceFault) {
        guard text.utf8.starts(with: SecretReference.beginning.utf8) else { return nil }
        let words = try SecretReference.parts(of: text)
        guard words.count <= 3 else { throw .parts }
        switch words.count {
        case 1: (keychain, item, field) = (nil, words[0], .password)
        case 2: (keychain, item, field) = (nil, words[0], ItemField(words[1]))
        default: (keychain, item, field) = (words[0], words[1], ItemField(words[2]))
        }
    }

    /// What stands between the slashes of a text that begins as a reference, of any number.
    package static func parts(of text: String) throws(ReferenceFault) -> [String] {
        var words: [String] = []
        for part in text.utf8.dropFirst(beginning.utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            words.append(try decoded(part))
        }
        return words
    }

    package init(keychain: String?, item: String, field: ItemField) {
        (self.keychain, self.item, self.field) = (keychain, item, field)
    }

    /// The shortest text of it, which may stand without braces, and which no other reference has.
    package var text: String {
        var words = [SecretReference.encoded(item)]
        if let keychain { words.insert(SecretReference.encoded(keychain), at: 0) }
        if keychain != nil || !field.isPassword { words.append(SecretReference.encoded(field.name)) }
        return SecretReference.beginning + words.joined(separator: "/")
    }

    /// Whether a reference without braces goes on with this byte.
    package static func continues(with byte: UInt8) -> Bool {
        isPlain(byte) || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "/")
    }

    package static let beginning = "llavero://"

    private static func decoded(_ part: Substring.UTF8View.SubSequence) throws(ReferenceFault) -> String {
        guard !part.isEmpty else { throw .emptyPart }
        var bytes: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    throw .encoding
                }
                bytes.append(high << 4 | low)
            // They may get a meaning, as URLs have it.
            case UInt8(ascii: "?"), UInt8(ascii: "#"): throw .reserved(Character(Unicode.Scalar(byte)))
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isControl)
        else {
            throw .notText
        }
        return text
    }

    private static func encoded(_ word: String) -> String {
        var text = ""
        for byte in word.utf8 {
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// What RFC 3986 calls unreserved.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}

/// Which value of an item is meant; the words that every item has go before fields of its own.
package enum ItemField: Sendable {
    case password
    case user
    case url
    case note
    /// The one-time code of this moment.
    case code
    /// A field that somebody gave the item, by its name.
    case own(String)

    package init(_ name: String) {
        switch name {
        case "password": self = .password
        case "user": self = .user
        case "url": self = .url
        // Most other stores call it so.
        case "note", "notes": self = .note
        case "code": self = .code
        default: self = .own(name)
        }
    }

    package var isPassword: Bool { if case .password = self { true } else { false } }

    /// Whether its name means the same of every item, so that no field of an item's own can be reached by it.
    package var isOfEveryItem: Bool { if case .own = self { false } else { true } }

    package var name: String {
        switch self {
        case .password: "password"
        case .user: "user"
        case .url: "url"
        case .note: "note"
        case .code: "code"
        case .own(let name): name
        }
    }

    package static let words = ["password", "user", "url", "note", "code"]
}

/// Why a text that begins as a reference is none.
package enum ReferenceFault: Error, Hashable, Sendable, CustomStringConvertible {
    case parts
    case emptyPart
    case encoding
    case reserved(Character)
    case notText
    /// Two opening braces and a reference, without the closing ones.
    case unclosed

    package var description: String {
        switch self {
        case .parts:
            "a reference is llavero://ITEM, llavero://ITEM/FIELD or llavero://KEYCHAIN/ITEM/FIELD; a slash within a name is written %2F"
        case .emptyPart: "a part of the reference is empty"
        case .encoding: "% in a reference requires two hexadecimal digits; the character itself is written %25"
        case .reserved(let character):
            "\(character) in a reference is written \(character == "?" ? "%3F" : "%23")"
        case .notText: "the reference is not text without control characters"
        case .unclosed: "{{ has no }} after its reference"
        }
    }
}
