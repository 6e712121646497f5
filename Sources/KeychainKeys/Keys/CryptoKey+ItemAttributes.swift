// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension CryptoKey {
    /// What tells the key from others: enough to find it, and nothing that may differ from item to item.
    package func identifyingAttributes() throws(KeyError) -> AttributeList {
        var attributes = AttributeList(reservingCapacity: 24)
        attributes.append(unchecked: .keyClass, .number(Int64(part.rawValue)))
        attributes.append(unchecked: .type, .number(Int64(type.rawValue)))
        attributes.append(unchecked: .keySizeInBits, .number(Int64(bits)))
        attributes.append(unchecked: .effectiveKeySize, .number(Int64(bits)))
        if let label = try applicationLabel() { attributes.append(unchecked: .applicationLabel, .data(label)) }
        return attributes
    }

    /// All that an item of the key says of it (semantics §11.2); `isOpen` when its bytes may leave.
    package func itemAttributes(_ terms: KeyTerms, isOpen: Bool) throws(KeyError) -> AttributeList {
        var attributes = try identifyingAttributes()
        KeyRole.describe(
            type, part, denied: terms.denied, isOpen: isOpen, isSensitive: terms.isSensitive, in: &attributes)
        return attributes
    }
}
