// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The program that asks, as far as its rights go.
package struct Caller: Sendable, Equatable {
    /// Its access groups in order; the first is where its items go.
    package let groups: [AccessGroup]
    /// Whether it may see every group; the wildcard itself is not among `groups`.
    package let seesEveryGroup: Bool

    package init(groups: [AccessGroup], seesEveryGroup: Bool) {
        self.groups = groups
        self.seesEveryGroup = seesEveryGroup
    }
}
