// SPDX-License-Identifier: Apache-2.0

/// How many bytes the parts of an element take.
internal enum DERSize {
    /// Tag and length of an element with that much content.
    @inline(__always)
    static func ofHeader(_ contentSize: Int) -> Int {
        if contentSize < 0x80 { return 2 }
        if contentSize < 0x100 { return 3 }
        return 2 + (Int.bitWidth - contentSize.leadingZeroBitCount + 7) / 8
    }

    /// A whole element with that much content.
    @inline(__always)
    static func ofElement(_ contentSize: Int) -> Int { ofHeader(contentSize) + contentSize }

    /// The content of an integer: the fewest bytes of two's complement, at least one.
    @inline(__always)
    static func ofInteger(_ value: Int64) -> Int {
        let magnitude = value < 0 ? ~value : value
        return (Int64.bitWidth - magnitude.leadingZeroBitCount) / 8 + 1
    }
}
