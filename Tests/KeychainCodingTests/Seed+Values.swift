// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import TestSeed

/// Random values of every kind that can be encoded.
extension Seed {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func size() -> Int {
        [0, 1, 2, 5, 14, 15, 16, 17, 18, 19, 40, 115, 116, 117, 118, 119, 120, 121, 127, 128, 255, 256, 300]
            .randomElement(using: &self) ?? 0
    }

    mutating func text() -> String {
        let letters: [Character] = ["a", "Z", "0", " ", "ñ", "é", "e\u{301}", "漢", "🔑", "\0"]
        return String((0..<size()).map { _ in letters.randomElement(using: &self) ?? "a" })
    }

    mutating func wholeNumber() -> Int64 {
        let bits = Int64(bitPattern: next())
        return bits >> Int64.random(in: 0...63, using: &self)
    }

    /// A date of any year that has a text.
    mutating func date() -> Double {
        let second = Double(Int64.random(in: -63_145_526_400..<252_423_993_600, using: &self))
        switch next() % 4 {
        case 0: return second
        case 1: return second + Double(next() % 1000) / 1000
        case 2: return 777_000_000 + Double(next() % 1_000_000_000) / 1e6
        default: return second + Double(next() % 1024) / 1024
        }
    }

    mutating func attributeValue() -> AttributeValue {
        switch next() % 4 {
        case 0: .string(text())
        case 1: .data(bytes(size()))
        case 2: .number(wholeNumber())
        default: .date(date())
        }
    }

    mutating func attributes() -> AttributeList {
        var list = AttributeList()
        for attribute in Attribute.allCases.shuffled(using: &self).prefix(Int(next() % 64)) {
            list[attribute] = attributeValue()
        }
        return list
    }

    mutating func propertyList(depth: Int = 0) -> PropertyList {
        switch next() % (depth < 4 ? 8 : 6) {
        case 0: .null
        case 1: .boolean(next() % 2 == 0)
        case 2: .number(wholeNumber())
        case 3: .string(text())
        case 4: .data(bytes(size()))
        case 5: .date(date())
        case 6: .array((0..<Int(next() % 5)).map { _ in propertyList(depth: depth + 1) })
        default:
            .dictionary(
                Dictionary(
                    (0..<Int(next() % 6)).map { _ in (text(), propertyList(depth: depth + 1)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }
}
