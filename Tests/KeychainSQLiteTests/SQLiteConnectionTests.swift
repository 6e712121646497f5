// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSQLite
import Testing

@Suite struct ConnectionTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("a.db") }

    private func create(_ sql: String = "create table t(a integer primary key, b text unique)") throws
        -> SQLiteConnection
    {
        let connection = try SQLiteConnection(path: path, mode: .create)
        try connection.execute("pragma journal_mode=wal")
        try connection.execute(sql)
        return connection
    }

    private func error(_ body: () throws(SQLiteError) -> Void) -> SQLiteError? {
        do throws(SQLiteError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a missing file is made by create only",
        arguments: [SQLiteConnection.OpenMode.readWrite, .readOnly, .immutable])
    func missing(mode: SQLiteConnection.OpenMode) {
        let failure = error { () throws(SQLiteError) in _ = try SQLiteConnection(path: path, mode: mode) }
        #expect(failure?.code.primary == .cannotOpen)
        #expect(failure?.operation == .open)
        #expect(folder.names.isEmpty)
    }

    @Test(
        "a path that is empty, cut short by NUL, or a folder is refused", arguments: ["", "/tmp/a\0b", "/tmp/", ".."])
    func badPath(path: String) {
        #expect(
            error { () throws(SQLiteError) in _ = try SQLiteConnection(path: path, mode: .create) }?.code == .cannotOpen
        )
    }

    @Test("a folder that is not there is named by its errno")
    func missingFolder() {
        let path = folder.file("nowhere/a.db")
        let failure = error { () throws(SQLiteError) in _ = try SQLiteConnection(path: path, mode: .create) }
        #expect(failure?.systemError == ENOENT)
    }

    @Test("a link to a database is refused, a database in a linked folder is not")
    func symbolicLinks() throws {
        _ = try create()
        #expect(symlink("a.db", folder.file("b.db")) == 0)
        let link = folder.file("b.db")
        #expect(error { () throws(SQLiteError) in _ = try SQLiteConnection(path: link, mode: .readWrite) } != nil)
        #expect(symlink(".", folder.file("here")) == 0)
        let connection = try SQLiteConnection(path: folder.file("here/a.db"), mode: .readWrite)
        try connection.execute("insert into t values(1, 'x')")
    }

    @Test("a read-only connection reads and does not write")
    func readOnly() throws {
        let writer = try create()
        #expect(!writer.isReadOnly)
        try writer.execute("insert into t values(1, 'x')")
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        #expect(reader.isReadOnly)
        #expect(try reader.prepare("select a from t").step())
        #expect(error { () throws(SQLiteError) in try reader.execute("delete from t") }?.code.isReadOnly == true)
        #expect(error { () throws(SQLiteError) in try reader.beginImmediate() }?.code.isReadOnly == true)
    }

    @Test("an immutable file is read whatever its name, and nothing appears beside it")
    func immutable() throws {
        let odd = folder.file("a b%3F?x#y é.db")
        let writer = try SQLiteConnection(path: odd, mode: .create)
        try writer.execute("create table t(a); insert into t values(42)")
        writer.close()
        let reader = try SQLiteConnection(path: odd, mode: .immutable)
        let statement = try reader.prepare("select a from t")
        #expect(try statement.step())
        #expect(statement.int64(0) == 42)
        #expect(folder.names.count == 1)
    }

    @Test("a database in memory is its connection's own, and needs no file")
    func memory() throws {
        let one = try SQLiteConnection(path: "", mode: .memory)
        let other = try SQLiteConnection(path: "", mode: .memory)
        try one.execute("create table t(a)")
        #expect(error { () throws(SQLiteError) in try other.execute("select * from t") }?.code.primary == .error)
    }

    @Test("a file that is no database is corruption")
    func notADatabase() throws {
        let handle = fopen(path, "w")
        fputs(String(repeating: "not a database ", count: 400), handle)
        fclose(handle)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        let failure = error { () throws(SQLiteError) in try connection.execute("select * from sqlite_schema") }
        #expect(failure?.code == .notADatabase)
        #expect(failure?.code.isCorruption == true)
    }

    @Test("another connection's commit changes the data version")
    func dataVersion() throws {
        let one = try create()
        let other = try SQLiteConnection(path: path, mode: .readWrite)
        func seen() throws -> UInt32 {
            let statement = try one.prepare("select count(*) from t")
            defer { statement.reset() }
            _ = try statement.step()
            return one.dataVersion
        }
        let before = try seen()
        #expect(try seen() == before)
        try other.execute("insert into t values(1, 'x')")
        #expect(try seen() != before)
    }

    @Test("the user version is seen by another connection")
    func userVersion() throws {
        let one = try create()
        let other = try SQLiteConnection(path: path, mode: .readWrite)
        #expect(try other.userVersion() == 0)
        try one.setUserVersion(7)
        #expect(try other.userVersion() == 7)
        try one.setUserVersion(-1)
        #expect(try other.userVersion() == -1)
    }

    @Test("a taken key is a unique violation, whichever key it is", arguments: ["1, 'y'", "2, 'x'"])
    func unique(values: String) throws {
        let connection = try create()
        try connection.execute("insert into t values(1, 'x')")
        let failure = error { () throws(SQLiteError) in try connection.execute("insert into t values(\(values))") }
        #expect(failure?.code.isUniqueViolation == true)
        #expect(failure?.code.primary == .constraint)
        #expect(failure?.systemError == 0)
    }

    @Test("no statement may write the schema's own table")
    func defensive() throws {
        let connection = try create()
        try connection.execute("pragma writable_schema=on")
        #expect(error { () throws(SQLiteError) in try connection.execute("delete from sqlite_schema") } != nil)
    }

    @Test("changes and the last row are the last statement's")
    func counts() throws {
        let connection = try create()
        try connection.execute("insert into t values(7, 'x'), (9, 'y')")
        #expect(connection.changes == 2)
        #expect(connection.lastInsertRowID == 9)
    }

    @Test("a closed connection refuses every call, and its statements too")
    func closed() throws {
        let connection = try create()
        let statement = try connection.prepare("select 1")
        #expect(try statement.step())
        connection.close()
        connection.close()
        #expect(error { () throws(SQLiteError) in _ = try statement.step() }?.code == .misuse)
        #expect(error { () throws(SQLiteError) in try connection.execute("select 1") }?.code == .misuse)
        #expect(error { () throws(SQLiteError) in _ = try connection.prepare("select 1") }?.code == .misuse)
        #expect(error { () throws(SQLiteError) in try connection.beginImmediate() }?.code == .misuse)
        #expect(!connection.isAbandoned)
        statement.reset()
    }

    @Test("the last connection to close folds the WAL in, an abandoned one leaves it")
    func abandoned() throws {
        var connection: SQLiteConnection? = try create()
        try connection?.execute("insert into t values(1, 'x')")
        connection?.abandon()
        #expect(connection?.isAbandoned == true)
        #expect(error { () throws(SQLiteError) in try connection?.execute("select 1") }?.code == .misuse)
        connection = nil
        #expect(folder.names.contains("a.db-wal"))
        let other = try SQLiteConnection(path: path, mode: .readWrite)
        #expect(try other.prepare("select * from t").step())
    }

    @Test("a closed connection leaves one file")
    func folded() throws {
        let connection = try create()
        try connection.execute("insert into t values(1, 'x')")
        #expect(folder.names.count == 3)
        connection.close()
        #expect(folder.names == ["a.db"])
    }
}
