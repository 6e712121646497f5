// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// An item as `security` prints it: the keychain, the class, and a line for each attribute.
enum ItemText {
    enum Format: String {
        case blob
        case date = "timedate"
        case unsigned = "uint32"
        case signed = "sint32"
    }

    /// A line of the list: what it is called, and what stands in it.
    struct Line {
        /// A name of four letters, or the number of an attribute that has none.
        let name: String
        let format: Format
        let attribute: Attribute?
    }

    static func text(_ item: FoundItem, in path: String) -> String {
        var lines = ["keychain: \"\(path)\"", "version: 512", "class: \(className(item))", "attributes:"]
        for line in ItemLines.of(item.itemClass) {
            let value = line.attribute.flatMap { item.attributes?[$0] }
            lines.append("    \(line.name)<\(line.format.rawValue)>=\(text(of: value, line.format))")
        }
        return lines.joined(separator: "\n")
    }

    private static func className(_ item: FoundItem) -> String {
        switch item.itemClass {
        case .genericPassword, .internetPassword: return "\"\(item.itemClass.name)\""
        case .certificate: return "0x80001000 "
        case .key:
            // Public, private, symmetric.
            switch item.attributes?[.keyClass] {
            case .number(0): return "0x0000000F "
            case .number(1): return "0x00000010 "
            default: return "0x00000011 "
            }
        }
    }

    private static func text(of value: AttributeValue?, _ format: Format) -> String {
        switch (value, format) {
        case (nil, _), (.string(""), _), (.data([]), _): "<NULL>"
        case (.date(let date), _): DateText.blob(date)
        case (.number(let number), .unsigned): code(number) ?? number32(number)
        case (.number(let number), _): number32(number)
        case (.string(let text), _): BlobText.quoted(Array(text.utf8))
        case (.data(let bytes), _): BlobText.quoted(bytes)
        }
    }

    /// A creator's or a type's four letters.
    private static func code(_ number: Int64) -> String? {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return BlobText.isPrintable(bytes) ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : nil
    }

    private static func number32(_ number: Int64) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return "0x\(BlobText.hexadecimal(bytes, uppercase: true)) "
    }
}
