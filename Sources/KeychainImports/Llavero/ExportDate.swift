// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// Dates as an export has them: ISO 8601 in UTC, with as many digits as the date has.
package enum ExportDate {
    /// nil of what no calendar has.
    package static func text(_ date: Double) -> String? {
        guard let digits = try? GeneralizedTime.encode(date) else { return nil }
        var text: [UInt8] = []
        for (place, byte) in digits.enumerated() {
            if let mark = marks[place] { text.append(mark) }
            text.append(byte)
        }
        return String(validating: text, as: UTF8.self)
    }

    /// nil of every text but the one that `text` gives.
    package static func date(_ text: String) -> Double? {
        let digits = text.utf8.filter { !marks.values.contains($0) }
        guard let date = try? GeneralizedTime.decode(digits), self.text(date) == text else { return nil }
        return date
    }

    /// What stands before which digit.
    private static let marks: [Int: UInt8] = [
        4: UInt8(ascii: "-"), 6: UInt8(ascii: "-"), 8: UInt8(ascii: "T"), 10: UInt8(ascii: ":"),
        12: UInt8(ascii: ":"),
    ]
}
