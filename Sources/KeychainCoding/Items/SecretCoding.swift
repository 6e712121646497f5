// SPDX-License-Identifier: Apache-2.0

/// An item's secret as the dictionary its secret envelope holds: `v_Data`, where there is one, and the digest `sha1`.
///
/// The secret is written to where the caller says and nowhere else, and read where it lies.
package enum SecretCoding {
    /// How many bytes `encode` writes; nil for an item without a secret.
    package static func encodedSize(dataCount: Int?) -> Int { DERSize.ofElement(contentSize(dataCount: dataCount)) }

    /// Fills `memory`, which must have `encodedSize` bytes, from the secret, if any, and the 20 bytes of the digest.
    package static func encode(
        data: UnsafeRawBufferPointer?, digest: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer
    ) {
        precondition(digest.count == digestSize, "a SHA-1 digest has 20 bytes")
        let dataCount = unsafe data.map { $0.count }
        let contentSize = contentSize(dataCount: dataCount)
        precondition(memory.count == DERSize.ofElement(contentSize), "the memory for a secret has another size")
        var writer = unsafe DERWriter(unsafeMemory: memory)
        writer.header(DERTag.set, contentSize: contentSize)
        if let data = unsafe data, data.count < digestSize - 2 {
            unsafe writeData(data, to: &writer)
            unsafe writeDigest(digest, to: &writer)
        } else {
            // With 18 bytes of data both entries have the same size; then the shorter key comes first (`EntryOrder`).
            unsafe writeDigest(digest, to: &writer)
            if let data = unsafe data { unsafe writeData(data, to: &writer) }
        }
    }

    /// Where the secret, if there is one, and the digest are in `bytes`.
    ///
    /// Refuses what `encode` would not have written.
    package static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CodingError) -> (dataRange: Range<Int>?, digestRange: Range<Int>) {
        let bytes = unsafe Span<UInt8>(_unsafeBytes: bytes)
        var offset = 0
        let end = try DERReader.expect(DERTag.set, bytes, at: &offset, end: bytes.count)
        guard end == bytes.count else { throw .trailingBytes }

        var dataRange: Range<Int>?
        var digestRange: Range<Int>?
        while offset < end {
            let entryEnd = try DERReader.expect(DERTag.sequence, bytes, at: &offset, end: end)
            let keyEnd = try DERReader.expect(DERTag.utf8String, bytes, at: &offset, end: entryEnd)
            var key: UInt64 = 0
            guard keyEnd - offset <= 6 else { throw .unknownKey }
            for index in offset..<keyEnd { key = key << 8 | UInt64(bytes[index]) }
            offset = keyEnd
            let valueEnd = try DERReader.expect(DERTag.octetString, bytes, at: &offset, end: entryEnd)
            guard valueEnd == entryEnd else { throw .trailingBytes }
            let value = offset..<valueEnd
            offset = valueEnd
            switch key {
            case dataKey:
                guard dataRange == nil else { throw .duplicateKey }
                guard digestRange == nil || value.count >= digestSize - 2 else { throw .notCanonical }
                dataRange = value
            case digestKey:
                guard digestRange == nil else { throw .duplicateKey }
                guard value.count == digestSize else { throw .wrongType }
                if let dataRange, dataRange.count >= digestSize - 2 { throw .notCanonical }
                digestRange = value
            default: throw .unknownKey
            }
        }
        guard let digestRange else { throw .truncated }
        return (dataRange, digestRange)
    }

    private static func contentSize(dataCount: Int?) -> Int {
        let digestEntry = DERSize.ofElement(keyHeader + 4 + DERSize.ofElement(digestSize))
        guard let dataCount else { return digestEntry }
        return digestEntry + DERSize.ofElement(dataEntrySize(dataCount))
    }

    private static func dataEntrySize(_ dataCount: Int) -> Int { keyHeader + 6 + DERSize.ofElement(dataCount) }

    private static func writeData(_ data: UnsafeRawBufferPointer, to writer: inout DERWriter) {
        writer.header(DERTag.sequence, contentSize: dataEntrySize(data.count))
        writer.header(DERTag.utf8String, contentSize: 6)
        writer.bigEndian(dataKey, count: 6)
        unsafe writer.data(data)
    }

    private static func writeDigest(_ digest: UnsafeRawBufferPointer, to writer: inout DERWriter) {
        writer.header(DERTag.sequence, contentSize: keyHeader + 4 + DERSize.ofElement(digestSize))
        writer.header(DERTag.utf8String, contentSize: 4)
        writer.bigEndian(digestKey, count: 4)
        unsafe writer.data(digest)
    }

    /// `v_Data`.
    internal static let dataKey: UInt64 = 0x76_5F_44_61_74_61
    /// `sha1`.
    private static let digestKey: UInt64 = 0x73_68_61_31
    /// Tag and length of a key.
    private static let keyHeader = 2
    private static let digestSize = 20
}
