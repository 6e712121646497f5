// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What attributes of a request may be: what the parser makes of a program's dictionary, and nothing else.
extension AttributeList {
    /// Throws `.contradiction` for an attribute that the class does not know or that has a field of its own in requests,
    /// and `.outOfRange` for a value that the attribute does not take.
    ///
    /// The engine writes what it gets: an `agrp`, `pdmn`, `sync` or `tomb` among the attributes would stand beside the
    /// ones that were decided on, and a `UUID` or `accc` beside the ones that it seals itself.
    func check(for queriedClass: QueriedClass, without excluded: Set<Attribute> = []) throws(WireError) {
        for entry in entries {
            guard entry.attribute.isKnown(to: queriedClass), !AttributeList.hasOwnField(entry.attribute),
                !excluded.contains(entry.attribute)
            else { throw .contradiction }
            guard entry.attribute.kind.takes(entry.value) else { throw .outOfRange }
        }
    }

    private static func hasOwnField(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .accessible, .accessControl, .accessGroup, .synchronizable, .tombstone, .syncIdentifier: true
        default: false
        }
    }
}

extension Attribute.Kind {
    /// Whether a value is one that coercion gives (semantics §2.5).
    fileprivate func takes(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.blob, .string), (.blob, .data), (.blob, .number), (.data, .data),
            (.number, .number), (.date, .date):
            true
        // Text that is the exact decimal form of a number is that number: else one port would have two spellings.
        case (.number, .string(let text)): Int64(text).map { String($0) != text } ?? true
        case (.flag, .number(let number)): number == 0 || number == 1
        case (.uuid, .data(let bytes)): bytes.isEmpty || bytes.count == 16
        case (.digest, .data(let bytes)): bytes.count == 20
        case (.string, _), (.blob, _), (.data, _), (.number, _), (.flag, _), (.date, _), (.uuid, _), (.digest, _),
            (.accessControl, _):
            false
        }
    }
}
