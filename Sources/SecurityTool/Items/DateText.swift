// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Moments as a Mac's keychain has them: fourteen digits, a Z and a zero byte.
enum DateText {
    static func blob(_ secondsSince2001: Double) -> String {
        let bytes = Array(text(secondsSince2001).utf8) + [0]
        return "0x\(BlobText.hexadecimal(bytes, uppercase: true))  \"\(BlobText.escaped(bytes))\""
    }

    static func text(_ secondsSince2001: Double) -> String {
        // What lies outside of the years that have four digits stands at their ends.
        let seconds = min(max(secondsSince2001.rounded(.down), -63_114_076_800), 252_423_993_599)
        var moment = time_t(seconds) + 978_307_200
        var date = unsafe tm()
        guard unsafe gmtime_r(&moment, &date) != nil else { return "00000000000000Z" }
        let parts = unsafe [date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        let year = unsafe String(Int(date.tm_year) + 1900)
        return String(repeating: "0", count: max(0, 4 - year.count)) + year + parts.joined() + "Z"
    }
}

extension DateText {
    /// Seconds since 2001 by the system's clock.
    static var now: Double? {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        return Double(now.tv_sec - 978_307_200)
    }

    /// The moment that a text like 2026-01-31 or 2026-01-31-12:30:00 names, in UTC; nil when it names none.
    static func date(_ text: String) -> Double? {
        let marks: [UInt8] = [0x2D, 0x3A]
        let parts = text.utf8.split(omittingEmptySubsequences: false) { marks.contains($0) }.map { part in
            part.count <= 4 && part.allSatisfy { (0x30...0x39).contains($0) }
                ? Int32(String(decoding: Array(part), as: UTF8.self)) : nil
        }
        let numbers = parts.compactMap(\.self)
        guard numbers.count == parts.count, numbers.count == 3 || numbers.count == 6,
            (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1]), (1...31).contains(numbers[2])
        else { return nil }
        var date = unsafe tm()
        unsafe (date.tm_year, date.tm_mon, date.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        if numbers.count == 6 {
            guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return nil }
            unsafe (date.tm_hour, date.tm_min, date.tm_sec) = (numbers[3], numbers[4], numbers[5])
        }
        let seconds = unsafe timegm(&date)
        // What the calendar does not have has become another day.
        guard unsafe date.tm_mday == numbers[2] else { return nil }
        return Double(seconds - 978_307_200)
    }
}
