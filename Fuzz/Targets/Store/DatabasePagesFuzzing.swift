// SPDX-License-Identifier: Apache-2.0

internal import KeychainStore

/// The pages of a damaged database and of its log, as a repair reads them: four bytes say, BE, how long the database is, and the
/// log follows it.
internal enum DatabasePagesFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard bytes.count >= 4 else { return .refused }
        let count = min(bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }, bytes.count - 4)
        let (file, log) = (Array(bytes[4..<4 + count]), Array(bytes[(4 + count)...]))
        let rows = Salvage.countRows(file: file, log: log)
        // The shortest row that counts takes more than sixteen bytes, and lies in the file or in the log.
        try promise(rows <= bytes.count, "no row is found twice at one place")
        return rows > 0 ? .accepted : .refused
    }
}
