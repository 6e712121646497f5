// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

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

/// A date in whole seconds and the shortest decimal fraction that together give its double exactly.
internal struct DecimalSeconds: Sendable, Equatable {
    /// Seconds since 2001-01-01 00:00:00 UTC, rounded down.
    let whole: Int
    /// The digits after the point, as a number below ten to the power `digits`; its last digit is not zero.
    let fraction: Int
    /// How many digits the fraction has, 0 to 17.
    let digits: Int

    /// `.dateOutOfRange` for what the years 0000 to 9999 do not hold, and for what 17 digits do not tell.
    init(_ date: Double) throws(CodingError) {
        // Written so that a NaN is refused too.
        guard date >= earliest, date < latest else { throw .dateOutOfRange }
        let truncated = Int(date)
        let whole = Double(truncated) > date ? truncated - 1 : truncated
        self.whole = whole
        if Double(whole) == date {
            fraction = 0
            digits = 0
            return
        }
        let remainder = date - Double(whole)
        // Most clocks count milliseconds. In these years two dates a millisecond apart are never the same double, so
        // three digits that fit are the shortest unless the last is zero.
        if let fraction = DecimalSeconds.fraction(of: date, whole, remainder, digits: 3) {
            self.fraction = fraction
            digits = 3
            return
        }
        for digits in 1...powersOfTen.count {
            if let fraction = DecimalSeconds.fraction(of: date, whole, remainder, digits: digits) {
                self.fraction = fraction
                self.digits = digits
                return
            }
        }
        throw .dateOutOfRange
    }

    /// The fraction with that many digits, the last not zero, that gives the date; nil when there is none.
    @inline(__always)
    private static func fraction(of date: Double, _ whole: Int, _ remainder: Double, digits: Int) -> Int? {
        let power = powersOfTen[digits - 1]
        let fraction = Int(remainder * power + 0.5)
        // Near the limits of a double the product may round up to the power, or to a number that ends in zero though
        // the shorter fraction did not fit: neither may be written.
        guard sum(whole, fraction, power) == date, Double(fraction) < power, fraction % 10 != 0 else { return nil }
        return fraction
    }

    /// The date of digits that were read; `.notCanonical` unless writing the date gives the same digits.
    static func date(whole: Int, fraction: Int, digits: Int) throws(CodingError) -> Double {
        if digits == 0 { return Double(whole) }
        guard digits <= powersOfTen.count else { throw .notCanonical }
        let date = sum(whole, fraction, powersOfTen[digits - 1])
        let written = try DecimalSeconds(date)
        guard written.whole == whole, written.fraction == fraction, written.digits == digits else {
            throw .notCanonical
        }
        return date
    }

    @inline(__always)
    private static func sum(_ whole: Int, _ fraction: Int, _ power: Double) -> Double {
        Double(whole) + Double(fraction) / power
    }
}

private let secondsPerDay = 86400
private let point: UInt8 = 0x2E
private let zulu: UInt8 = 0x5A

/// 0000-01-01 00:00:00.
private let earliest = -63_145_526_400.0
/// 10000-01-01 00:00:00.
private let latest = 252_423_993_600.0
/// Each is a double exactly.
private let powersOfTen: InlineArray<17, Double> = [
    1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
]
