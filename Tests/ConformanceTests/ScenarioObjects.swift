// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Turns the values of a scenario into the objects a program would pass, and keeps what its steps saved.
struct ScenarioObjects {
    private var saved: [String: AnyObject] = [:]

    mutating func save(_ object: AnyObject, as name: String) { saved[name] = object }

    func object(_ value: VectorValue) throws -> AnyObject {
        switch value {
        case .string(let text): return NSString(string: text)
        case .boolean(let value): return NSNumber(value: value)
        case .number(let number): return NSNumber(value: number)
        case .double(let number): return NSNumber(value: number)
        case .unsigned(let number): return NSNumber(value: number)
        case .data(let bytes): return NSData(data: Data(bytes))
        case .repeated(let byte, let count): return NSData(data: Data(repeating: byte, count: count))
        case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .null: return NSNull()
        case .unrelatedObject: return NSObject()
        case .uuid(let text):
            guard let uuid = NSUUID(uuidString: text) else { throw VectorError("\(text) is no UUID") }
            return uuid
        case .array(let elements): return NSArray(array: try elements.map { try object($0) })
        case .dictionary(let members): return try dictionary(members)
        case .accessControl(let description): return try object(description)
        case .fixture(let fixture, let member): return try object(fixture, member: member)
        case .policy(let policy): return try self.policy(policy)
        case .saved(let name, let member): return try recall(name, member)
        }
    }

    /// A fresh dictionary, so that no call can see what an earlier one did to it.
    func dictionary(_ description: VectorDictionary) throws -> NSDictionary {
        var whole = NSMutableDictionary()
        if let base = description.base {
            guard let copy = (try recall(base, nil) as? NSDictionary)?.mutableCopy() as? NSMutableDictionary else {
                throw VectorError("\(base) is no dictionary")
            }
            whole = copy
            for key in description.without { whole.removeObject(forKey: NSString(string: key)) }
        }
        for entry in description.entries {
            guard let key = try object(entry.key) as? NSObject else { throw VectorError("an object cannot be a key") }
            whole.setObject(try object(entry.value), forKey: key)
        }
        return whole.copy() as? NSDictionary ?? whole
    }

    private func recall(_ name: String, _ member: String?) throws -> AnyObject {
        guard let object = saved[name] else { throw VectorError("no step saved \(name)") }
        guard let member else { return object }
        guard let value = (object as? NSDictionary)?.object(forKey: NSString(string: member)) else {
            throw VectorError("\(name) has no \(member)")
        }
        return value as AnyObject
    }
}
