// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The report as programs read it: a list of objects with name, items, ours_us, limit_us and ratio.
///
/// A figure that is not a time stands under `ours` and `limit` with its `unit`, and its `…_us` are null. Another
/// product's time is `peer_us`.
enum ResultsFile {
    static func write(_ rows: [Row], to url: URL) throws {
        let objects = rows.map { row in
            var object: [String: Any] = [
                "name": row.name,
                "items": row.items,
                "ours_us": value(row.unit == .microseconds ? row.ours : nil),
                "limit_us": value(row.unit == .microseconds ? row.limit : nil),
                "ratio": value(row.ratio),
            ]
            if row.unit != .microseconds {
                object["unit"] = row.unit.rawValue
                object["ours"] = value(row.ours)
                object["limit"] = value(row.limit)
            }
            if let peer = row.peer { object["peer_us"] = rounded(peer) }
            if let isReached = row.isReached { object["target_reached"] = isReached }
            if let note = row.note { object["note"] = note }
            return object
        }
        let data = try JSONSerialization.data(withJSONObject: objects, options: [.prettyPrinted, .sortedKeys])
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url, options: .atomic)
    }

    private static func value(_ number: Double?) -> Any { number.map { rounded($0) } ?? NSNull() }

    /// To a nanosecond: more digits are noise.
    ///
    /// A decimal number, or JSON would show where binary cannot follow.
    private static func rounded(_ number: Double) -> NSDecimalNumber {
        NSDecimalNumber(string: String(format: "%.3f", number))
    }
}
