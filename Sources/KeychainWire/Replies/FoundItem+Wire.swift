// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Attributes of a reply are what is stored, whatever software stored it: each is there once, and no more is asked.
extension FoundItem: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            itemClass: try fields.next(), persistentID: try fields.next(), attributes: try fields.next(),
            accessControl: try fields.next(), secret: try fields.next(), keptKey: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        try writer.write(persistentID)
        try writer.write(attributes)
        try writer.write(accessControl)
        try writer.write(secret)
        try writer.write(keptKey)
    }
}

extension KeptKey: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let publicKey: [UInt8]? = try fields.next()
        guard (publicKey?.count ?? 0) <= WireLimits.publicKey else { throw .outOfRange }
        self.init(publicKey: publicKey, bits: Int(try fields.number(in: 0...Int64(Int32.max))))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(publicKey)
        writer.number(Int64(bits))
    }
}
