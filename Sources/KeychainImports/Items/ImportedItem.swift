// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One password of another store, as every format is read.
package struct ImportedItem: Sendable {
    package enum Kind: Hashable, Sendable {
        case generic(service: String)
        case internet(InternetPlace)
    }

    package var kind: Kind
    package var account: String
    package var label: String
    package var comment: String
    /// Arbitrary bytes, perhaps none.
    package var secret: ImportedBytes
    /// What else the source says and no attribute of ours takes, in its order and under its names; nothing secret.
    package var attributes: [ImportedAttribute]
    /// The attributes that a program looks the item up by, all of them and exactly; empty where the source has none such.
    package var lookup: [ImportedAttribute] = []
    /// What the source says in our own attributes.
    package var native = AttributeList()
    /// What the source keeps as secret beside the password.
    package var furtherSecrets: [FurtherSecret]
    package let source: SourceLocation
    /// What had to be done to have it; empty when it stood there undamaged.
    package var repairs: [ImportRepair]

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

/// The place on the network that a password is for.
package struct InternetPlace: Hashable, Sendable {
    /// Never empty.
    package let server: String
    /// The four letters that stand for the protocol ("htps"); nil when there are none for it, or none was named.
    package let protocolCode: String?
    package let port: UInt16?
    /// Empty, or with its first slash.
    package let path: String

    internal init(server: String, protocolCode: String? = nil, port: UInt16? = nil, path: String = "") {
        self.server = server
        self.protocolCode = protocolCode
        self.port = port
        self.path = path
    }
}

/// A name and a value of the source, neither of them secret.
package struct ImportedAttribute: Hashable, Sendable {
    package let name: String
    package let value: String

    internal init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A secret beside the password, such as notes or the seed of one-time codes.
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

/// Where something stands at its source, counted from one.
package struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    package let line: Int?
    /// Where it is known to have several lines, the last of them.
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

/// Attributes by which a program finds an item of its store, as one text that is kept with the item.
///
/// A line for each, ended by a newline, in the order of the bytes: `name=value`. In names and values a backslash is
/// `\\`, a newline `\n`, a carriage return `\r`; in names a sign of equality is `\=`. So each list has one text, and
/// each such text one list. `Docs/Imports.md` promises this form.
package enum SourceAttributes {
    package static func text(of attributes: [ImportedAttribute]) -> String {
        let lines = attributes.map { escaped($0.name, isName: true) + "=" + escaped($0.value, isName: false) + "\n" }
        return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    }

    /// The list that a text stands for, in the order of the lines; nil when it is of another form.
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
