// SPDX-License-Identifier: Apache-2.0

/// A second in the calendar of UTC.
///
/// Computed here, without libc's `gmtime`, which takes a lock and knows fewer years.
package struct UTCTime: Sendable, Equatable {
    package let year: Int64
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    package init(secondsSince1970 seconds: Int64) {
        let (days, secondOfDay) = UTCTime.split(seconds, by: 86_400)
        (hour, minute, second) = (Int(secondOfDay / 3600), Int(secondOfDay / 60 % 60), Int(secondOfDay % 60))
        // Counted from 1 March of the year 0, so that the leap day is the last day of a year; in eras of 400 years.
        let (era, dayOfEra) = UTCTime.split(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (monthFromMarch < 10 ? 0 : 1)
    }

    /// Seconds since 2001, as the keychain counts.
    package init(secondsSince2001 seconds: Int64) {
        self.init(secondsSince1970: min(seconds, .max - UTCTime.secondsFrom1970To2001) + UTCTime.secondsFrom1970To2001)
    }

    package static let secondsFrom1970To2001: Int64 = 978_307_200

    /// As ISO 8601 writes it: 2026-11-22T13:00:00Z.
    package var text: String { text(fraction: "") }

    /// The same with microseconds: 2026-11-22T13:00:00.000042Z.
    package func text(microseconds: Int) -> String { text(fraction: "." + UTCTime.padded(microseconds, 6)) }

    /// Fourteen digits and a Z: 20261122130000Z.
    package var digits: String {
        let fields = [month, day, hour, minute, second].map { UTCTime.padded($0, 2) }
        return UTCTime.padded(year, 4) + fields.joined() + "Z"
    }

    private func text(fraction: String) -> String {
        let (month, day) = (UTCTime.padded(month, 2), UTCTime.padded(day, 2))
        let time = [hour, minute, second].map { UTCTime.padded($0, 2) }.joined(separator: ":")
        return "\(UTCTime.padded(year, 4))-\(month)-\(day)T\(time)\(fraction)Z"
    }

    /// What is left over is never negative.
    private static func split(_ number: Int64, by size: Int64) -> (Int64, Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: size)
        return rest < 0 ? (quotient - 1, rest + size) : (quotient, rest)
    }

    private static func padded(_ number: some SignedInteger, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}
