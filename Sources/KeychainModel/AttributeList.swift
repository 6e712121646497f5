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
            for entry in entries where entry.attribute == attribute { return entry.value }
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
        for entry in entries where entry.attribute == attribute { return true }
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
