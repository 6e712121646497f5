// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// An item of any class as an export of `llavero` has it, with all that can be put back.
package struct ExportedItem: Sendable {
    package let itemClass: ItemClass
    /// What people call it, for reports.
    package let name: String
    /// Those that an Add takes; each is known to the class, with a value that it may have.
    package let attributes: AttributeList
    package let group: AccessGroup
    package let accessControl: AccessControl
    package let isSynchronizable: Bool
    /// When it was first stored, if that is told.
    package let created: Double?
    /// nil where it has none, which is not the same as an empty one.
    package let secret: ImportedBytes?
    package let source: SourceLocation
}
