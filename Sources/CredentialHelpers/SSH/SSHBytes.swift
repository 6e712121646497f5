// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

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
