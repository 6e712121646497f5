// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

extension AuthenticationMeans: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(isPasscodeSet: try fields.next(), fingers: try fields.next(), hasReader: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(isPasscodeSet)
        try writer.write(fingers)
        try writer.write(hasReader)
    }
}
