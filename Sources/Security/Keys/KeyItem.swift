// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel

/// The item a key was found in or stored as.
struct KeyItem: Sendable {
    let id: PersistentID
    let isInEnclave: Bool
}

extension SecKey {
    /// What tells the key from others: enough to find it, and nothing that may differ from item to item.
    func identifyingAttributes() throws(KeychainError) -> AttributeList {
        var attributes = AttributeList(reservingCapacity: 5)
        attributes.append(unchecked: .keyClass, .number(Int64(key.part.rawValue)))
        attributes.append(unchecked: .type, .number(Int64(key.type.rawValue)))
        attributes.append(unchecked: .keySizeInBits, .number(Int64(key.bits)))
        attributes.append(unchecked: .effectiveKeySize, .number(Int64(key.bits)))
        if let label = try KeyCall.using({ () throws(KeyError) in try key.applicationLabel() }) {
            attributes.append(unchecked: .applicationLabel, .data(label))
        }
        return attributes
    }

    /// All that an item of the key says of it besides (semantics §11.2).
    func itemAttributes() throws(KeychainError) -> AttributeList {
        var attributes = try identifyingAttributes()
        KeyRole.describe(
            key.type, key.part, denied: terms.denied, isOpen: terms.isExtractable && !isInEnclave,
            isSensitive: terms.isSensitive, in: &attributes)
        return attributes
    }
}
