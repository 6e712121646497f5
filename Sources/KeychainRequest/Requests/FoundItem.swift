// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One item of a reply, with no more opened than was asked for.
package struct FoundItem: Sendable {
    package let itemClass: ItemClass
    package let persistentID: PersistentID
    /// Everything a caller may see, when attributes were asked for.
    package let attributes: AttributeList?
    package let accessControl: AccessControl
    /// The secret, when data was asked for and the item has any.
    package let secret: SecretValue?

    package init(
        itemClass: ItemClass, persistentID: PersistentID, attributes: AttributeList?, accessControl: AccessControl,
        secret: SecretValue?
    ) {
        self.itemClass = itemClass
        self.persistentID = persistentID
        self.attributes = attributes
        self.accessControl = accessControl
        self.secret = secret
    }
}
