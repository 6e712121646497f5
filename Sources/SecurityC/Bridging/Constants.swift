// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation

/// The constant strings: the same name is one object in C and another in Swift, and here they meet.
enum Constants {
    // Filled once and never changed after that.
    nonisolated(unsafe) private static let swiftObjects: [CObject: NSString] = {
        // Two names of one text are one object.
        var strings: [String: NSString] = [:]
        var objects: [CObject: NSString] = [:]
        for (object, text) in all {
            let string = strings[text] ?? NSString(string: text)
            strings[text] = string
            objects[object] = string
        }
        return objects
    }()
    nonisolated(unsafe) private static let cObjects: [String: CObject] =
        Dictionary(all.map { ($0.text, $0.object) }) { first, _ in first }

    private static var all: [(object: CObject, text: String)] {
        (0..<csec_constant_count()).compactMap { index in
            let constant = csec_constant_at(index)
            guard let object = constant.object else { return nil }
            let text = UnsafeRawBufferPointer(start: constant.text, count: constant.count)
            return (object, String(decoding: text, as: UTF8.self))
        }
    }

    private static let returnKeys: Set = ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"]

    /// Whether it says what is returned.
    static func isReturnKey(_ key: NSObject) -> Bool {
        (key as? NSString).map { returnKeys.contains($0 as String) } ?? false
    }

    /// Whether it is the key of what an item holds; asked of every text, so its length is looked at first.
    static func isData(_ key: NSObject) -> Bool {
        guard let name = key as? NSString, name.length == 6 else { return false }
        return name.isEqual(to: "v_Data")
    }

    /// The string of Swift's for one of our constants.
    static func known(_ object: CObject) -> NSString? { swiftObjects[object] }

    /// Our constant of that text, which is lent for ever.
    static func constant(_ text: String) -> CObject? { cObjects[text] }
}
