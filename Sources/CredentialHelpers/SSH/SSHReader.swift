// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Why bytes in SSH's encoding are not a key or a message.
package enum SSHError: Error, Equatable {
    /// Not this format.
    case otherForm
    /// It has a passphrase, whose key derivation is OpenSSH's own.
    case encrypted
    /// A kind of key that the keychain does not support.
    case otherKind
    case malformed
}

/// Reads bytes in SSH's encoding (RFC 4251 §5): numbers of four bytes, and strings after their length.
package struct SSHReader {
    private let bytes: SecretValue
    private var index = 0

    package init(_ bytes: SecretValue) { self.bytes = bytes }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func byte() throws(SSHError) -> UInt8 {
        guard let byte = bytes.byte(at: index) else { throw .malformed }
        index += 1
        return byte
    }

    package mutating func number() throws(SSHError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 { number = number << 8 | UInt32(try byte()) }
        return number
    }

    package mutating func string() throws(SSHError) -> SecretValue {
        let size = Int(try number())
        return try take(size)
    }

    package mutating func text() throws(SSHError) -> String {
        guard let text = try string().text else { throw .malformed }
        return text
    }

    /// A non-negative number without its leading zero: `count` bytes, or as many as it has.
    package mutating func integer(count: Int? = nil) throws(SSHError) -> SecretValue {
        let value = try string()
        guard let first = value.byte(at: 0), first < 0x80 else { throw .malformed }
        var start = 0
        if first == 0 {
            // Only if the next byte would make it negative.
            guard let next = value.byte(at: 1), next >= 0x80 else { throw .malformed }
            start = 1
        }
        let size = value.count - start
        guard size <= count ?? size else { throw .malformed }
        return unsafe SecretValue(count: count ?? size) { output in
            unsafe value.withUnsafeBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[(output.count - size)...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }
        }
    }

    package mutating func take(_ size: Int) throws(SSHError) -> SecretValue {
        guard size <= bytes.count - index else { throw .malformed }
        let start = index
        index += size
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)]))
        }
    }
}

/// Writes bytes in SSH's encoding (RFC 4251 §5).
enum SSHBytes {
    static func number(_ number: UInt32) -> SecretValue {
        SecretValue(copying: [number >> 24, number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) })
    }

    static func string(_ value: SecretValue) -> SecretValue {
        SecretValue.joined([number(UInt32(value.count)), value])
    }

    static func string(_ text: String) -> SecretValue { string(SecretValue(text: text)) }

    /// A non-negative number, from bytes that may begin with zeros.
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
