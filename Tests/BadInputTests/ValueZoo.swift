// SPDX-License-Identifier: Apache-2.0

import Security
import TestSeed

/// Values of every kind; the texts and bytes among them carry the marker, which no explanation may repeat.
struct ValueZoo {
    static let marker = "MARKED"
    static let markedNumber: Int64 = 7_654_321_987

    let texts: [AnyObject]
    let data: [AnyObject]
    let numbers: [AnyObject]
    let dates: [AnyObject]
    let controls: [AnyObject]
    let others: [AnyObject]

    init() {
        texts = Self.plainTexts + Self.meaningfulTexts
        data = Self.allData
        numbers = Self.wholeNumbers + Self.fractions + Self.oddNumbers
        dates = [
            0, .infinity, -.infinity, .nan, 1e15, -1e15, -63_145_526_400, 252_423_993_599, 0.123_456_789,
            Date.distantPast.timeIntervalSinceReferenceDate, Date.distantFuture.timeIntervalSinceReferenceDate,
        ]
        .map { (seconds: Double) -> AnyObject in NSDate(timeIntervalSinceReferenceDate: seconds) }
        controls = Self.allControls
        others = Self.strangers
    }

    private static var plainTexts: [AnyObject] {
        let texts: [String] = [
            "", marker, marker + "\0after", "\0", marker + "\u{1F510}\u{1F469}\u{200D}\u{1F469}", "e\u{301}" + marker,
            "\u{FEFF}" + marker, "\u{FFFD}", "80", "-1", marker + String(repeating: "x", count: 20_000),
        ]
        return texts.map { $0 as NSString } + [HalfPair(string: ""), NSMutableString(string: marker + "mutable")]
    }

    private static var meaningfulTexts: [AnyObject] {
        [
            kSecAttrSynchronizableAny, kSecMatchLimitAll, kSecMatchLimitOne, kSecUseAuthenticationUISkip,
            kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrProtocolHTTPS,
            kSecClassGenericPassword, kSecClassIdentity, "com.apple.token" as NSString, "llavero.open" as NSString,
        ]
    }

    private static var allData: [AnyObject] {
        let mark = Data(marker.utf8)
        let all: [Data] = [
            Data(), mark, Data([0xFF, 0xFE, 0xC0, 0x80]) + mark, Data(count: 20), Data(count: 16),
            Data(repeating: 0x4D, count: 20_000), Data("genp".utf8) + Data(repeating: 7, count: 16),
            Data("keys".utf8) + Data(repeating: 7, count: 8), Data("tkpr".utf8) + mark,
        ]
        return all.map { $0 as NSData } + [NSMutableData(data: mark)]
    }

    private static var wholeNumbers: [AnyObject] {
        let numbers: [Int64] = [0, 1, -1, 2, 80, .max, .min, markedNumber]
        return numbers.map { NSNumber(value: $0) }
    }

    private static var fractions: [AnyObject] {
        let numbers: [Double] = [.nan, .infinity, -.infinity, -0.0, 0.5, 1e300, 9.3e18, 9_223_372_036_854_775_808]
        return numbers.map { NSNumber(value: $0) }
    }

    private static var oddNumbers: [AnyObject] {
        [
            NSNumber(value: UInt64.max), NSNumber(value: Float(1)), NSNumber(value: Int8(-1)),
            NSNumber(value: UInt16(9)),
            NSDecimalNumber(string: "1.5"), NSDecimalNumber(string: "80"), NSDecimalNumber.notANumber,
            NSDecimalNumber.maximum, NSDecimalNumber.minimum, NSNumber(value: true), NSNumber(value: false),
        ]
    }

    private static var allControls: [AnyObject] {
        let flags: [SecAccessControlCreateFlags] = [
            [], .userPresence, .devicePasscode, [.biometryAny, .or, .devicePasscode],
        ]
        return flags.flatMap { flag in
            [kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlockedThisDeviceOnly].compactMap {
                SecAccessControlCreateWithFlags(nil, $0, flag, nil)
            }
        }
    }

    private static var strangers: [AnyObject] {
        [
            NSNull(), NSUUID(), PlainObject(), NSArray(), NSDictionary(), NSSet(array: [marker]), NSMutableDictionary(),
            NSURL(fileURLWithPath: marker), NSArray(array: [marker, 1, NSNull()]), NSError(domain: marker, code: 1),
            NSArray(array: [NSArray(array: [NSSet(array: [marker])])]), NSDictionary(dictionary: ["class": marker]),
            NSDictionary(dictionary: [marker: NSArray(array: [marker])]), NSArray(array: [Data(marker.utf8) as NSData]),
        ]
    }

    func any(_ seed: inout Seed) -> AnyObject {
        switch seed.next() % 8 {
        case 0, 1: seed.pick(texts)
        case 2: seed.pick(data)
        case 3, 4: seed.pick(numbers)
        case 5: seed.pick(dates)
        case 6: seed.pick(controls)
        default: seed.pick(others)
        }
    }
}
