// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import TestSeed
import Testing

@Suite struct GeneralizedTimeTests {
    @Test(
        "a date is written in UTC with the shortest fraction",
        arguments: [
            (0, "20010101000000Z"), (-1, "20001231235959Z"), (-978_307_200, "19700101000000Z"),
            (86399, "20010101235959Z"), (5_097_600, "20010301000000Z"), (-26_352_000, "20000302000000Z"),
            (-26_438_400, "20000301000000Z"), (-26_524_800, "20000229000000Z"), (0.5, "20010101000000.5Z"),
            (-0.5, "20001231235959.5Z"), (0.001, "20010101000000.001Z"), (0.25, "20010101000000.25Z"),
            (777_777_777.123, "20250825012257.123Z"), (777_777_777.120, "20250825012257.12Z"),
            (777_777_777.1234567, "20250825012257.1234567Z"), (0.1, "20010101000000.1Z"),
            (0.30000000000000004, "20010101000000.30000000000000004Z"),
            (-63_145_526_400, "00000101000000Z"), (252_423_993_599, "99991231235959Z"),
            (-63_140_428_800, "00000229000000Z"), (-3_145_737_600, "19010427000000Z"),
        ] as [(Double, String)])
    func written(date: Double, text: String) throws {
        #expect(String(decoding: try GeneralizedTime.encode(date), as: UTF8.self) == text)
        #expect(try GeneralizedTime.decode(Array(text.utf8)) == date)
    }

    @Test(
        "a date without text is refused",
        arguments: [
            .nan, .infinity, -.infinity, 1e300, -1e300, -63_145_526_400.5, 252_423_993_600, 1e-300, -1e-20,
            .leastNonzeroMagnitude,
            0.123456789 / 1e10,
        ] as [Double])
    func outOfRange(date: Double) {
        #expect(throws: CodingError.dateOutOfRange) { try GeneralizedTime.encode(date) }
    }

    @Test("negative zero is written as zero")
    func negativeZero() throws {
        #expect(try GeneralizedTime.encode(-0.0) == GeneralizedTime.encode(0))
    }

    @Test(
        "a text that is no time is refused",
        arguments: [
            "", "Z", "20230230000000Z", "20230229000000Z", "19000229000000Z", "20230431000000Z", "20230001000000Z",
            "20231301000000Z", "20230100000000Z", "20230132000000Z", "20230101240000Z", "20230101006000Z",
            "20230101000060Z", "20230101000000", "20230101000000z", "20230101000000+0100", "20230101000000.Z",
            "20230101000000,5Z", "20230101000000.5", "20230101000000.-5Z", "2023-101000000Z", " 20230101000000Z",
            "230101000000Z", "202301010000Z", "20230101000000ZZ", "20230101000000.5 Z",
        ])
    func impossible(text: String) {
        #expect(throws: CodingError.invalidDate) { try GeneralizedTime.decode(Array(text.utf8)) }
    }

    @Test(
        "a fraction that is not the shortest is refused",
        arguments: [
            "20230101000000.0Z", "20230101000000.50Z", "20230101000000.000Z", "20230101000000.123456789Z",
            "20230101000000.99999999999999999Z", "20230101000000.00000000000000001Z",
            "20230101000000.300000000000000001Z",
        ])
    func notShortest(text: String) {
        #expect(throws: CodingError.notCanonical) { try GeneralizedTime.decode(Array(text.utf8)) }
    }

    @Test("every day of eight centuries is read back, in the order it was written")
    func everyDay() throws {
        var previous: [UInt8] = []
        var failures = 0
        for day in stride(from: -146_097 * 2, to: 146_097, by: 1) {
            let text = try GeneralizedTime.encode(Double(day) * 86400)
            if try GeneralizedTime.decode(text) != Double(day) * 86400 { failures += 1 }
            if !previous.lexicographicallyPrecedes(text) { failures += 1 }
            previous = text
        }
        #expect(failures == 0)
    }

    @Test("milliseconds, microseconds and odd fractions give the same double back, and milliseconds in three digits")
    func roundTrips() throws {
        var seed = Seed(for: "GeneralizedTime")
        var failures: [Double] = []
        for _ in 0..<20_000 {
            let date = seed.date()
            if try GeneralizedTime.decode(GeneralizedTime.encode(date)) != date { failures.append(date) }
            let millisecond = (Double(seed.next() % 4_000_000_000_000) - 2e12) / 1000
            let text = try GeneralizedTime.encode(millisecond)
            let same = try GeneralizedTime.decode(text) == millisecond
            if !same || text.count > 19 { failures.append(millisecond) }
            // Every double of today's size has a text.
            let odd = (7e8 + Double(seed.next() % 100_000_000)).nextUp
            if try GeneralizedTime.decode(GeneralizedTime.encode(odd)) != odd { failures.append(odd) }
        }
        #expect(failures == [])
    }
}
