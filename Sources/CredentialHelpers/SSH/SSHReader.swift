// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A walk through bytes as SSH writes them (RFC 4251 §5): numbers of four bytes, and strings with their size in front.
package struct SSHReader {
    package struct Malformed: Error {}

    private let bytes: SecretValue
    private var index = 0

    package init(_ bytes: SecretValue) { self.bytes = bytes }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func byte() throws(Malformed) -> UInt8 {
        guard let byte = bytes.byte(at: index) else { throw Malformed() }
        index += 1
        return byte
    }

    package mutating func number() throws(Malformed) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 { number = number << 8 | UInt32(try byte()) }
        return number
    }

    package mutating func string() throws(Malformed) -> SecretValue {
        let size = Int(try number())
        return try take(size)
    }

    package mutating func text() throws(Malformed) -> String {
        guard let text = try string().text else { throw Malformed() }
        return text
    }

    /// A number that is not negative, without the zero in front of it: `count` bytes, or as many as it has.
    package mutating func integer(count: Int? = nil) throws(Malformed) -> SecretValue {
        let value = try string()
        guard let first = value.byte(at: 0), first < 0x80 else { throw Malformed() }
        var start = 0
        if first == 0 {
            // Only where the next one would make it negative.
            guard let next = value.byte(at: 1), next >= 0x80 else { throw Malformed() }
            start = 1
        }
        let size = value.count - start
        guard size <= count ?? size else { throw Malformed() }
        return unsafe SecretValue(count: count ?? size) { output in
            unsafe value.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[(output.count - size)...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }
        }
    }

    package mutating func take(_ size: Int) throws(Malformed) -> SecretValue {
        guard size <= bytes.count - index else { throw Malformed() }
        let start = index
        index += size
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)]))
        }
    }
}

/// Bytes as SSH writes them (RFC 4251 §5).
enum SSHBytes {
    static func number(_ number: UInt32) -> SecretValue {
        SecretValue(copying: [number >> 24, number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) })
    }

    static func string(_ value: SecretValue) -> SecretValue {
        SecretValue.joined([number(UInt32(value.count)), value])
    }

    static func string(_ text: String) -> SecretValue { string(SecretValue(text: text)) }

    /// A number that is not negative, of bytes that may begin with zeros.
    static func integer(_ value: SecretValue) -> SecretValue {
        var start = 0
        while value.byte(at: start) == 0 { start += 1 }
        let isHigh = (value.byte(at: start) ?? 0) >= 0x80
        let bare = unsafe value.withUnsafeBytes { bytes in
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        return string(isHigh ? SecretValue.joined([SecretValue(copying: [0]), bare]) : bare)
    }
}
