// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here beside the predicate: nobody is passed over.
extension DeleteRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(predicate: try fields.next(), tombstones: try fields.next())
        authentication = try fields.next()
        try predicate.checkIsForChange()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(predicate)
        try writer.write(tombstones)
        try writer.write(authentication)
    }
}
