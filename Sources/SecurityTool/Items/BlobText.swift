// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// Bytes as `security` prints them: printable ones between quotes; others in hexadecimal digits, and between quotes with
/// octal escapes for unprintable bytes.
enum BlobText {
    static func isPrintable(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy { (0x20...0x7E).contains($0) } }

    static func quoted(_ bytes: [UInt8]) -> String {
        if isPrintable(bytes) { return "\"\(String(decoding: bytes, as: UTF8.self))\"" }
        return "0x\(Hexadecimal.digits(of: bytes, uppercase: true))  \"\(escaped(bytes))\""
    }

    static func escaped(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == 0x5C {
                text += [byte, byte]
            } else if (0x20...0x7E).contains(byte) {
                text.append(byte)
            } else {
                text += [0x5C, 0x30 + byte >> 6, 0x30 + (byte >> 3 & 7), 0x30 + (byte & 7)]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The same as `BlobText` for secrets: in memory that is wiped.
enum SecretText {
    /// Between quotes, or both in digits and between quotes; empty for an empty one.
    static func quoted(_ secret: SecretValue) -> SecretValue {
        if secret.count == 0 { return secret }
        if unsafe secret.withUnsafeBytes({ unsafe BlobText.isPrintable($0) }) { return joined(quote, secret, quote) }
        let digits = joined(Array("0x".utf8), secret.hexadecimal(uppercase: true), Array("  ".utf8))
        return SecretValue.joined([digits, joined(quote, escaped(secret), quote)])
    }

    private static func escaped(_ secret: SecretValue) -> SecretValue {
        let count = unsafe secret.withUnsafeBytes { bytes in
            unsafe bytes.reduce(0) { $0 + width(of: $1) }
        }
        return unsafe SecretValue(count: count) { output in
            unsafe secret.withUnsafeBytes { bytes in
                var place = 0
                for index in bytes.indices {
                    let byte = unsafe bytes[index]
                    switch width(of: byte) {
                    case 1: unsafe output[place] = byte
                    case 2:
                        unsafe output[place] = backslash
                        unsafe output[place + 1] = backslash
                    default:
                        unsafe output[place] = backslash
                        for (offset, shift) in [(1, 6), (2, 3), (3, 0)] {
                            unsafe output[place + offset] = 0x30 + (byte >> UInt8(shift) & 7)
                        }
                    }
                    place += width(of: byte)
                }
            }
        }
    }

    private static func width(of byte: UInt8) -> Int {
        byte == backslash ? 2 : (0x20...0x7E).contains(byte) ? 1 : 4
    }

    private static func joined(_ before: [UInt8], _ secret: SecretValue, _ behind: [UInt8]) -> SecretValue {
        unsafe SecretValue(count: before.count + secret.count + behind.count) { output in
            unsafe output.copyBytes(from: before)
            unsafe copy(secret, to: output, at: before.count)
            let end = before.count + secret.count
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[end...]).copyBytes(from: behind)
        }
    }

    private static func copy(_ secret: SecretValue, to output: UnsafeMutableRawBufferPointer, at place: Int) {
        unsafe secret.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[place...]).copyMemory(from: bytes)
        }
    }

    private static let quote = [UInt8(0x22)]
    private static let backslash: UInt8 = 0x5C
}

/// Moments as a Mac's keychain has them: fourteen digits, a Z and a zero byte.
enum DateText {
    static func blob(_ secondsSince2001: Double) -> String {
        let bytes = Array(text(secondsSince2001).utf8) + [0]
        return "0x\(Hexadecimal.digits(of: bytes, uppercase: true))  \"\(BlobText.escaped(bytes))\""
    }

    static func text(_ secondsSince2001: Double) -> String {
        // Dates outside of the years with four digits are moved to the first or last one.
        let seconds = min(max(secondsSince2001.rounded(.down), -63_114_076_800), 252_423_993_599)
        return UTCTime(secondsSince2001: Int64(seconds)).digits
    }

    /// Seconds since 2001 by the system's clock.
    static var now: Double? {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        return Double(Int64(now.tv_sec) - UTCTime.secondsFrom1970To2001)
    }

    /// The moment that a text like 2026-01-31 or 2026-01-31-12:30:00 names, in UTC; nil for other text.
    static func date(_ text: String) -> Double? {
        let marks: [UInt8] = [0x2D, 0x3A]
        let parts = text.utf8.split(omittingEmptySubsequences: false) { marks.contains($0) }.map { part in
            part.count <= 4 && part.allSatisfy { (0x30...0x39).contains($0) }
                ? Int(String(decoding: Array(part), as: UTF8.self)) : nil
        }
        let numbers = parts.compactMap(\.self)
        guard numbers.count == parts.count, numbers.count == 3 || numbers.count == 6,
            numbers[0] >= 1970, let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
        else { return nil }
        let midnight = date.daysSinceReference * 86_400
        if numbers.count == 3 { return Double(midnight) }
        guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return nil }
        return Double(midnight + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }
}
