// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A value in a dictionary of the model's, and the object a program would put there.
enum Term: Sendable, Hashable {
    case text(String)
    case data([UInt8])
    case number(Int64)
    /// Milliseconds since 2001-01-01 UTC.
    case date(Int64)
    case flag(Bool)
    /// An access control without flags, of this protection class.
    case control(String)
    /// Persistent references.
    case list([[UInt8]])
    /// An object the model has no word for.
    case other

    /// Text is equal when its bytes are.
    static func == (left: Term, right: Term) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.number(let left), .number(let right)), (.date(let left), .date(let right)): left == right
        case (.flag(let left), .flag(let right)): left == right
        case (.control(let left), .control(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    var object: AnyObject {
        switch self {
        case .text(let text): text as NSString
        case .data(let bytes): Data(bytes) as NSData
        case .number(let number): NSNumber(value: number)
        case .date(let milliseconds): NSDate(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
        case .flag(let flag): NSNumber(value: flag)
        case .control(let name):
            SecAccessControlCreateWithFlags(nil, name as NSString, [], nil) ?? NSNull()
        case .list(let references): references.map { Data($0) as NSData } as NSArray
        case .other: NSNull()
        }
    }

    init(_ object: Any) {
        switch object {
        case let text as String: self = .text(text)
        case let data as Data: self = .data([UInt8](data))
        case let number as NSNumber: self = .number(number.int64Value)
        case let date as Date:
            let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
            self = milliseconds / 1000 == date.timeIntervalSinceReferenceDate ? .date(Int64(milliseconds)) : .other
        default: self = .other
        }
    }

    /// For a report: data as its last bytes.
    var outline: String {
        switch self {
        case .data(let bytes): "data(\(bytes.suffix(4).map { String($0, radix: 16) }.joined()) of \(bytes.count))"
        case .list(let references): "\(references.map { Term.data($0).outline })"
        default: "\(self)"
        }
    }

    /// The bytes by which hashed attributes are compared (semantics §2.2).
    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .number(let number): (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        case .date, .flag, .control, .list, .other: []
        }
    }
}

/// A dictionary as a program would pass it.
typealias Terms = [String: Term]

extension Terms {
    var dictionary: CFDictionary {
        let dictionary = NSMutableDictionary()
        for (key, term) in self { dictionary.setObject(term.object, forKey: key as NSString) }
        return dictionary
    }

    /// For a report: in the order of its keys.
    var outline: String {
        "[" + sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.outline)" }.joined(separator: ", ") + "]"
    }
}
