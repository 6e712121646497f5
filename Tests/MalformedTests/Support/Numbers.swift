// SPDX-License-Identifier: Apache-2.0

/// Numbers that the standards print, most significant byte first.
enum P256 {
    /// SEC 2 §2.4.2.
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6,
        0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
}

enum Ed25519 {
    /// RFC 8032 §5.1.
    static let order: [UInt8] =
        [0x10] + [UInt8](repeating: 0, count: 15) + [
            0x14, 0xDE, 0xF9, 0xDE, 0xA2, 0xF7, 0x9C, 0xD6, 0x58, 0x12, 0x63, 0x1A, 0x5C, 0xF5, 0xD3, 0xED,
        ]
}

/// The sum of two numbers, as long as it takes.
func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    let count = max(left.count, right.count) + 1
    var result = [UInt8](repeating: 0, count: count)
    var carry = 0
    for index in 0..<count {
        let first = index < left.count ? Int(left[left.count - 1 - index]) : 0
        let second = index < right.count ? Int(right[right.count - 1 - index]) : 0
        carry += first + second
        result[count - 1 - index] = UInt8(carry & 0xFF)
        carry >>= 8
    }
    return Array(result.drop { $0 == 0 })
}
