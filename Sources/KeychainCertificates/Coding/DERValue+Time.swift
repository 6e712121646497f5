// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

extension DERValue {
    /// The seconds since 2001 of a time as RFC 5280 §4.1.2.5 has it: with seconds, without a fraction, in UTC.
    var time: Double? {
        switch tag {
        case DERTag.utcTime:
            guard content.count == 13, let first = content.first else { return nil }
            let century = first >= Self.five ? "19" : "20"
            return try? GeneralizedTime.decode(Array(century.utf8) + content)
        case DERTag.generalizedTime:
            guard content.count == 15 else { return nil }
            return try? GeneralizedTime.decode(Array(content))
        default: return nil
        }
    }

    private static let five: UInt8 = 0x35
}
