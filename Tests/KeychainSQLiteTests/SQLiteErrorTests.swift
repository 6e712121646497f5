// SPDX-License-Identifier: Apache-2.0

import KeychainSQLite
import Testing

@Suite struct SQLiteErrorTests {
    private func shown(_ body: () throws(SQLiteError) -> Void) -> String {
        do throws(SQLiteError) {
            try body()
            return ""
        } catch {
            var dumped = ""
            dump(error, to: &dumped)
            return "\(error) \(String(reflecting: error)) \(dumped)"
        }
    }

    @Test("an error shows neither the statement nor what was bound")
    func silent() throws {
        let connection = try SQLiteConnection(path: "", mode: .memory)
        try connection.execute("create table accounts(name text unique, check(length(name) < 20))")
        let insert = try connection.prepare("insert into accounts values(?1)")
        try insert.bind(text: "hunter2", at: 1)
        try insert.run()
        let failures = [
            shown { () throws(SQLiteError) in
                try insert.bind(text: "hunter2", at: 1)
                try insert.run()
            },
            shown { () throws(SQLiteError) in
                try insert.bind(text: "hunter2 and much, much more", at: 1)
                try insert.run()
            },
            shown { () throws(SQLiteError) in try insert.bind(text: "hunter2", at: 2) },
            shown { () throws(SQLiteError) in _ = try connection.prepare("select * from accounts where hunter2") },
            shown { () throws(SQLiteError) in try connection.execute("insert into accounts values('hunter2')") },
            shown { () throws(SQLiteError) in _ = try SQLiteConnection(path: "/nonexistent/hunter2", mode: .readOnly) },
        ]
        for failure in failures {
            #expect(!failure.isEmpty)
            #expect(!failure.contains("hunter2"))
            #expect(!failure.contains("accounts"))
        }
    }

    @Test("an error says which call failed, with which code")
    func description() throws {
        let connection = try SQLiteConnection(path: "", mode: .memory)
        #expect(shown { () throws(SQLiteError) in _ = try connection.prepare("nonsense") }.hasPrefix("SQLite prepare:"))
    }

    @Test("extended codes belong to their primary code")
    func primary() {
        #expect(ResultCode.busySnapshot.isBusy)
        #expect(ResultCode.uniqueViolation.primary == .constraint)
        #expect(!ResultCode.constraint.isUniqueViolation)
        #expect(ResultCode(rawValue: 10 | 3 << 8).isIO)
        #expect(ResultCode.full.isFull)
    }

    @Test("a statement of nothing is refused", arguments: ["", "  ", "-- nothing"])
    func nothing(sql: String) throws {
        let connection = try SQLiteConnection(path: "", mode: .memory)
        #expect(!shown { () throws(SQLiteError) in _ = try connection.prepare(sql) }.isEmpty)
    }
}
