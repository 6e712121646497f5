// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainSystem

/// A value of a message, of any type that services here take or give.
package indirect enum BusValue: Sendable {
    case text(String)
    case path(String)
    case truth(Bool)
    case byte(UInt8)
    case number(UInt32)
    case signedNumber(Int32)
    case largeNumber(UInt64)
    /// `ay`: may be secret, so it lies in memory that is wiped.
    case bytes(SecretValue)
    /// A list with the type of its elements, which an empty one has too.
    case list(of: String, [BusValue])
    /// A list of pairs, in the order in which they came; the types of key and value.
    case dictionary(String, String, [(key: BusValue, value: BusValue)])
    case structure([BusValue])
    case variant(BusValue)
    /// A descriptor of our own for one that came, or one that is sent.
    case file(OwnedDescriptor)

    /// Its type, as the bus writes types.
    package var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .truth: "b"
        case .byte: "y"
        case .number: "u"
        case .signedNumber: "i"
        case .largeNumber: "t"
        case .bytes: "ay"
        case .list(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        case .file: "h"
        }
    }

    /// No less than the bytes that it takes in a message.
    var size: Int {
        switch self {
        case .text(let text), .path(let text): text.utf8.count + 8
        case .truth, .byte, .number, .signedNumber, .largeNumber, .file: 8
        case .bytes(let bytes): bytes.count + 8
        case .list(_, let values), .structure(let values): values.reduce(16) { $0 + $1.size }
        case .dictionary(_, _, let pairs): pairs.reduce(16) { $0 + $1.key.size + $1.value.size + 8 }
        case .variant(let value): value.size + 264
        }
    }

    package static func paths(_ paths: [String]) -> BusValue { .list(of: "o", paths.map(BusValue.path)) }

    package static func texts(_ texts: [String: String]) -> BusValue {
        .dictionary("s", "s", texts.sorted { $0.key < $1.key }.map { (.text($0.key), .text($0.value)) })
    }

    /// Names with values of any type.
    package static func properties(_ properties: [(String, BusValue)]) -> BusValue {
        .dictionary("s", "v", properties.map { (.text($0.0), .variant($0.1)) })
    }
}

extension BusValue {
    package var asText: String? { if case .text(let text) = self { text } else { nil } }
    package var asPath: String? { if case .path(let path) = self { path } else { nil } }
    package var asTruth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
    package var asNumber: UInt32? { if case .number(let number) = self { number } else { nil } }
    package var asLargeNumber: UInt64? { if case .largeNumber(let number) = self { number } else { nil } }
    package var asBytes: SecretValue? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var asFields: [BusValue]? { if case .structure(let fields) = self { fields } else { nil } }
    package var asFile: OwnedDescriptor? { if case .file(let file) = self { file } else { nil } }
    package var inVariant: BusValue? { if case .variant(let value) = self { value } else { nil } }

    package var asPaths: [String]? {
        guard case .list(of: "o", let values) = self else { return nil }
        return values.compactMap(\.asPath)
    }

    /// A dictionary of texts; the bus lets a name stand twice, and then the last one counts.
    ///
    /// nil also where two names are of other bytes and the same for Swift (an accented letter in one piece and in two): the
    /// dictionary could hold one of them alone.
    package var asTexts: [String: String]? {
        guard case .dictionary("s", "s", let pairs) = self else { return nil }
        var texts: [String: String] = [:]
        for pair in pairs {
            guard let name = pair.key.asText, let text = pair.value.asText else { return nil }
            if let known = texts.index(forKey: name), !texts[known].key.utf8.elementsEqual(name.utf8) { return nil }
            texts[name] = text
        }
        return texts
    }

    /// A dictionary of values of any type.
    package var asProperties: [String: BusValue]? {
        guard case .dictionary("s", "v", let pairs) = self else { return nil }
        return Dictionary(
            pairs.compactMap { pair in pair.key.asText.flatMap { key in pair.value.inVariant.map { (key, $0) } } },
            uniquingKeysWith: { $1 })
    }
}
