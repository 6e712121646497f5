// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
    /// The value of `bytes`, which must be exactly what `encoded()` gives for it.
    package init(decoding bytes: [UInt8]) throws(CodingError) {
        try self.init(decoding: bytes.span)
    }

    package init(decoding bytes: UnsafeRawBufferPointer) throws(CodingError) {
        try self.init(decoding: unsafe Span(_unsafeBytes: bytes))
    }

    package init(decoding bytes: Span<UInt8>) throws(CodingError) {
        var offset = 0
        self = try PropertyList.read(bytes, at: &offset, end: bytes.count, depthLeft: PropertyList.greatestDepth)
        guard offset == bytes.count else { throw .trailingBytes }
    }

    private static func read(
        _ bytes: Span<UInt8>, at offset: inout Int, end: Int, depthLeft: Int
    ) throws(CodingError) -> PropertyList {
        let (tag, contentEnd) = try DERReader.header(bytes, at: &offset, end: end)
        let start = offset
        offset = contentEnd
        switch tag {
        case .null:
            guard start == contentEnd else { throw .notCanonical }
            return .null
        case .boolean: return .boolean(try DERReader.boolean(bytes, from: start, to: contentEnd))
        case .integer: return .number(try DERReader.integer(bytes, from: start, to: contentEnd))
        case .octetString: return .data(DERReader.data(bytes, from: start, to: contentEnd))
        case .utf8String: return .string(try DERReader.string(bytes, from: start, to: contentEnd))
        case .generalizedTime: return .date(try GeneralizedTime.read(bytes, from: start, to: contentEnd))
        case .sequence:
            guard depthLeft > 0 else { throw .depthExceeded }
            return .array(try array(bytes, from: start, to: contentEnd, depthLeft: depthLeft - 1))
        case .set:
            guard depthLeft > 0 else { throw .depthExceeded }
            return .dictionary(try dictionary(bytes, from: start, to: contentEnd, depthLeft: depthLeft - 1))
        }
    }

    private static func array(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, depthLeft: Int
    ) throws(CodingError) -> [PropertyList] {
        var values: [PropertyList] = []
        var offset = start
        while offset < end { values.append(try read(bytes, at: &offset, end: end, depthLeft: depthLeft)) }
        return values
    }

    private static func dictionary(
        _ bytes: Span<UInt8>, from start: Int, to end: Int, depthLeft: Int
    ) throws(CodingError) -> [String: PropertyList] {
        var values: [String: PropertyList] = [:]
        var previous = start..<start
        var offset = start
        while offset < end {
            let entryStart = offset
            let entryEnd = try DERReader.expect(.sequence, bytes, at: &offset, end: end)
            let keyEnd = try DERReader.expect(.utf8String, bytes, at: &offset, end: entryEnd)
            let key = try DERReader.string(bytes, from: offset, to: keyEnd)
            offset = keyEnd
            let value = try read(bytes, at: &offset, end: entryEnd, depthLeft: depthLeft)
            guard offset == entryEnd else { throw .trailingBytes }
            guard values.updateValue(value, forKey: key) == nil else { throw .duplicateKey }
            guard precedes(bytes, previous, entryStart..<entryEnd) else { throw .notCanonical }
            previous = entryStart..<entryEnd
        }
        return values
    }

    /// Whether the bytes of one range sort before those of another; nothing sorts before everything.
    private static func precedes(_ bytes: Span<UInt8>, _ left: Range<Int>, _ right: Range<Int>) -> Bool {
        for index in 0..<min(left.count, right.count) {
            let (mine, theirs) = (bytes[left.lowerBound + index], bytes[right.lowerBound + index])
            if mine != theirs { return mine < theirs }
        }
        return left.count < right.count
    }
}
