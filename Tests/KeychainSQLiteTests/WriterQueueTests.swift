// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSQLite
import Testing

/// Writers that wait for one another in a queue.
@Suite struct WriterQueueTests {
    private let folder = TemporaryFolder()

    private func connection(_ mode: SQLiteConnection.OpenMode = .readWrite) throws -> SQLiteConnection {
        try SQLiteConnection(path: folder.file("a.db"), mode: mode, queue: folder.file("queue"))
    }

    private func create() throws -> SQLiteConnection {
        let connection = try connection(.create)
        try connection.execute("pragma journal_mode=wal; create table t(a)")
        return connection
    }

    private func isBusy(_ body: () throws -> Void) -> Bool {
        do { try body() } catch { return (error as? SQLiteError)?.code.isBusy ?? false }
        return false
    }

    @Test("the file is made at the first write, for its owner alone")
    func file() throws {
        let connection = try create()
        var status = stat()
        #expect(stat(folder.file("queue"), &status) != 0)
        try connection.beginImmediate()
        try connection.commit()
        #expect(stat(folder.file("queue"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test("who waits too long is told that the database is busy, and has the next turn when it comes again")
    func patience() throws {
        let (one, other, third) = (try create(), try connection(), try connection())
        other.busyTimeout = 0.02
        try one.beginImmediate()
        // The first finds the next place free, and the other one finds it taken.
        third.busyTimeout = 0.02
        for _ in 0..<3 {
            #expect(isBusy { try other.beginImmediate() })
            #expect(isBusy { try third.beginImmediate() })
        }
        try one.commit()
        for connection in [other, third, one, other, third] {
            connection.busyTimeout = 30
            try connection.beginImmediate()
            try connection.execute("insert into t values(1)")
            try connection.commit()
        }
    }

    @Test("a turn that comes to one who has given up goes to the next")
    func givenBack() throws {
        let (one, other, third) = (try create(), try connection(), try connection())
        try one.beginImmediate()
        other.busyTimeout = 0.02
        #expect(isBusy { try other.beginImmediate() })
        try one.commit()
        try third.beginImmediate()
        try third.commit()
        // Also when it has been closed meanwhile.
        try one.beginImmediate()
        #expect(isBusy { try other.beginImmediate() })
        other.close()
        one.rollback()
        try third.beginImmediate()
        third.rollback()
    }

    @Test("a transaction that fails, is rolled back or ends with its connection lets the next one in")
    func endings() throws {
        let (one, other) = (try create(), try connection())
        other.busyTimeout = 5
        try one.beginImmediate()
        one.rollback()
        try other.beginImmediate()
        other.rollback()
        try one.beginImmediate()
        one.close()
        try other.beginImmediate()
        try other.commit()
    }

    @Test("the log is cut in a turn, and for nobody who is not let in")
    func checkpoint() throws {
        let (one, other) = (try create(), try connection())
        try one.beginImmediate()
        #expect(isBusy { try other.truncateLog(within: 0.02) })
        try one.commit()
        try other.truncateLog()
        var status = stat()
        #expect(stat(folder.file("a.db-wal"), &status) == 0 && status.st_size == 0)
    }

    @Test("what is no plain file is no queue")
    func link() throws {
        let connection = try create()
        #expect(symlink(folder.file("elsewhere"), folder.file("queue")) == 0)
        #expect(throws: SQLiteError.self) { try connection.beginImmediate() }
    }

    @Test("a path that SQLite would be unable to open is refused as too long")
    func longPath() {
        var path = folder.file("")
        while path.utf8.count < 520 {
            path += String(repeating: "d", count: 100) + "/"
            mkdir(path, 0o700)
        }
        #expect {
            _ = try SQLiteConnection(path: path + "a.db", mode: .create)
        } throws: { ($0 as? SQLiteError)?.systemError == ENAMETOOLONG }
    }
}
