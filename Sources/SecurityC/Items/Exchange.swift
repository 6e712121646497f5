// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// What C says of keys in files, as Swift says it.
private struct GivenParameters {
    private let passphrase: AnyObject?
    private let usage: NSArray?
    private let attributes: NSArray?
    private let access: SecAccess?
    private let given: csec_key_parameters

    /// nil for objects of other classes.
    init?(_ pointer: UnsafeRawPointer) {
        given = pointer.load(as: csec_key_parameters.self)
        passphrase = Incoming.object(given.passphrase)
        usage = Incoming.array(given.usage)
        attributes = Incoming.array(given.attributes)
        access = Incoming.reference(given.access)
        let isWhole =
            (passphrase == nil) == (given.passphrase == nil) && (usage == nil) == (given.usage == nil)
            && (attributes == nil) == (given.attributes == nil) && (access == nil) == (given.access == nil)
        guard isWhole else { return nil }
    }

    /// Lends them, with all that they refer to.
    func lend<Result>(_ body: (UnsafePointer<SecItemImportExportKeyParameters>) -> Result) -> Result {
        var parameters = SecItemImportExportKeyParameters(
            version: given.version, flags: SecKeyImportExportFlags(rawValue: given.flags),
            passphrase: passphrase.map { Unmanaged.passUnretained($0) }, alertTitle: nil, alertPrompt: nil,
            accessRef: access.map { Unmanaged.passUnretained($0) },
            keyUsage: usage.map { Unmanaged.passUnretained($0) },
            keyAttributes: attributes.map { Unmanaged.passUnretained($0) })
        return withExtendedLifetime(self) { body(&parameters) }
    }

    /// With none where C gives NULL; errSecParam for what is none.
    static func lending(
        _ pointer: UnsafeRawPointer?, _ body: (UnsafePointer<SecItemImportExportKeyParameters>?) -> OSStatus
    ) -> OSStatus {
        guard let pointer else { return body(nil) }
        return GivenParameters(pointer)?.lend { body($0) } ?? errSecParam
    }
}

/// What C says of keys in files in the bits of CDSA, as Swift says it.
private struct OlderParameters {
    private let passphrase: AnyObject?
    private let access: SecAccess?
    private let given: csec_older_key_parameters

    /// nil for objects of other classes.
    init?(_ pointer: UnsafeRawPointer) {
        given = pointer.load(as: csec_older_key_parameters.self)
        passphrase = Incoming.object(given.passphrase)
        access = Incoming.reference(given.access)
        guard (passphrase == nil) == (given.passphrase == nil), (access == nil) == (given.access == nil) else {
            return nil
        }
    }

    /// Lends them, with all that they refer to; none where C gives NULL, errSecParam for what is none.
    static func lending(
        _ pointer: UnsafeRawPointer?, _ body: (UnsafePointer<SecKeyImportExportParameters>?) -> OSStatus
    ) -> OSStatus {
        guard let pointer else { return body(nil) }
        guard let parts = OlderParameters(pointer) else { return errSecParam }
        var parameters = SecKeyImportExportParameters(
            version: parts.given.version, flags: SecKeyImportExportFlags(rawValue: parts.given.flags),
            passphrase: parts.passphrase.map { Unmanaged.passUnretained($0) }, alertTitle: nil, alertPrompt: nil,
            accessRef: parts.access.map { Unmanaged.passUnretained($0) }, keyUsage: parts.given.usage,
            keyAttributes: parts.given.attributes)
        return withExtendedLifetime(parts) { body(&parameters) }
    }
}

/// An import, with parameters of either kind.
private enum CImport {
    typealias Importing = (
        CFData, CFString?, UnsafeMutablePointer<SecExternalFormat>, UnsafeMutablePointer<SecExternalItemType>,
        SecKeychain?, UnsafeMutablePointer<CFArray?>?
    ) -> OSStatus

    static func answer(
        _ data: CObject?, _ name: CObject?, _ format: UnsafeMutablePointer<UInt32>?,
        _ type: UnsafeMutablePointer<UInt32>?, _ keychain: CObject?, _ result: CResult?, _ call: Importing
    ) -> Int32 {
        let file = Incoming.string(of: name)
        let place = Incoming.reference(keychain, SecKeychain.self)
        guard let data = Incoming.data(data), name == nil || file != nil, keychain == nil || place != nil,
            var formatOfFile = SecExternalFormat(rawValue: format?.pointee ?? 0),
            var typeOfItem = SecExternalItemType(rawValue: type?.pointee ?? 0)
        else { return errSecParam }
        var items: CFArray?
        let status =
            result == nil
            ? call(data, file, &formatOfFile, &typeOfItem, place, nil)
            : call(data, file, &formatOfFile, &typeOfItem, place, &items)
        format?.pointee = formatOfFile.rawValue
        type?.pointee = typeOfItem.rawValue
        Outgoing.put(items, into: result)
        return status
    }
}

/// An export, with parameters of either kind.
private enum CExport {
    static func answer(
        _ items: CObject?, _ format: UInt32, _ result: CResult?,
        _ call: (AnyObject, SecExternalFormat, UnsafeMutablePointer<CFData?>) -> OSStatus
    ) -> Int32 {
        guard let items = Incoming.object(items), let format = SecExternalFormat(rawValue: format), let result else {
            return errSecParam
        }
        var data: CFData?
        let status = call(items, format, &data)
        Outgoing.put(data, into: result)
        return status
    }
}

/// The function of that name for C.
@_cdecl("SecItemExport")
public func cItemExport(
    _ items: CObject?, _ format: UInt32, _ flags: UInt32, _ parameters: UnsafeRawPointer?, _ result: CResult?
) -> Int32 {
    let flags = SecItemImportExportFlags(rawValue: flags)
    return CExport.answer(items, format, result) { items, format, data in
        GivenParameters.lending(parameters) { SecItemExport(items, format, flags, $0, data) }
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemExport")
public func cKeychainItemExport(
    _ items: CObject?, _ format: UInt32, _ flags: UInt32, _ parameters: UnsafeRawPointer?, _ result: CResult?
) -> Int32 {
    let flags = SecItemImportExportFlags(rawValue: flags)
    return CExport.answer(items, format, result) { items, format, data in
        OlderParameters.lending(parameters) { SecKeychainItemExport(items, format, flags, $0, data) }
    }
}

/// The function of that name for C.
@_cdecl("SecItemImport")
public func cItemImport(
    _ data: CObject?, _ name: CObject?, _ format: UnsafeMutablePointer<UInt32>?, _ type: UnsafeMutablePointer<UInt32>?,
    _ flags: UInt32, _ parameters: UnsafeRawPointer?, _ keychain: CObject?, _ result: CResult?
) -> Int32 {
    let flags = SecItemImportExportFlags(rawValue: flags)
    return CImport.answer(data, name, format, type, keychain, result) { data, file, format, type, place, items in
        GivenParameters.lending(parameters) { SecItemImport(data, file, format, type, flags, $0, place, items) }
    }
}

/// The function of that name for C.
@_cdecl("SecKeychainItemImport")
public func cKeychainItemImport(
    _ data: CObject?, _ name: CObject?, _ format: UnsafeMutablePointer<UInt32>?, _ type: UnsafeMutablePointer<UInt32>?,
    _ flags: UInt32, _ parameters: UnsafeRawPointer?, _ keychain: CObject?, _ result: CResult?
) -> Int32 {
    let flags = SecItemImportExportFlags(rawValue: flags)
    return CImport.answer(data, name, format, type, keychain, result) { data, file, format, type, place, items in
        OlderParameters.lending(parameters) { SecKeychainItemImport(data, file, format, type, flags, $0, place, items) }
    }
}

/// The function of that name for C.
@_cdecl("SecPKCS12Import")
public func cPKCS12Import(_ data: CObject?, _ options: CObject?, _ result: CResult?) -> Int32 {
    guard let data = Incoming.data(data), let options = Incoming.dictionary(options), let result else {
        return errSecParam
    }
    return CAnswer.status(result, CFArray.self) {
        SecPKCS12Import(data, options, &$0)
    }
}

/// The function of that name for C.
@_cdecl("SecGenerateCertificateRequest")
public func cGenerateCertificateRequest(
    _ subject: CObject?, _ parameters: CObject?, _ publicKey: CObject?, _ privateKey: CObject?
) -> CObject? {
    let options = Incoming.dictionary(parameters)
    let other = Incoming.reference(publicKey, SecKey.self)
    guard let subject = Incoming.array(subject), parameters == nil || options != nil, publicKey == nil || other != nil,
        let privateKey = Incoming.reference(privateKey, SecKey.self)
    else { return nil }
    return Outgoing.object(SecGenerateCertificateRequest(subject, options, other, privateKey))
}
