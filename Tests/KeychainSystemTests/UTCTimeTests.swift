// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSystem
import TestSeed
import Testing

@Suite struct UTCTimeTests {
    @Test(
        "seconds since 1970 are written as ISO 8601 writes them",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"), (978_307_200, "2001-01-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (253_402_300_800, "10000-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (-62_135_596_801, "0000-12-31T23:59:59Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func text(seconds: Int64, text: String) {
        #expect(UTCTime(secondsSince1970: seconds).text == text)
    }

    @Test("what is counted from 2001 is the same second")
    func since2001() {
        #expect(UTCTime(secondsSince2001: 0).text == "2001-01-01T00:00:00Z")
        #expect(UTCTime(secondsSince2001: -978_307_200) == UTCTime(secondsSince1970: 0))
    }

    @Test("digits alone, and microseconds")
    func otherForms() {
        let time = UTCTime(secondsSince1970: 1_700_000_000)
        #expect(time.digits == "20231114221320Z")
        #expect(time.text(microseconds: 42) == "2023-11-14T22:13:20.000042Z")
        #expect(time.text(microseconds: 999_999) == "2023-11-14T22:13:20.999999Z")
    }

    @Test("the calendar is that of the C library")
    func asTheLibrary() {
        var seed = Seed(for: "UTCTimeTests.asTheLibrary")
        for _ in 0..<20_000 {
            // Some 30 000 years in either direction.
            let seconds = Int64(truncatingIfNeeded: seed.next() % 2_000_000_000_000) - 1_000_000_000_000
            var (moment, date) = (time_t(seconds), tm())
            gmtime_r(&moment, &date)
            let time = UTCTime(secondsSince1970: seconds)
            let fields = [date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec].map { Int($0) }
            #expect(time.year == Int64(date.tm_year) + 1900)
            #expect([time.month, time.day, time.hour, time.minute, time.second] == fields)
        }
    }

    @Test("no number of seconds ends the program", arguments: [Int64.min, .min + 1, .max - 1, .max])
    func extremes(seconds: Int64) {
        #expect((1...12).contains(UTCTime(secondsSince1970: seconds).month))
        #expect((1...31).contains(UTCTime(secondsSince2001: seconds).day))
    }
}
