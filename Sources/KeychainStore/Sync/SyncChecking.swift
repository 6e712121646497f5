// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// Examines what a keychain keeps of its circle.
///
/// That a leaf is another one than it was only the root tells, which is in the sealed state and is the circle's affair; here is
/// looked for what no version of this software can have written.
struct SyncChecking {
    let connection: StoreConnection

    /// Inside the transaction of the examination.
    func check(_ findings: inout [Finding]) throws(SQLiteError) {
        guard try SyncTables.exist(in: connection.sqlite) else { return }
        try checkState(&findings)
        try count(
            SyncChecking.wrongLeaves, &findings, one: "one record is noted that cannot be",
            several: "records are noted that cannot be")
        try count(
            """
            select count(*) from sync_pending p where length(p.view) <> 16 or length(p.id) <> 16 or \
            not exists (select 1 from sync_leaf l where l.view = p.view and l.id = p.id)
            """, &findings, one: "one record waits that is not noted", several: "records wait that are not noted")
        try count(
            """
            select count(*) from sync_head where length(view) <> 16 or n < 1 or typeof(n) <> 'integer' \
            or typeof(body) <> 'blob'
            """, &findings, one: "one head is remembered that cannot be", several: "heads are remembered that cannot be"
        )
        try count(
            SyncChecking.wrongMarks, &findings, one: "one item is marked as changed that is not there to share",
            several: "items are marked as changed that are not there to share")
    }

    private func checkState(_ findings: inout [Finding]) throws(SQLiteError) {
        guard try !isStateReadable() else { return }
        findings.append(Finding("circle", "its state cannot be read; leave the circle and join again"))
    }

    /// Whether the state opens, or cannot be tried because it is locked.
    private func isStateReadable() throws(SQLiteError) -> Bool {
        do throws(StoreError) { return try SyncStateRows(connection: connection).read() != nil } catch {
            switch error {
            case .locked: return true
            case .sqlite(let error) where error.code.isDamagedPage: throw error
            default: return false
            }
        }
    }

    /// Leaves the circle where its state does not open, and the rest where it cannot be: the circle has all of it.
    func leaveOutWrong() throws(SQLiteError) {
        guard try SyncTables.exist(in: connection.sqlite) else { return }
        guard try isStateReadable() else { return try SyncTables.drop(in: connection.sqlite) }
        var findings: [Finding] = []
        try check(&findings)
        if findings.isEmpty { return }
        for table in ["leaf", "pending", "head", "mark"] { try connection.sqlite.execute("delete from sync_\(table)") }
        try SyncMarks.markAll(in: connection.sqlite)
    }

    private func count(
        _ sql: String, _ findings: inout [Finding], one: String, several: String
    ) throws(SQLiteError) {
        let statement = try connection.sqlite.prepare(sql)
        defer { statement.reset() }
        let count = try statement.step() ? statement.int64(0) : 0
        if count > 0 { findings.append(Finding("circle", count == 1 ? one : "\(count) \(several)")) }
    }

    private static let wrongLeaves = """
        select count(*) from sync_leaf where typeof(view) <> 'blob' or length(view) <> 16 or typeof(id) <> 'blob' \
        or length(id) <> 16 or typeof(n) <> 'integer' or n < 1 or typeof(digest) <> 'blob' or length(digest) <> 32 \
        or typeof(item) <> 'blob' or length(item) not in (0, 33) or (length(item) = 33 and substr(item, 1, 1) > x'01')
        """

    /// Those of items that are not there, or are none to share.
    private static let wrongMarks = """
        select count(*) from sync_mark where typeof(item) <> 'integer' or (item >= 0 and case item & 1 \
        when 0 then not exists (select 1 from genp where rowid = item >> 1 and \(SyncTables.eligible("genp"))) \
        else not exists (select 1 from inet where rowid = item >> 1 and \(SyncTables.eligible("inet"))) end)
        """
}
