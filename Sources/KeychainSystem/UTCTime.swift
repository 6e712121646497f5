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
        let date = CivilDate(daysSinceReference: Int(days) - CivilDate.daysFrom1970To2001)
        (year, month, day) = (Int64(date.year), date.month, date.day)
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

/// A day of the Gregorian calendar, extended to before its introduction.
///
/// The arithmetic runs on years that begin in March, so that the leap day is a year's last, and on eras of 400 years,
/// after which the calendar repeats (https://howardhinnant.github.io/date_algorithms.html).
package struct CivilDate: Sendable, Equatable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// The day, or nil when the calendar has none such or its year is not 0 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
        guard day <= 28 || day <= CivilDate.length(ofMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 2001-01-01.
    package init(daysSinceReference days: Int) {
        let shifted = days + CivilDate.daysToReference
        let era = (shifted >= 0 ? shifted : shifted - (CivilDate.daysPerEra - 1)) / CivilDate.daysPerEra
        let dayOfEra = shifted - era * CivilDate.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSinceReference: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * CivilDate.daysPerEra + dayOfEra - CivilDate.daysToReference
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to 2001-01-01.
    static let daysFrom1970To2001 = 11_323
    /// Days from 0000-03-01 to 2001-01-01.
    private static let daysToReference = 730_791
    private static let daysPerEra = 146_097
}
