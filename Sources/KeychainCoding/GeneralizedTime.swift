// SPDX-License-Identifier: Apache-2.0

/// Dates as text: `YYYYMMDDhhmmss[.fraction]Z`, always UTC, with the shortest fraction that gives the double back.
///
/// Dates are seconds since 2001-01-01 00:00:00 UTC. There is no leap second, so second 60 is no time.
package enum GeneralizedTime {
    /// The text of a date; `.dateOutOfRange` when it has none.
    package static func encode(_ date: Double) throws(CodingError) -> [UInt8] {
        let seconds = try DecimalSeconds(date)
        return DERWriter.bytes(count: size(seconds)) { writer in write(seconds, to: &writer) }
    }

    /// The date of a text; refuses every text but the one `encode` gives.
    package static func decode(_ text: [UInt8]) throws(CodingError) -> Double {
        try read(text.span, from: 0, to: text.count)
    }

    @inline(__always)
    internal static func size(_ seconds: DecimalSeconds) -> Int {
        seconds.digits == 0 ? 15 : 16 + seconds.digits
    }

    internal static func write(_ seconds: DecimalSeconds, to writer: inout DERWriter) {
        var days = seconds.whole / secondsPerDay
        var secondOfDay = seconds.whole % secondsPerDay
        if secondOfDay < 0 {
            secondOfDay += secondsPerDay
            days -= 1
        }
        let date = CivilDate(daysSinceReference: days)
        writer.decimal(date.year, digits: 4)
        writer.decimal(date.month, digits: 2)
        writer.decimal(date.day, digits: 2)
        writer.decimal(secondOfDay / 3600, digits: 2)
        writer.decimal(secondOfDay / 60 % 60, digits: 2)
        writer.decimal(secondOfDay % 60, digits: 2)
        if seconds.digits > 0 {
            writer.byte(point)
            writer.decimal(seconds.fraction, digits: seconds.digits)
        }
        writer.byte(zulu)
    }

    internal static func read(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(CodingError) -> Double {
        guard end - start >= 15, bytes[end - 1] == zulu else { throw .invalidDate }
        let date = CivilDate(
            year: try decimal(bytes, at: start, digits: 4), month: try decimal(bytes, at: start + 4, digits: 2),
            day: try decimal(bytes, at: start + 6, digits: 2))
        let hour = try decimal(bytes, at: start + 8, digits: 2)
        let minute = try decimal(bytes, at: start + 10, digits: 2)
        let second = try decimal(bytes, at: start + 12, digits: 2)
        guard let date, hour < 24, minute < 60, second < 60 else { throw .invalidDate }
        let whole = date.daysSinceReference * secondsPerDay + hour * 3600 + minute * 60 + second
        if end - start == 15 { return Double(whole) }

        let digits = end - start - 16
        guard digits > 0, bytes[start + 14] == point else { throw .invalidDate }
        // Longer fractions overflow below, and none of them is canonical.
        guard digits <= 17 else { throw .notCanonical }
        let fraction = try decimal(bytes, at: start + 15, digits: digits)
        return try DecimalSeconds.date(whole: whole, fraction: fraction, digits: digits)
    }

    @inline(__always)
    private static func decimal(_ bytes: Span<UInt8>, at start: Int, digits: Int) throws(CodingError) -> Int {
        var value = 0
        for offset in start..<start + digits {
            let digit = bytes[offset] &- 0x30
            guard digit < 10 else { throw .invalidDate }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }
}

private let secondsPerDay = 86400
private let point: UInt8 = 0x2E
private let zulu: UInt8 = 0x5A
