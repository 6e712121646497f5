// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSQLite
import Testing

@Suite struct SQLiteForkTests {
    @Test("a child finds its parent's connection abandoned, and a new one works while the parent's goes on")
    func child() throws {
        let folder = TemporaryFolder()
        let path = folder.file("a.db")
        var connection: SQLiteConnection? = try SQLiteConnection(path: path, mode: .create)
        try connection?.execute("pragma journal_mode=wal; create table t(a)")
        var statement: Statement? = try connection?.prepare("insert into t values(1)")
        try statement?.run()
        try connection?.beginImmediate()

        // Glibc's fork is marked unavailable in Swift.
        typealias Fork = @convention(c) () -> pid_t
        let symbol = try #require(dlsym(nil, "fork"))
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            // The test runner's threads block signals; the alarm ends a child that hangs.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGALRM)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            signal(SIGALRM, SIG_DFL)
            alarm(20)
            guard connection?.isAbandoned == true, connection?.isInTransaction == false else { _exit(1) }
            guard (try? statement?.run()) == nil else { _exit(2) }
            connection?.rollback()
            connection?.close()
            statement = nil
            connection = nil
            guard let own = try? SQLiteConnection(path: path, mode: .readWrite) else { _exit(3) }
            own.busyTimeout = 0
            // The parent's transaction is still open: closing here did not take its lock back.
            guard (try? own.execute("insert into t values(2)")) == nil else { _exit(4) }
            guard let rows = try? own.prepare("select count(*) from t"), (try? rows.step()) == true else { _exit(5) }
            _exit(rows.int64(0) == 1 ? 0 : 6)
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        #expect(status == 0)
        try statement?.run()
        try connection?.commit()
        let rows = try connection?.prepare("select count(*) from t")
        #expect(try rows?.step() == true)
        #expect(rows?.int64(0) == 2)
    }
}
