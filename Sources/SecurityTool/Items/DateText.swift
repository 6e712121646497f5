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
