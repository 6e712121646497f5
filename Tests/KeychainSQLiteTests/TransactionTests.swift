// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSQLite
import Testing

@Suite struct TransactionTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("a.db") }

    private func create() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .create)
        try connection.execute("pragma journal_mode=wal; create table t(a); insert into t values(0)")
        return connection
    }

    private func value(_ connection: SQLiteConnection) throws -> Int64 {
        let statement = try connection.prepare("select a from t")
        defer { statement.reset() }
        _ = try statement.step()
        return statement.int64(0)
    }

    @Test("what is committed stays, what is rolled back does not")
    func commitAndRollback() throws {
        let connection = try create()
        #expect(!connection.isInTransaction)
        try connection.beginImmediate()
        #expect(connection.isInTransaction)
        try connection.execute("update t set a = 1")
        connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try value(connection) == 0)
        connection.rollback()
        try connection.beginImmediate()
        try connection.execute("update t set a = 2")
        try connection.commit()
        #expect(try value(connection) == 2)
    }

    @Test("a connection that closes inside a transaction rolls it back")
    func closing() throws {
        let connection = try create()
        try connection.beginImmediate()
        try connection.execute("update t set a = 1")
        connection.close()
        #expect(try value(SQLiteConnection(path: path, mode: .readWrite)) == 0)
    }

    @Test("a second writer waits as long as it was told, then fails as busy")
    func busy() throws {
        let one = try create()
        let other = try SQLiteConnection(path: path, mode: .readWrite)
        other.busyTimeout = 0.05
        try one.beginImmediate()
        #expect {
            try other.beginImmediate()
        } throws: { error in
            guard let error = error as? SQLiteError else { return false }
            return error.code.isBusy && error.operation == .begin
        }
        // Reading goes on meanwhile.
        #expect(try value(other) == 0)
        try one.commit()
        try other.beginImmediate()
        try other.commit()
    }

    @Test("a reading transaction that turns to writing after another's commit is busy at once")
    func snapshot() throws {
        let one = try create()
        let other = try SQLiteConnection(path: path, mode: .readWrite)
        try one.execute("begin")
        _ = try value(one)
        try other.execute("update t set a = 5")
        #expect {
            try one.execute("update t set a = 6")
        } throws: { ($0 as? SQLiteError)?.code == .busySnapshot }
        one.rollback()
    }

    @Test("32 threads writing at once all get their turn")
    func crowd() throws {
        let connection = try create()
        let path = path
        final class Job {
            let path: String
            init(path: String) { self.path = path }
        }
        var threads: [pthread_t] = []
        for _ in 0..<32 {
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
                    // A lost increment is what the check below sees.
                    guard let own = try? SQLiteConnection(path: job.path, mode: .readWrite) else { return nil }
                    for _ in 0..<20 {
                        do throws(SQLiteError) {
                            try own.beginImmediate()
                            try own.execute("update t set a = a + 1")
                            try own.commit()
                        } catch {
                            own.rollback()
                        }
                    }
                    return nil
                }, Unmanaged.passRetained(Job(path: path)).toOpaque())
            threads.append(thread)
        }
        for thread in threads { pthread_join(thread, nil) }
        #expect(try value(connection) == 32 * 20)
    }
}
