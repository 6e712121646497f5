// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// The functions of older Macs.
import Foundation
import Security

private func findThenChange() -> String? {
    var length: UInt32 = 0
    var data: UnsafeMutableRawPointer?
    var item: SecKeychainItem?
    let status = SecKeychainFindGenericPassword(nil, 7, "service", 3, "ada", &length, &data, &item)
    if status == errSecSuccess, let bytes = data {
        defer { SecKeychainItemFreeContent(nil, bytes) }
        SecKeychainItemModifyAttributesAndData(item!, nil, 6, "secret")
        SecKeychainItemDelete(item!)
        return String(bytes: UnsafeRawBufferPointer(start: bytes, count: Int(length)), encoding: .utf8)
    }
    SecKeychainAddGenericPassword(nil, 7, "service", 3, "ada", 6, "secret", nil)
    return nil
}

private func internetPassword(_ server: String, _ account: String) -> OSStatus {
    let password = "secret"
    return SecKeychainAddInternetPassword(
        nil, UInt32(server.utf8.count), server, 0, nil, UInt32(account.utf8.count), account, 1, "/", 443,
        SecProtocolType.HTTPS, SecAuthenticationType.httpBasic, UInt32(password.utf8.count), password, nil)
}

private func findInternetPassword(_ server: String) -> SecKeychainItem? {
    var item: SecKeychainItem?
    let status = SecKeychainFindInternetPassword(
        nil, UInt32(server.utf8.count), server, 0, nil, 0, nil, 0, nil, 0, .any, .any, nil, nil, &item)
    return status == errSecSuccess ? item : nil
}

private func account(of item: SecKeychainItem) -> String? {
    var attribute = SecKeychainAttribute(tag: SecItemAttr.accountItemAttr.rawValue, length: 0, data: nil)
    return withUnsafeMutablePointer(to: &attribute) { pointer in
        var list = SecKeychainAttributeList(count: 1, attr: pointer)
        guard SecKeychainItemCopyContent(item, nil, &list, nil, nil) == noErr else { return nil }
        defer { SecKeychainItemFreeContent(&list, nil) }
        return pointer.pointee.data.flatMap {
            String(bytes: UnsafeRawBufferPointer(start: $0, count: Int(pointer.pointee.length)), encoding: .utf8)
        }
    }
}

private func allAttributes(of item: SecKeychainItem) -> Int {
    var tags = [SecItemAttr.accountItemAttr.rawValue, SecItemAttr.modDateItemAttr.rawValue]
    return tags.withUnsafeMutableBufferPointer { buffer in
        var info = SecKeychainAttributeInfo(count: UInt32(buffer.count), tag: buffer.baseAddress!, format: nil)
        var itemClass = SecItemClass.genericPasswordItemClass
        var list: UnsafeMutablePointer<SecKeychainAttributeList>?
        var (length, data) = (UInt32(0), UnsafeMutableRawPointer?.none)
        let status = SecKeychainItemCopyAttributesAndData(item, &info, &itemClass, &list, &length, &data)
        guard status == errSecSuccess, let found = list else { return 0 }
        defer { SecKeychainItemFreeAttributesAndData(found, data) }
        return Int(found.pointee.count)
    }
}

private func keychains() {
    var keychain: SecKeychain?
    guard SecKeychainCopyDefault(&keychain) == errSecSuccess else { return }
    var status: SecKeychainStatus = 0
    SecKeychainGetStatus(keychain, &status)
    if status & kSecUnlockStateStatus == 0 { SecKeychainUnlock(keychain, 0, nil, false) }
    var version: UInt32 = 0
    SecKeychainGetVersion(&version)
    var list: CFArray?
    SecKeychainCopyDomainSearchList(.user, &list)
}

private func interaction() -> Bool {
    SecKeychainSetUserInteractionAllowed(false)
    var isAllowed: DarwinBoolean = true
    SecKeychainGetUserInteractionAllowed(&isAllowed)
    return isAllowed.boolValue
}

private func accessList() -> SecAccess? {
    var access: SecAccess?
    var program: SecTrustedApplication?
    SecTrustedApplicationCreateFromPath("/bin/ls", &program)
    SecAccessCreate("mail" as CFString, [program!] as CFArray, &access)
    var list: CFArray?
    SecAccessCopyACLList(access!, &list)
    for entry in list as! [SecACL] {
        var (programs, text, prompts) = (CFArray?.none, CFString?.none, SecKeychainPromptSelector())
        SecACLCopyContents(entry, &programs, &text, &prompts)
        SecACLSetContents(entry, nil, "all" as CFString, [.requirePassphase])
    }
    _ = SecAccessCopyMatchingACLList(access!, kSecACLAuthorizationDecrypt)
    return access
}

private func changes() {
    SecKeychainAddCallback(
        { event, info, context in
            if event == .addEvent { print(info.pointee.pid) }
            return errSecSuccess
        }, [.addEventMask, .deleteEventMask], nil)
}

private func search() -> Int {
    var search: SecKeychainSearch?
    guard SecKeychainSearchCreateFromAttributes(nil, .genericPasswordItemClass, nil, &search) == errSecSuccess else {
        return 0
    }
    var (item, count) = (SecKeychainItem?.none, 0)
    while SecKeychainSearchCopyNext(search!, &item) == errSecSuccess { count += 1 }
    return count
}

private func attributeForms() {
    var info: UnsafeMutablePointer<SecKeychainAttributeInfo>?
    if SecKeychainAttributeInfoForItemID(nil, SecItemClass.genericPasswordItemClass.rawValue, &info) == errSecSuccess {
        SecKeychainFreeAttributeInfo(info!)
    }
}

private func reference(_ item: SecKeychainItem) -> Data? {
    var data: CFData?
    SecKeychainItemCreatePersistentReference(item, &data)
    var again: SecKeychainItem?
    if let data { SecKeychainItemCopyFromPersistentReference(data, &again) }
    return data as Data?
}
