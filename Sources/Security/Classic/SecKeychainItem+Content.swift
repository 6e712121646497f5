// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Glibc
internal import KeychainModel
internal import KeychainRequest
internal import LlaveroFoundation

/// Gives attributes and secret of an item; ``SecKeychainItemFreeContent(_:_:)`` gives back what is set.
///
/// - Parameters:
///   - itemRef: The item.
///   - itemClass: Set to its class.
///   - attrList: The tags of the attributes that are wanted; their lengths and data are set.
///   - length: Set to how many bytes the secret has.
///   - outData: Set to the secret.
@discardableResult
public func SecKeychainItemCopyContent(
    _ itemRef: SecKeychainItem, _ itemClass: UnsafeMutablePointer<SecItemClass>?,
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ length: UnsafeMutablePointer<UInt32>?,
    _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    Call.status("SecKeychainItemCopyContent") { () throws(KeychainError) in
        let found = try itemRef.find(withSecret: unsafe outData != nil || length != nil)
        if let attrList = unsafe attrList { try unsafe ClassicList.fill(attrList.pointee, from: found.item) }
        do throws(KeychainError) { try unsafe found.handOut(length, outData, nil) } catch {
            if let attrList = unsafe attrList { unsafe ClassicList.empty(attrList.pointee) }
            throw error
        }
        if let itemClass = unsafe itemClass { unsafe itemClass.pointee = SecItemClass(found.item) }
    }
}

/// Wipes and gives back what ``SecKeychainItemCopyContent(_:_:_:_:_:)`` set, or a found password.
///
/// - Parameters:
///   - attrList: The list that was filled; nil for none. The list itself stays the caller's.
///   - data: The secret; nil for none.
@discardableResult
public func SecKeychainItemFreeContent(
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    if let attrList = unsafe attrList { unsafe ClassicList.empty(attrList.pointee) }
    unsafe ClassicMemory.free(data)
    return errSecSuccess
}

/// Gives the attributes that are asked for, in a list of their own, and the secret.
///
/// - Parameters:
///   - itemRef: The item.
///   - info: The tags of the attributes that are wanted; nil when none are.
///   - itemClass: Set to the item's class.
///   - attrList: Set to the attributes.
///   - length: Set to how many bytes the secret has.
///   - outData: Set to the secret; ``SecKeychainItemFreeAttributesAndData(_:_:)`` gives both back.
@discardableResult
public func SecKeychainItemCopyAttributesAndData(
    _ itemRef: SecKeychainItem, _ info: UnsafeMutablePointer<SecKeychainAttributeInfo>?,
    _ itemClass: UnsafeMutablePointer<SecItemClass>?,
    _ attrList: UnsafeMutablePointer<UnsafeMutablePointer<SecKeychainAttributeList>?>?,
    _ length: UnsafeMutablePointer<UInt32>?, _ outData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    Call.status("SecKeychainItemCopyAttributesAndData") { () throws(KeychainError) in
        guard unsafe (info == nil) == (attrList == nil) else {
            throw KeychainError(.parameter, "tags and a place for the attributes belong together")
        }
        let found = try itemRef.find(withSecret: unsafe outData != nil || length != nil)
        var made: UnsafeMutablePointer<SecKeychainAttributeList>?
        if let info = unsafe info { unsafe made = try ClassicList.make(info.pointee, from: found.item) }
        do throws(KeychainError) { try unsafe found.handOut(length, outData, nil) } catch {
            unsafe ClassicList.free(made)
            throw error
        }
        if let attrList = unsafe attrList { unsafe attrList.pointee = made }
        if let itemClass = unsafe itemClass { unsafe itemClass.pointee = SecItemClass(found.item) }
    }
}

/// Wipes and gives back what ``SecKeychainItemCopyAttributesAndData(_:_:_:_:_:_:)`` made.
@discardableResult
public func SecKeychainItemFreeAttributesAndData(
    _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe ClassicList.free(attrList)
    unsafe ClassicMemory.free(data)
    return errSecSuccess
}

/// Changes attributes, the secret or both; what is nil stays.
@discardableResult
public func SecKeychainItemModifyContent(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    Call.status("SecKeychainItemModifyContent") { () throws(KeychainError) in
        try unsafe itemRef.modify(attrList, length, data)
    }
}

/// Changes attributes, the secret or both; what is nil stays.
@discardableResult
public func SecKeychainItemModifyAttributesAndData(
    _ itemRef: SecKeychainItem, _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    Call.status("SecKeychainItemModifyAttributesAndData") { () throws(KeychainError) in
        try unsafe itemRef.modify(attrList, length, data)
    }
}

extension SecKeychainItem {
    fileprivate func modify(
        _ attributes: UnsafePointer<SecKeychainAttributeList>?, _ length: UInt32, _ data: UnsafeRawPointer?
    ) throws(KeychainError) {
        var changes: [CFString: Any] = [:]
        if let attributes = unsafe attributes, case .item(let itemClass, _) = reference {
            try unsafe ClassicList.read(attributes.pointee, of: itemClass, into: &changes)
        }
        if unsafe data != nil { changes[kSecValueData] = try unsafe ClassicMemory.secret(data, length) }
        guard !changes.isEmpty else { return }
        try UpdateCall([kSecValueRef: self] as NSDictionary, changes as NSDictionary, in: host).answer()
    }
}

/// Lists of attributes, as the classic functions take and give them.
enum ClassicList {
    /// The value of each attribute, for a dictionary.
    static func read(
        _ list: SecKeychainAttributeList, of itemClass: ItemClass, into entries: inout [CFString: Any]
    ) throws(KeychainError) {
        guard list.count > 0 else { return }
        guard let first = unsafe list.attr else { throw KeychainError(.parameter, "the list has no attributes") }
        for index in 0..<Int(list.count) {
            let given = unsafe first[index]
            let attribute = try ClassicAttribute(given.tag, of: itemClass)
            let bytes = try unsafe ClassicMemory.input(given.data, given.length)
            entries[attribute.attribute.key as NSString] = try attribute.object(unsafe Array(bytes))
        }
    }

    /// Sets length and data of each attribute, or of none.
    static func fill(_ list: SecKeychainAttributeList, from item: FoundItem) throws(KeychainError) {
        guard list.count > 0 else { return }
        guard let first = unsafe list.attr else { throw KeychainError(.parameter, "the list has no attributes") }
        for index in 0..<Int(list.count) {
            unsafe (first[index].length, first[index].data) = (0, nil)
        }
        do throws(KeychainError) {
            for index in 0..<Int(list.count) {
                let attribute = try ClassicAttribute(unsafe first[index].tag, of: item.itemClass)
                guard let bytes = attribute.bytes(of: item.attributes?[attribute.attribute]) else { continue }
                unsafe first[index].data = try ClassicMemory.copy(bytes)
                unsafe first[index].length = UInt32(clamping: bytes.count)
            }
        } catch {
            empty(list)
            throw error
        }
    }

    /// A list of its own, of as many attributes as there are tags.
    static func make(
        _ info: SecKeychainAttributeInfo, from item: FoundItem
    ) throws(KeychainError) -> UnsafeMutablePointer<SecKeychainAttributeList> {
        let count = Int(info.count)
        // calloc, which sees to it that the sizes do not overflow; nothing here needs more than bytes of zero.
        guard let room = unsafe calloc(1, MemoryLayout<SecKeychainAttributeList>.stride),
            let attributes = unsafe calloc(max(count, 1), MemoryLayout<SecKeychainAttribute>.stride)
        else { throw KeychainError(.outOfMemory, "there is no memory for the attributes") }
        let list = unsafe room.bindMemory(to: SecKeychainAttributeList.self, capacity: 1)
        let first = unsafe attributes.bindMemory(to: SecKeychainAttribute.self, capacity: max(count, 1))
        for index in 0..<count { unsafe first[index].tag = info.tag[index] }
        unsafe list.pointee = unsafe SecKeychainAttributeList(count: info.count, attr: first)
        do throws(KeychainError) { try unsafe fill(list.pointee, from: item) } catch {
            unsafe free(list)
            throw error
        }
        return unsafe list
    }

    /// Gives the values back, and leaves the list.
    static func empty(_ list: SecKeychainAttributeList) {
        guard let first = unsafe list.attr else { return }
        for index in 0..<Int(list.count) {
            unsafe ClassicMemory.free(first[index].data)
            unsafe (first[index].length, first[index].data) = (0, nil)
        }
    }

    /// Gives back the values and the list.
    static func free(_ list: UnsafeMutablePointer<SecKeychainAttributeList>?) {
        guard let list = unsafe list else { return }
        unsafe empty(list.pointee)
        unsafe Glibc.free(list.pointee.attr)
        unsafe Glibc.free(list)
    }
}
