// SPDX-License-Identifier: Apache-2.0

internal import KeychainSystem

/// Dates of KeePass: text (2026-11-22T13:00:00Z), or the seconds since the year 1 as base64.
internal enum KeePassTime {
    /// The date as text; nil if it is malformed.
    internal static func text(_ bytes: ImportedBytes) -> String? {
        guard let text = bytes.text else { return nil }
        if text.utf8.contains(ASCII.colon) { return text }
        guard let raw = bytes.decodingBase64(bytes.trimmed(bytes.all)), raw.count == 8 else { return nil }
        var seconds: UInt64 = 0
        for index in 0..<8 { seconds |= UInt64(raw[index] ?? 0) << UInt64(index * 8) }
        // Until the year 9999.
        guard seconds < 315_537_897_600 else { return nil }
        return UTCTime(secondsSince1970: Int64(seconds) - from1To1970).text
    }

    /// Seconds from 1 January of the year 1.
    private static let from1To1970: Int64 = 62_135_596_800
}
