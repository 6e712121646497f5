// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, extended to before its introduction.
///
/// The arithmetic runs on years that begin in March, so that the leap day is a year's last, and on eras of 400 years,
/// after which the calendar repeats (https://howardhinnant.github.io/date_algorithms.html).
internal struct CivilDate: Sendable, Equatable {
    let year: Int
    let month: Int
    let day: Int

    /// The day, or nil when the calendar has none such or its year is not 0 to 9999.
    init?(year: Int, month: Int, day: Int) {
        guard year >= 0, year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
        guard day <= 28 || day <= CivilDate.length(ofMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that many days after 2001-01-01.
    ///
    /// Only for days of the years 0 to 9999.
    init(daysSinceReference days: Int) {
        let shifted = days + CivilDate.daysToReference
        let era = (shifted >= 0 ? shifted : shifted - (daysPerEra - 1)) / daysPerEra
        let dayOfEra = shifted - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSinceReference: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysPerEra + dayOfEra - CivilDate.daysToReference
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 0000-03-01 to 2001-01-01.
    private static let daysToReference = 730_791
}

private let daysPerEra = 146_097
