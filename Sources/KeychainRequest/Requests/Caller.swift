// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The program that asks: its rights, and what people know it by.
package struct Caller: Sendable, Equatable {
    /// Its access groups in order; the first is where its items go.
    package let groups: [AccessGroup]
    /// Whether it may see every group; the wildcard itself is not among `groups`.
    package let seesEveryGroup: Bool
    /// The path of its file, which a person who is asked for it sees; no right hangs on it.
    package let program: String?

    package init(groups: [AccessGroup], seesEveryGroup: Bool, program: String?) {
        self.groups = groups
        self.seesEveryGroup = seesEveryGroup
        self.program = program
    }
}
