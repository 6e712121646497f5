// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

extension KeychainSettings: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(locksWithSession: try fields.next(), timeout: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(locksWithSession)
        try writer.write(timeout)
    }
}
