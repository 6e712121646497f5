// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Whether there is room for an answer.
package enum AnswerRoom: Sendable {
    case enough
    /// No message holds so much.
    case tooLarge
    /// Other answers are in the way.
    case taken
}

/// The program that asks: its rights, what people know it by, and where they are.
package struct Caller: Sendable {
    /// Its access groups in order; the first is where its items go.
    package let groups: [AccessGroup]
    /// Whether it may see every group; the wildcard itself is not among `groups`.
    package let seesEveryGroup: Bool
    /// Whether it may change what the keys hang on without showing the passcode: it could read the files itself.
    package let administersKeys: Bool
    /// The path of its file, which a person who is asked for it sees; no right hangs on it.
    package let program: String?
    /// What a daemon knows of it, and why that gives it no more; said to it where it has no group.
    package var lack: String?
    /// Where its person is; nil for a program that asks in its own surroundings.
    package var seat: Seat?
    /// Who is told what its requests did.
    package var witness: (any ItemWitness)?
    /// Whose costly work its requests make, and whether it still waits for them.
    package var work = WorkOrder.own
    /// Whether an answer of so many bytes may be made for it; nil where nothing is shared.
    package var room: (@Sendable (Int) -> AnswerRoom)?

    package init(groups: [AccessGroup], seesEveryGroup: Bool, administersKeys: Bool, program: String?) {
        self.groups = groups
        self.seesEveryGroup = seesEveryGroup
        self.administersKeys = administersKeys
        self.program = program
    }
}
