// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// How a request names one of the items it may touch.
package enum ItemDesignation: Sendable {
    case persistent(PersistentReference)
    /// What a certificate or a key says of itself.
    case content(ItemClass, AttributeList)
    /// What both halves of an identity say of themselves.
    case identity(certificate: AttributeList, key: AttributeList)

    package var queriedClass: QueriedClass? {
        switch self {
        case .persistent(let reference): reference.queriedClass
        case .content(let itemClass, _): .stored(itemClass)
        case .identity: .identity
        }
    }
}
