// SPDX-License-Identifier: Apache-2.0

internal import KeychainStore
internal import KeychainSystem

/// The examination that a keychain gets without being asked for: SQLite's quick one, and the sum of each page.
///
/// It runs once in a process that found a log when it first opened the database, which is so after an unclean end, and whenever
/// a daemon says that a day is over. It opens no item and needs no passcode.
package final class QuickExamination: Sendable {
    private let connections: StoreConnections
    /// What the last one found; nil before the first.
    private let last = ForkSafeMutex<Bool?>(nil)

    init(_ connections: StoreConnections) { self.connections = connections }

    /// Examines the database now; whether it is damaged.
    ///
    /// What cannot be read at all says so in its own words to who asks for items. With `most`, a database of more pages than that
    /// is examined by a sample of them.
    @discardableResult
    package func run(atMost most: Int? = nil) -> Bool {
        let isRight = try? connections.read { (connection) throws(StoreError) in
            try connection.isQuicklyFoundRight(atMost: most)
        }
        let isDamaged = isRight == false
        last.withLock { $0 = isDamaged }
        if isDamaged { connections.noteDamage() }
        return isDamaged
    }

    /// What the last one found, or any operation met; after an unclean end the first one is made now.
    ///
    /// A database whose log was cut is right in itself, and yet not what it was.
    func isDamaged() -> Bool {
        let found = last.withLock { $0 } ?? (connections.beganWithLog && run())
        return found || connections.hasMetDamage || connections.mayMissChanges
    }
}
