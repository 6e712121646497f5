// SPDX-License-Identifier: Apache-2.0

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

/// 0000-01-01 00:00:00.
private let earliest = -63_145_526_400.0
/// 10000-01-01 00:00:00.
private let latest = 252_423_993_600.0
/// Each is a double exactly.
private let powersOfTen: InlineArray<17, Double> = [
    1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
]
