// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Glibc
internal import KeychainModel

/// Tells which attributes items of a kind have; ``SecKeychainFreeAttributeInfo(_:)`` gives back what is set.
///
/// - Parameters:
///   - keychain: Any keychain, or nil: all have the same.
///   - itemID: The kind, by the number of a ``SecItemClass`` or of a relation of CDSA (0x80000000 for generic passwords,
///     0x80000001 for Internet passwords).
///   - info: Set to tags and forms.
@discardableResult
public func SecKeychainAttributeInfoForItemID(
    _ keychain: SecKeychain?, _ itemID: UInt32,
    _ info: UnsafeMutablePointer<UnsafeMutablePointer<SecKeychainAttributeInfo>?>
) -> OSStatus {
    Call.status("SecKeychainAttributeInfoForItemID") { () throws(KeychainError) in
        let itemClass: ItemClass
        switch itemID {
        case 0x8000_0000: itemClass = .genericPassword
        case 0x8000_0001: itemClass = .internetPassword
        default:
            guard let named = SecItemClass(rawValue: itemID) else {
                throw KeychainError(.noSuchClass, "there is no such kind of item")
            }
            itemClass = try ItemClass(named)
        }
        unsafe info.pointee = try ClassicInfo.make(for: itemClass)
    }
}

/// Gives back what ``SecKeychainAttributeInfoForItemID(_:_:_:)`` set.
@discardableResult
public func SecKeychainFreeAttributeInfo(_ info: UnsafeMutablePointer<SecKeychainAttributeInfo>) -> OSStatus {
    unsafe free(info.pointee.tag)
    unsafe free(info.pointee.format)
    unsafe free(info)
    return errSecSuccess
}

private enum ClassicInfo {
    static func make(for itemClass: ItemClass) throws(KeychainError) -> UnsafeMutablePointer<SecKeychainAttributeInfo> {
        let tags = ClassicAttribute.tags(of: itemClass)
        var forms: [UInt32] = []
        for tag in tags { forms.append(try ClassicAttribute(tag, of: itemClass).form.rawValue) }
        let room = unsafe try ClassicMemory.copy(
            [UInt8](repeating: 0, count: MemoryLayout<SecKeychainAttributeInfo>.stride))
        let info = unsafe room.bindMemory(to: SecKeychainAttributeInfo.self, capacity: 1)
        unsafe info.initialize(
            to: SecKeychainAttributeInfo(count: UInt32(tags.count), tag: try list(tags), format: try list(forms)))
        return unsafe info
    }

    private static func list(_ numbers: [UInt32]) throws(KeychainError) -> UnsafeMutablePointer<UInt32> {
        let bytes = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        return unsafe try ClassicMemory.copy(bytes).bindMemory(to: UInt32.self, capacity: numbers.count)
    }
}
