// SPDX-License-Identifier: Apache-2.0

import KeychainSQLite

extension SQLiteConnection {
    /// The columns of a row as FileFormat.md says a quarantine keeps them: name and value, encoded.
    func codedFields(of table: String, row: Int) throws -> [String: [UInt8]] {
        let statement = try prepare("select * from \(table) where rowid = \(row)")
        defer { statement.reset() }
        var fields: [String: [UInt8]] = [:]
        guard try statement.step() else { return fields }
        for index in 0..<statement.columnCount {
            let name = statement.columnName(index)
            let value =
                switch statement.columnType(index) {
                case .null: Self.coded(0x05, [])
                case .integer: Self.coded(statement.int64(index))
                case .blob: Self.coded(0x04, statement.blob(index))
                case .text:
                    Self.coded(0x30, Self.coded(0x0C, Array("text".utf8)) + Self.coded(0x04, statement.blob(index)))
                case .real:
                    Self.coded(
                        0x30,
                        Self.coded(0x0C, Array("real".utf8))
                            + Self.coded(Int64(bitPattern: statement.double(index).bitPattern)))
                }
            fields[name] = Self.coded(0x0C, Array(name.utf8)) + value
        }
        return fields
    }

    private static func coded(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<128: [tag, UInt8(content.count)] + content
        case ..<256: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
        }
    }

    /// The fewest bytes that say a number.
    private static func coded(_ number: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        while bytes.count > 1, bytes[0] == 0 && bytes[1] < 128 || bytes[0] == 255 && bytes[1] >= 128 {
            bytes.removeFirst()
        }
        return coded(0x02, bytes)
    }
}
