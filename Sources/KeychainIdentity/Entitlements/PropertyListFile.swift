// SPDX-License-Identifier: Apache-2.0

// For property lists alone: XML and Apple's binary form are not worth a second reader.
internal import Foundation
internal import KeychainCoding

/// Reads Apple's property lists.
enum PropertyListFile {
    /// The dictionary in `bytes`; nil when there is none, or a value in it is of a kind our own lists do not have.
    static func dictionary(in bytes: [UInt8]) -> [String: PropertyList]? {
        guard let value = unsafe try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
            case .dictionary(let dictionary)? = plain(value, depthLeft: PropertyList.greatestDepth)
        else { return nil }
        return dictionary
    }

    private static func plain(_ value: Any, depthLeft: Int) -> PropertyList? {
        guard depthLeft > 0 else { return nil }
        // Asked with `as`, a number 1 is a boolean too.
        if type(of: value) == Bool.self { return (value as? Bool).map(PropertyList.boolean) }
        switch value {
        case let text as String: return .string(text)
        case let number as NSNumber: return Int64(exactly: number).map(PropertyList.number)
        case let data as Data: return .data([UInt8](data))
        case let list as [Any]:
            var values: [PropertyList] = []
            for element in list {
                guard let element = plain(element, depthLeft: depthLeft - 1) else { return nil }
                values.append(element)
            }
            return .array(values)
        case let dictionary as [String: Any]:
            var values: [String: PropertyList] = [:]
            for (key, element) in dictionary {
                guard let element = plain(element, depthLeft: depthLeft - 1) else { return nil }
                values[key] = element
            }
            return .dictionary(values)
        default: return nil
        }
    }
}
