// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension CheckPosition: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(itemClass: try fields.next(), row: try fields.number())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        writer.number(row)
    }
}

/// Checked here: no more rows are locked than were come to.
extension CheckedPart: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let findings: [String] = try fields.array(atMost: WireLimits.results)
        self.init(
            findings: findings, rows: try fields.rows(), locked: try fields.rows(), total: try fields.rows(),
            next: try fields.next())
        guard locked <= rows else { throw .contradiction }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.array(findings)
        for number in [rows, locked, total] { writer.number(Int64(number)) }
        try writer.write(next)
    }
}

extension WireFields {
    fileprivate mutating func rows() throws(WireError) -> Int { Int(try number(in: 0...Int64.max)) }
}
