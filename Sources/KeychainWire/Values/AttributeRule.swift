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
