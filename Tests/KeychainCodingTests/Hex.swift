// SPDX-License-Identifier: Apache-2.0

/// The bytes of hexadecimal digits; blanks are for the reader.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
