// SPDX-License-Identifier: Apache-2.0

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
