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
        try KeyCall.using { () throws(KeyError) in try key.identifyingAttributes() }
    }

    /// All that an item of the key says of it besides (semantics §11.2).
    func itemAttributes() throws(KeychainError) -> AttributeList {
        try KeyCall.using { () throws(KeyError) in
            try key.itemAttributes(terms, isOpen: terms.isExtractable && !isInEnclave)
        }
    }
}
