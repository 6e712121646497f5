// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
    /// The value of a property list file in Apple's binary form.
    ///
    /// As in XML, a date or a fraction is read as null.
    package init(binary bytes: [UInt8]) throws(CodingError) {
        var reader = try BinaryListReader(bytes)
        self = try reader.value(try reader.top(), depthLeft: PropertyList.greatestDepth)
    }

    /// The value of a property list file in either form.
    package init(file bytes: [UInt8]) throws(CodingError) {
        if BinaryListReader.begins(bytes) { try self.init(binary: bytes) } else { try self.init(xml: bytes) }
    }
}
