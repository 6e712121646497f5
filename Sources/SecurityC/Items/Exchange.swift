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

/// The function of that name for C.
@_cdecl("SecItemExport")
public func cItemExport(
    _ items: CObject?, _ format: UInt32, _ flags: UInt32, _ parameters: UnsafeRawPointer?, _ result: CResult?
) -> Int32 {
    guard let items = Incoming.object(items), let format = SecExternalFormat(rawValue: format), let result else {
        return errSecParam
    }
    var data: CFData?
    let status = GivenParameters.lending(parameters) {
        SecItemExport(items, format, SecItemImportExportFlags(rawValue: flags), $0, &data)
    }
    Outgoing.put(data, into: result)
    return status
}

/// The function of that name for C.
@_cdecl("SecItemImport")
public func cItemImport(
    _ data: CObject?, _ name: CObject?, _ format: UnsafeMutablePointer<UInt32>?, _ type: UnsafeMutablePointer<UInt32>?,
    _ flags: UInt32, _ parameters: UnsafeRawPointer?, _ keychain: CObject?, _ result: CResult?
) -> Int32 {
    let file = Incoming.string(of: name)
    let place = Incoming.reference(keychain, SecKeychain.self)
    guard let data = Incoming.data(data), name == nil || file != nil, keychain == nil || place != nil,
        var formatOfFile = SecExternalFormat(rawValue: format?.pointee ?? 0),
        var typeOfItem = SecExternalItemType(rawValue: type?.pointee ?? 0)
    else { return errSecParam }
    var items: CFArray?
    let status = GivenParameters.lending(parameters) { parameters in
        let flags = SecItemImportExportFlags(rawValue: flags)
        guard result != nil else {
            return SecItemImport(data, file, &formatOfFile, &typeOfItem, flags, parameters, place, nil)
        }
        return SecItemImport(data, file, &formatOfFile, &typeOfItem, flags, parameters, place, &items)
    }
    format?.pointee = formatOfFile.rawValue
    type?.pointee = typeOfItem.rawValue
    Outgoing.put(items, into: result)
    return status
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
