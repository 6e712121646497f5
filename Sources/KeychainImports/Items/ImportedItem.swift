// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One password of another store, independent of the format.
package struct ImportedItem: Sendable {
    package enum Kind: Hashable, Sendable {
        case generic(service: String)
        case internet(InternetPlace)
    }

    package var kind: Kind
    package var account: String
    package var label: String
    package var comment: String
    /// Arbitrary bytes, possibly empty.
    package var secret: ImportedBytes
    /// Whether the source says what the password is; else it is empty, and says nothing about that of an item that is here.
    package var hasPassword = true
    /// Further values of the source without an attribute in the keychain, in order and under the source's names; not secret.
    package var attributes: [ImportedAttribute]
    /// Its tags, and its folders as tags with slashes.
    package var tags: [String] = []
    /// When it expires, as text: 2026-12-31T00:00:00Z.
    package var expiry: String?
    /// The attributes by which programs look the item up, complete and exact; empty if the source has no such attributes.
    package var lookup: [ImportedAttribute] = []
    /// What the source adds to them where they name no schema.
    package var schema: String?
    /// When it was made and changed last, in seconds since 1970; nil if the source does not say.
    package var created: UInt64?
    package var modified: UInt64?
    /// What kind of bytes the secret is; nil if the source does not say.
    package var contentType: String?
    /// Values of the source that are attributes in the keychain.
    package var native = AttributeList()
    /// The secrets of the source besides the password.
    package var furtherSecrets: [FurtherSecret]
    package let source: SourceLocation
    /// The changes that were needed to import it; empty for an undamaged entry.
    package var repairs: [ImportRepair]
    /// The same entry as another choice of the import, or an earlier version, reads it, by which it may be here already; one at most.
    package var otherReading: [ImportedItem] = []

    internal init(
        _ kind: Kind, account: String, label: String, comment: String = "", secret: ImportedBytes,
        attributes: [ImportedAttribute] = [], furtherSecrets: [FurtherSecret] = [], source: SourceLocation,
        repairs: [ImportRepair] = []
    ) {
        self.kind = kind
        self.account = account
        self.label = label
        self.comment = comment
        self.secret = secret
        self.attributes = attributes
        self.furtherSecrets = furtherSecrets
        self.source = source
        self.repairs = repairs
    }
}

/// The server that a password is for.
package struct InternetPlace: Hashable, Sendable {
    /// Never empty.
    package let server: String
    /// The four-letter code of the protocol ("htps"); nil if it has none, or no protocol is given.
    package let protocolCode: String?
    package let port: UInt16?
    /// Empty, or beginning with a slash.
    package let path: String

    internal init(server: String, protocolCode: String? = nil, port: UInt16? = nil, path: String = "") {
        self.server = server
        self.protocolCode = protocolCode
        self.port = port
        self.path = path
    }
}

/// A name and a value from the source, neither of them secret.
package struct ImportedAttribute: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A secret besides the password, such as notes or the seed of one-time codes.
package struct FurtherSecret: Sendable {
    package enum Part: Hashable, Sendable {
        case field
        case attachment
        case oneTimeCode
        case notes
    }

    package let name: String
    package let value: ImportedBytes
    package let part: Part

    internal init(_ name: String, _ value: ImportedBytes, _ part: Part = .field) {
        self.name = name
        self.value = value
        self.part = part
    }
}

/// A place in the source, counted from one.
package struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    package let line: Int?
    /// The last line, if it is known to have several.
    package let lastLine: Int?
    package let item: Int?

    package init(_ file: String, line: Int? = nil, lastLine: Int? = nil, item: Int? = nil) {
        self.file = file
        self.line = line
        self.lastLine = lastLine
        self.item = item
    }

    package var description: String {
        var text = file
        if let line, let lastLine {
            text += ", lines \(line) to \(lastLine)"
        } else if let line {
            text += ", line \(line)"
        }
        if let item { text += ", item \(item)" }
        return text
    }
}

/// Attributes by which a program finds an item in its store, as one text that is stored with the item.
///
/// A line for each, ended by a newline, sorted by bytes: `name=value`. In names and values a backslash is `\\`, a newline `\n`,
/// a carriage return `\r`; in names an equals sign is `\=`. So each list has exactly one text, and each such text one list.
/// `Docs/Imports.md` promises this form.
package enum SourceAttributes {
    package static func text(of attributes: [ImportedAttribute]) -> String {
        let lines = attributes.map { escaped($0.name, isName: true) + "=" + escaped($0.value, isName: false) + "\n" }
        return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    }

    /// Decodes a text to its list, in the order of the lines; nil if it is malformed.
    package static func attributes(in text: String) -> [ImportedAttribute]? {
        var attributes: [ImportedAttribute] = []
        var (name, value): ([UInt8]?, [UInt8]) = (nil, [])
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
                switch byte {
                case ASCII.backslash: value.append(byte)
                case UInt8(ascii: "n"): value.append(ASCII.newline)
                case UInt8(ascii: "r"): value.append(ASCII.carriageReturn)
                case ASCII.equals where name == nil: value.append(byte)
                default: return nil
                }
            } else if byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.equals, name == nil {
                (name, value) = (value, [])
            } else if byte == ASCII.newline {
                guard let bytes = name else { return nil }
                attributes.append(
                    ImportedAttribute(String(decoding: bytes, as: UTF8.self), String(decoding: value, as: UTF8.self)))
                (name, value) = (nil, [])
            } else {
                value.append(byte)
            }
        }
        guard name == nil, value.isEmpty, !isEscaped else { return nil }
        return self.text(of: attributes).utf8.elementsEqual(text.utf8) ? attributes : nil
    }

    private static func escaped(_ text: String, isName: Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case ASCII.backslash: bytes += [ASCII.backslash, ASCII.backslash]
            case ASCII.newline: bytes += [ASCII.backslash, UInt8(ascii: "n")]
            case ASCII.carriageReturn: bytes += [ASCII.backslash, UInt8(ascii: "r")]
            case ASCII.equals where isName: bytes += [ASCII.backslash, byte]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
