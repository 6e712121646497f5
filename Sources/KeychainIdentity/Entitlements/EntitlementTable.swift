// SPDX-License-Identifier: Apache-2.0

/// The rules in force, and the files that gave none.
package struct EntitlementTable: Sendable, Equatable {
    /// In the order of their files' names.
    package let rules: [EntitlementRule]
    package let reports: [EntitlementReport]
    /// What the files claim for programs of their own, contested or not: no other program has these, whoever signed it.
    package let identifiers: Set<String>

    /// Takes all rules but those that claim one identifier for several programs, of which none is believed.
    package init(rules: [EntitlementRule], reports: [EntitlementReport]) {
        var accepted: [EntitlementRule] = []
        var reports = reports
        for rule in rules {
            let contester = rules.first { other in
                other.applicationIdentifier != nil && other.applicationIdentifier == rule.applicationIdentifier
                    && !other.match.namesSameProgram(as: rule.match)
            }
            if let contester {
                reports.append(EntitlementReport(file: rule.file, fault: .contestedIdentifier(by: contester.file)))
            } else {
                accepted.append(rule)
            }
        }
        self.rules = accepted
        identifiers = Set(rules.compactMap(\.applicationIdentifier))
        self.reports = reports
    }

    /// Of a system where nobody listed anything.
    package static let empty = EntitlementTable(rules: [], reports: [])
}
