// SPDX-License-Identifier: Apache-2.0

internal import Security

/// Makes dictionaries and values out of an input.
internal struct QuerySource {
    /// What no explanation may repeat.
    static let marker = "MARKED"

    private var input: FuzzInput
    private var remembered: [AnyObject] = []

    init(_ input: FuzzInput) { self.input = input }

    var isAtEnd: Bool { input.isAtEnd }

    mutating func choice(_ count: UInt8) -> UInt8 { input.byte() % count }

    /// Keeps what a call gave, for a later one.
    mutating func remember(_ result: AnyObject) {
        if remembered.count < 8 { remembered.append(result) }
    }

    /// A dictionary of up to fifteen entries, of which the first tends to be a class.
    mutating func dictionary() -> CFDictionary {
        let dictionary = NSMutableDictionary()
        let head = input.byte()
        if head & 0x80 == 0 { dictionary.setObject(QueryWords.classes[Int(head >> 4) % 5], forKey: kSecClass) }
        for _ in 0..<head & 0x0F where !input.isAtEnd {
            let number = Int(input.byte())
            if number < QueryWords.keys.count {
                dictionary.setObject(value(depth: 0), forKey: QueryWords.keys[number])
            } else {
                dictionary.setObject(value(depth: 0), forKey: text() as NSString)
            }
        }
        return dictionary
    }

    mutating func data() -> CFData { Data(sizedBytes()) as NSData }

    private mutating func value(depth: Int) -> AnyObject {
        switch choice(depth < 3 ? 14 : 11) {
        case 0: return QueryWords.values[Int(input.byte()) % QueryWords.values.count]
        case 1: return text() as NSString
        case 2: return (Self.marker + text()) as NSString
        case 3: return data()
        case 4: return NSNumber(value: choice(2) == 1)
        case 5: return NSNumber(value: Int(Int8(bitPattern: input.byte())))
        case 6: return NSNumber(value: Int64(bitPattern: word()))
        case 7: return NSNumber(value: Double(bitPattern: word()))
        case 8: return NSDate(timeIntervalSinceReferenceDate: Double(bitPattern: word()))
        case 9: return object()
        case 10: return remembered.isEmpty ? NSNull() : remembered[Int(input.byte()) % remembered.count]
        case 11: return NSArray(array: (0..<choice(4)).map { _ in value(depth: depth + 1) })
        case 12: return NSSet(array: [value(depth: depth + 1)])
        default:
            let inner = NSMutableDictionary()
            for _ in 0..<choice(4) {
                inner.setObject(value(depth: depth + 1), forKey: input.pick(QueryWords.keys))
            }
            return inner
        }
    }

    private mutating func object() -> AnyObject { input.pick(QueryWords.objects) }

    private mutating func text() -> String { String(decoding: sizedBytes(), as: UTF8.self) }

    private mutating func sizedBytes() -> [UInt8] { input.bytes(Int(input.byte())) }

    private mutating func word() -> UInt64 { input.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
