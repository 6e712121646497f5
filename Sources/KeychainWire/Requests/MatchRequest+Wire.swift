// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What a query may be is the predicate's to check, and what a limit may be is the limit's.
extension MatchRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(predicate: try fields.next(), returning: try fields.next(), limit: try fields.next())
        authentication = try fields.next()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(predicate)
        try writer.write(returning)
        try writer.write(limit)
        try writer.write(authentication)
    }
}
