// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Expectation {
    /// What is wrong with an object, or nil when it is as expected; names parts and kinds, never values.
    func complaint(about object: AnyObject?, _ objects: ScenarioObjects, _ part: String = "result") throws -> String? {
        if case .null = self { return object == nil ? nil : "\(part) is there" }
        guard let object else { return "\(part) is missing" }
        switch self {
        case .null: return nil
        case .equals(let value):
            let wanted = try objects.object(value)
            guard !Comparison.areSame(object, wanted) else { return nil }
            return Expectation.difference(part, object, wanted)
        case .differs(let value):
            return Comparison.areSame(object, try objects.object(value)) ? "\(part) is unchanged" : nil
        case .laterThan(let value):
            guard let date = object as? NSDate, let bound = try objects.object(value) as? NSDate else {
                return "\(part) is no date"
            }
            return date.timeIntervalSince(bound as Date) > 0 ? nil : "\(part) is not later"
        case .kind(let kind): return Comparison.kind(of: object) == kind ? nil : "\(part) is no \(kind)"
        case .bytes(let count, let prefix, let rest):
            guard let data = object as? NSData else { return "\(part) is no data" }
            let begins = (data as Data).starts(with: prefix.utf8)
            guard Int64(data.length) == count, begins else { return "\(part) has the wrong shape" }
            guard let rest else { return nil }
            guard let other = try objects.object(rest) as? NSData else { return "there is no data like \(part)" }
            let isSame = (data as Data).dropFirst(prefix.utf8.count) == (other as Data).dropFirst(prefix.utf8.count)
            return isSame ? nil : "\(part) has another rest"
        case .dictionary(let members, let absent, let keys):
            guard let dictionary = object as? NSDictionary else { return "\(part) is no dictionary" }
            return try Expectation.complaint(dictionary, keys, absent, part)
                ?? Expectation.complaint(dictionary, members, objects, part)
        case .array(let elements, let anyOrder):
            guard let array = object as? NSArray else { return "\(part) is no array" }
            return try Expectation.complaint(array, elements, anyOrder, objects, part)
        case .count(let count):
            guard let array = object as? NSArray else { return "\(part) is no array" }
            return Int64(array.count) == count ? nil : "\(part) has \(array.count) elements instead of \(count)"
        case .atMost(let count):
            guard let array = object as? NSArray else { return "\(part) is no array" }
            return Int64(array.count) <= count ? nil : "\(part) has \(array.count) elements, more than \(count)"
        }
    }

    private static func difference(_ part: String, _ object: AnyObject, _ wanted: AnyObject) -> String {
        let kind = Comparison.kind(of: object)
        let wantedKind = Comparison.kind(of: wanted)
        guard kind == wantedKind else {
            return "\(part) is \(kind?.rawValue ?? "\(type(of: object))") instead of \(wantedKind?.rawValue ?? "?")"
        }
        guard let dictionary = object as? NSDictionary, let other = wanted as? NSDictionary else {
            return "\(part) is another \(kind?.rawValue ?? "object") than expected"
        }
        let keys = Set((dictionary.allKeys + other.allKeys).compactMap { $0 as? String })
        let different = keys.filter { key in
            guard let mine = dictionary.object(forKey: key), let theirs = other.object(forKey: key) else { return true }
            return !Comparison.areSame(mine as AnyObject, theirs as AnyObject)
        }
        return "\(part) differs in \(different.sorted())"
    }

    private static func complaint(
        _ dictionary: NSDictionary, _ keys: [String]?, _ absent: [String], _ part: String
    ) throws -> String? {
        let present = Set(dictionary.allKeys.compactMap { $0 as? String })
        if let keys, present != Set(keys) {
            let extra = present.subtracting(keys).sorted()
            return "\(part) has \(extra) too much and lacks \(Set(keys).subtracting(present).sorted())"
        }
        let unwanted = present.intersection(absent)
        return unwanted.isEmpty ? nil : "\(part) holds \(unwanted.sorted())"
    }

    private static func complaint(
        _ dictionary: NSDictionary, _ members: [String: Expectation], _ objects: ScenarioObjects, _ part: String
    ) throws -> String? {
        for (key, expectation) in members.sorted(by: { $0.key < $1.key }) {
            let member = dictionary.object(forKey: NSString(string: key)).map { $0 as AnyObject }
            if let complaint = try expectation.complaint(about: member, objects, "\(part).\(key)") { return complaint }
        }
        return nil
    }

    private static func complaint(
        _ array: NSArray, _ elements: [Expectation], _ anyOrder: Bool, _ objects: ScenarioObjects, _ part: String
    ) throws -> String? {
        guard array.count == elements.count else {
            return "\(part) has \(array.count) elements instead of \(elements.count)"
        }
        var left = (0..<array.count).map { array.object(at: $0) as AnyObject }
        for (index, expectation) in elements.enumerated() {
            if anyOrder {
                let found = try left.firstIndex { try expectation.complaint(about: $0, objects, part) == nil }
                guard let found else { return "\(part) has nothing that fits element \(index)" }
                left.remove(at: found)
            } else if let complaint = try expectation.complaint(about: left[index], objects, "\(part)[\(index)]") {
                return complaint
            }
        }
        return nil
    }
}
