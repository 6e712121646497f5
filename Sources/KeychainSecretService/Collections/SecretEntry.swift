// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What a program told of a secret: everything but the secret itself.
package struct SecretEntry: Sendable, Equatable {
    /// The last part of the item's path; never given to another item of its collection.
    package let id: String
    package var label: String
    /// Exactly as they were given.
    package var attributes: [String: String]
    package var contentType: String
    /// In seconds since 1970, as the bus has times.
    package let created: UInt64
    package let modified: UInt64

    package init(
        id: String, label: String, attributes: [String: String], contentType: String, created: UInt64, modified: UInt64
    ) {
        self.id = id
        self.label = label
        self.attributes = attributes
        self.contentType = contentType
        self.created = created
        self.modified = modified
    }
}
