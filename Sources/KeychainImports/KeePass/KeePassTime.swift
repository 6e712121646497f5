// SPDX-License-Identifier: Apache-2.0

/// Moments as KeePass writes them: as text (2026-11-22T13:00:00Z), or the seconds since the year 1 as base64.
internal enum KeePassTime {
    /// The moment as text; nil when it is none.
    internal static func text(_ bytes: ImportedBytes) -> String? {
        guard let text = bytes.text else { return nil }
        if text.utf8.contains(ASCII.colon) { return text }
        guard let raw = bytes.decodingBase64(bytes.trimmed(bytes.all)), raw.count == 8 else { return nil }
        var seconds: UInt64 = 0
        for index in 0..<8 { seconds |= UInt64(raw[index] ?? 0) << UInt64(index * 8) }
        // Until the year 9999.
        guard seconds < 315_537_897_600 else { return nil }
        return moment(ofDay: Int(seconds / 86400), second: Int(seconds % 86400))
    }

    /// Days since 1 January of the year 1, in the calendar that is used today.
    private static func moment(ofDay day: Int, second: Int) -> String {
        // Counted from 1 March of the year 0, so that the leap day is the last of a year.
        let shifted = day + 306
        let (era, rest) = (shifted / 146_097, shifted % 146_097)
        let year = (rest - rest / 1460 + rest / 36524 - rest / 146_096) / 365
        let dayOfYear = rest - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
        let fields = [civilMonth, date, second / 3600, second / 60 % 60, second % 60]
        var text = padded(civilYear, 4)
        for (mark, field) in zip(["-", "-", "T", ":", ":"], fields) { text += mark + padded(field, 2) }
        return text + "Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
