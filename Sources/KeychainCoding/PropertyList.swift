// SPDX-License-Identifier: Apache-2.0

/// A value made of the kinds Apple's property lists have, with one encoding each (semantics §2.6).
///
/// For what is written rarely: keybags, access controls, quarantine rows, messages. Items have `AttributeCoding` and
/// `SecretCoding`, which give the same bytes.
package indirect enum PropertyList: Sendable, Hashable {
    case null
    case boolean(Bool)
    case number(Int64)
    case string(String)
    case data([UInt8])
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case array([PropertyList])
    /// Keys that Unicode holds equal are one key here, so bytes with both are refused as a duplicate.
    case dictionary([String: PropertyList])

    /// How many arrays and dictionaries may stand inside each other, in writing as in reading.
    package static let greatestDepth = 32
}

/// Values hold people's names for things; a description shows the kind alone.
extension PropertyList: CustomStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean(redacted)"
        case .number: "number(redacted)"
        case .string: "string(redacted)"
        case .data: "data(redacted)"
        case .date: "date(redacted)"
        case .array: "array(redacted)"
        case .dictionary: "dictionary(redacted)"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
