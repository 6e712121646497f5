// SPDX-License-Identifier: Apache-2.0

/// How much is measured.
struct Plan {
    /// One size of keychain.
    struct Size {
        let items: Int
        let rounds: Int
    }

    let sizes: [Size]
    /// How many finds of each kind are in a round, and how many additions, updates and deletions.
    let finds: Int
    let writes: Int
    let twoGroups: Size
    /// How many processes are started for a cold find.
    let processes: Int
    let isSmoke: Bool

    static let full = Plan(
        sizes: [
            Size(items: 100, rounds: 9), Size(items: 1000, rounds: 9), Size(items: 10_000, rounds: 11),
            Size(items: 100_000, rounds: 7),
        ],
        finds: 3000, writes: 250, twoGroups: Size(items: 10_000, rounds: 9), processes: 50, isSmoke: false)

    /// Enough to see that everything works.
    static let smoke = Plan(
        sizes: [Size(items: 100, rounds: 3), Size(items: 1000, rounds: 3)],
        finds: 500, writes: 50, twoGroups: Size(items: 1000, rounds: 3), processes: 5, isSmoke: true)
}
