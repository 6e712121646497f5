// SPDX-License-Identifier: Apache-2.0

/// A few attributes with their values, each at most once; small enough that walking beats hashing.
package struct AttributeList: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let attribute: Attribute
        package var value: AttributeValue

        package init(_ attribute: Attribute, _ value: consuming AttributeValue) {
            self.attribute = attribute
            self.value = value
        }
    }

    package private(set) var entries: [Entry]

    package init() { entries = [] }

    package init(reservingCapacity count: Int) {
        entries = []
        entries.reserveCapacity(count)
    }

    package var isEmpty: Bool { entries.isEmpty }

    package subscript(attribute: Attribute) -> AttributeValue? {
        get {
            // By index, here and below: iterating would copy every value.
            for index in entries.indices where entries[index].attribute == attribute { return entries[index].value }
            return nil
        }
        set {
            for index in entries.indices where entries[index].attribute == attribute {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
                return
            }
            if let newValue { entries.append(Entry(attribute, newValue)) }
        }
    }

    package func contains(_ attribute: Attribute) -> Bool {
        for index in entries.indices where entries[index].attribute == attribute { return true }
        return false
    }

    /// Appends without looking for an earlier entry; for sources that cannot repeat a key.
    package mutating func append(unchecked attribute: Attribute, _ value: consuming AttributeValue) {
        entries.append(Entry(attribute, value))
    }

    /// Equality that does not depend on the order of the entries.
    package static func == (left: AttributeList, right: AttributeList) -> Bool {
        left.entries.count == right.entries.count
            && left.entries.allSatisfy { entry in right[entry.attribute] == entry.value }
    }
}

/// A checked attribute value: what a caller's object became after coercion.
package enum AttributeValue: Sendable, Hashable {
    case string(String)
    case data([UInt8])
    case number(Int64)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)

    /// Text is equal when its bytes are: "é" has two spellings, and two hashes.
    package static func == (left: AttributeValue, right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.data(let left), .data(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.string, _), (.data, _), (.number, _), (.date, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        unsafe withComparisonBytes { unsafe hasher.combine(bytes: $0) }
    }

    package static let emptyString = AttributeValue.string("")
    package static let emptyData = AttributeValue.data([])
}

/// Values hold people's names for things; a description shows the kind alone.
extension AttributeValue: CustomStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .string: "string(redacted)"
        case .data: "data(redacted)"
        case .number: "number(redacted)"
        case .date: "date(redacted)"
        }
    }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension AttributeValue {
    /// Lends the bytes by which values of hashed attributes are compared: the string "abc" and the data 61 62 63 are
    /// one value; a number is its four little-endian bytes, or eight when it needs them.
    package func withComparisonBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        switch self {
        case .string(let string):
            let span = string.utf8.span
            return try unsafe span.bytes.withUnsafeBytes { bytes throws(E) in try unsafe body(bytes) }
        case .data(let bytes):
            return try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(E) in try unsafe body(bytes) }
        case .number(let number):
            if let short = Int32(exactly: number) {
                return try unsafe withUnsafeBytes(of: short.littleEndian) { bytes throws(E) in try unsafe body(bytes) }
            }
            return try unsafe withUnsafeBytes(of: number.littleEndian) { bytes throws(E) in try unsafe body(bytes) }
        case .date(let date):
            return try unsafe withUnsafeBytes(of: date.bitPattern.littleEndian) { bytes throws(E) in
                try unsafe body(bytes)
            }
        }
    }

    /// Whether two values of a hashed attribute are the same value to matching and uniqueness.
    package func hasSameComparisonBytes(as other: AttributeValue) -> Bool {
        if self == other { return true }
        return unsafe withComparisonBytes { mine in
            unsafe other.withComparisonBytes { theirs in unsafe mine.elementsEqual(theirs) }
        }
    }
}
