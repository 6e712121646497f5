// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Who did what to which items, and what became of it.
///
/// There is no room in it for a value, an account, a service, or any other attribute but the group.
package struct AuditEntry: Sendable, Equatable {
    /// nil for what the daemon did on its own.
    package var program: AuditedProgram?
    package var operation: AuditOperation
    /// The class that was asked for, where one was.
    package var queriedClass: QueriedClass?
    /// The groups that were asked for.
    package var groups: AuditedGroup
    package var outcome: AuditOutcome
    /// The items as far as they are known; of what was written without a reply they are those that the program named.
    package var items: [AuditedItem]
    /// How many items it was about; nil when that is not known.
    package var count: Int64?

    package init(
        _ operation: AuditOperation, by program: AuditedProgram?, on queriedClass: QueriedClass? = nil,
        in groups: AuditedGroup = .unknown, outcome: AuditOutcome = .done, items: [AuditedItem] = [],
        count: Int64? = nil
    ) {
        self.operation = operation
        self.program = program
        self.queriedClass = queriedClass
        self.groups = groups
        self.outcome = outcome
        self.items = items
        self.count = count
    }
}
