// SPDX-License-Identifier: Apache-2.0

/// Whose work is next: users in turn, and the work of one user in the order in which it came.
///
/// It knows neither threads nor time, so that a test can play every order.
package struct FairOrder<Work: Sendable>: Sendable {
    private let places: Int
    private let ofUser: Int
    private let waitingOfUser: Int
    private var running: [UInt32: Int] = [:]
    private var count = 0
    private var work: [UInt32: [Work]] = [:]
    /// The users with waiting work; the one whose turn ended last is last.
    private var turns: [UInt32] = []

    /// At most `places` pieces run, `ofUser` of one user's; at most `waitingOfUser` of one user wait.
    package init(places: Int, ofUser: Int, waitingOfUser: Int) {
        precondition(places > 0 && ofUser > 0 && waitingOfUser > 0, "without a place nothing is ever done")
        self.places = places
        self.ofUser = ofUser
        self.waitingOfUser = waitingOfUser
    }

    /// How many pieces wait.
    package var waiting: Int { work.values.reduce(0) { $0 + $1.count } }

    /// Lets work wait for its turn; false when as much of the user's waits as may wait.
    package mutating func add(_ piece: Work, of user: UInt32) -> Bool {
        guard work[user, default: []].count < waitingOfUser else { return false }
        addAgain(piece, of: user)
        return true
    }

    /// The same for work that was begun and gives way, behind the user's other work and whatever the limit.
    package mutating func addAgain(_ piece: Work, of user: UInt32) {
        work[user, default: []].append(piece)
        if !turns.contains(user) { turns.append(user) }
    }

    /// What is to be done now, which has a place until `finish`; nil when there is no place for any of it.
    package mutating func next() -> Work? {
        guard count < places, let index = turns.firstIndex(where: { running[$0, default: 0] < ofUser }) else {
            return nil
        }
        let user = turns.remove(at: index)
        guard let piece = work[user]?.removeFirst() else { return nil }
        if work[user]?.isEmpty == true { work[user] = nil } else { turns.append(user) }
        running[user, default: 0] += 1
        count += 1
        return piece
    }

    /// A piece of the user's work has its place no more.
    package mutating func finish(_ user: UInt32) {
        precondition(running[user, default: 0] > 0, "work ends that never began")
        running[user, default: 0] -= 1
        if running[user] == 0 { running[user] = nil }
        count -= 1
        // Users who came during the turn have had none yet.
        if let index = turns.firstIndex(of: user) { turns.append(turns.remove(at: index)) }
    }

    /// Takes out what of the user's work fulfils a condition, without doing it.
    package mutating func drop(of user: UInt32, where isDropped: (Work) -> Bool) -> [Work] {
        let dropped = work[user, default: []].filter(isDropped)
        if dropped.isEmpty { return [] }
        work[user]?.removeAll(where: isDropped)
        if work[user]?.isEmpty == true {
            work[user] = nil
            turns.removeAll { $0 == user }
        }
        return dropped
    }
}
