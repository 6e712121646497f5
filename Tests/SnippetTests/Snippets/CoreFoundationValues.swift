// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Core Foundation by its functions.
import Foundation
import Security

private func same(_ a: SecCertificate, _ b: SecCertificate) -> Bool { CFEqual(a, b) && CFHash(a) == CFHash(b) }
private func described(_ key: SecKey) -> String { CFCopyDescription(key) as String }
private func truth(_ value: Any) -> Bool { CFBooleanGetValue((value as! CFBoolean)) }
private func bytes(_ bytes: [UInt8]) -> CFData { CFDataCreate(nil, bytes, bytes.count) }
private func dictionary() -> CFMutableDictionary { CFDictionaryCreateMutable(nil, 0, nil, nil)! }

private func imported(_ file: Data) -> SecIdentity? {
    var raw: CFArray?
    let options = [kSecImportExportPassphrase as String: "secret"] as CFDictionary
    guard SecPKCS12Import(file as CFData, options, &raw) == errSecSuccess, let items = raw, CFArrayGetCount(items) > 0
    else { return nil }
    let item = unsafeBitCast(CFArrayGetValueAtIndex(items, 0), to: CFDictionary.self)
    let key = Unmanaged.passUnretained(kSecImportItemIdentity).toOpaque()
    guard let found = CFDictionaryGetValue(item, key) else { return nil }
    return unsafeBitCast(found, to: SecIdentity.self)
}

private func typed(_ value: CFTypeRef) -> String {
    switch CFGetTypeID(value) {
    case CFStringGetTypeID(): return value as! String
    case CFDataGetTypeID(): return "\(CFDataGetLength((value as! CFData)))"
    case CFNumberGetTypeID():
        var number: Int32 = 0
        CFNumberGetValue((value as! CFNumber), .sInt32Type, &number) ? () : ()
        return "\(number)"
    case CFBooleanGetTypeID(): return CFBooleanGetValue((value as! CFBoolean)) ? "yes" : "no"
    case CFArrayGetTypeID(): return "\(CFArrayGetCount((value as! CFArray)))"
    case CFDictionaryGetTypeID(): return "\(CFDictionaryGetCount((value as! CFDictionary)))"
    case CFDateGetTypeID(): return "\(CFDateGetAbsoluteTime((value as! CFDate)))"
    case SecKeyGetTypeID(): return "key"
    default: return CFCopyTypeIDDescription(CFGetTypeID(value)) as String
    }
}

private func text(_ text: String) -> [CChar]? {
    let string = text as CFString
    let size = CFStringGetMaximumSizeForEncoding(CFStringGetLength(string), CFStringBuiltInEncodings.UTF8.rawValue) + 1
    var buffer = [CChar](repeating: 0, count: size)
    guard CFStringGetCString(string, &buffer, size, CFStringBuiltInEncodings.UTF8.rawValue) else { return nil }
    return buffer
}

private func failure(_ error: Unmanaged<CFError>?) -> (Int, String)? {
    guard let error = error?.takeRetainedValue() else { return nil }
    return (CFErrorGetCode(error), CFErrorGetDomain(error) as String)
}

private func identifier() -> String { CFUUIDCreateString(nil, CFUUIDCreate(nil)) as String }
private func age(_ date: Date) -> CFTimeInterval { CFAbsoluteTimeGetCurrent() - CFDateGetAbsoluteTime(date as CFDate) }
private func port(_ text: String) -> Int32 { CFURLGetPortNumber(CFURLCreateWithString(nil, text as CFString, nil)) }

private func filled(_ key: CFString, _ value: CFTypeRef) -> CFDictionary {
    let made = CFDictionaryCreateMutable(kCFAllocatorDefault, 1, nil, nil)!
    CFDictionarySetValue(made, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
    return made
}
