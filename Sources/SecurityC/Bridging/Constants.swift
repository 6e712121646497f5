// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation

/// The constant strings: the same name is one object in C and another in Swift, and here they meet.
enum Constants {
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

    /// The string of Swift's for one of our constants, always the same; nil for another object.
    static func known(_ object: CObject) -> NSString? {
        let number = csec_constant(object)
        guard number >= 0 else { return nil }
        if let string = csec_constant_partner(number) {
            return Unmanaged<NSString>.fromOpaque(string).takeUnretainedValue()
        }
        return firstUse(of: object, number)
    }

    private static func firstUse(of object: CObject, _ number: Int) -> NSString? {
        var count = 0
        guard let text = csec_ascii(object, &count) else { return nil }
        let string = NSString(
            string: String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self))
        // Kept for ever. Another thread may have been first.
        let made = Unmanaged.passRetained(string)
        guard let first = csec_set_constant_partner(number, made.toOpaque()) else { return string }
        if first != UnsafeRawPointer(made.toOpaque()) { made.release() }
        return Unmanaged<NSString>.fromOpaque(first).takeUnretainedValue()
    }

    /// Our constant of that text, which is lent for ever.
    static func constant(_ text: UnsafeBufferPointer<CChar>) -> CObject? {
        let number = csec_constant_of(text.baseAddress, text.count)
        return number < 0 ? nil : csec_constant_object(number)
    }
}
