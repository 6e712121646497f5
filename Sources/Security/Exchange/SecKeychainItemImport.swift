// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainExchange
public import LlaveroFoundation

/// Reads keys and certificates out of a file: ``SecItemImport(_:_:_:_:_:_:_:_:)`` with parameters in the bits of CDSA.
@discardableResult
public func SecKeychainItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecKeyImportExportParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    ExchangeCall.status("SecKeychainItemImport") { () throws(ExchangeFailure) in
        let parameters =
            try unsafe keyParams.map { (given) throws(ExchangeFailure) in
                try unsafe KeyParameters(given.pointee)
            } ?? KeyParameters()
        let items = try unsafe ImportCall.items(
            importedData, fileNameOrExtension, inputFormat, itemType, flags, parameters, importKeychain)
        if let outItems = unsafe outItems { unsafe outItems.pointee = items }
    }
}

/// Writes keys, certificates and identities into a file: ``SecItemExport(_:_:_:_:_:)`` with parameters in the bits of
/// CDSA, of which an export takes none.
@discardableResult
public func SecKeychainItemExport(
    _ keychainItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecKeyImportExportParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    ExchangeCall.status("SecKeychainItemExport") { () throws(ExchangeFailure) in
        let parameters =
            try unsafe keyParams.map { (given) throws(ExchangeFailure) in
                try unsafe KeyParameters(given.pointee)
            } ?? KeyParameters()
        unsafe exportedData.pointee = try ItemToExport.file(of: keychainItemOrArray, outputFormat, flags, parameters)
    }
}

// Unmanaged and safe: see SecItemImportExportKeyParameters.
/// What concerns the keys of an import or export, in the bits of CDSA.
@safe
public struct SecKeyImportExportParameters {
    /// ``SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION``.
    public var version: UInt32
    /// What is asked of the import of keys.
    public var flags: SecKeyImportExportFlags
    /// What the keys are encrypted under: a string, of which the UTF-8 counts, or data.
    public var passphrase: Unmanaged<CFTypeRef>?
    /// The title of the panel that asks for a passphrase; there is none.
    public var alertTitle: Unmanaged<CFString>?
    /// The text of the panel that asks for a passphrase; there is none.
    public var alertPrompt: Unmanaged<CFString>?
    /// The access list of imported keys; it has no meaning on Linux and is refused.
    public var accessRef: Unmanaged<SecAccess>?
    /// What imported keys may do: bits such as ``CSSM_KEYUSE_SIGN``; 0 for all that they can.
    public var keyUsage: CSSM_KEYUSE
    /// What imported keys are: ``CSSM_KEYATTR_PERMANENT``, ``CSSM_KEYATTR_SENSITIVE`` and ``CSSM_KEYATTR_EXTRACTABLE``.
    ///
    /// 0 is for extractable ones, permanent when a keychain is given. In what form keys are returned is not asked.
    public var keyAttributes: CSSM_KEYATTR_FLAGS

    /// Parameters of the present version that ask for nothing.
    public init() {
        unsafe self.init(
            version: UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION), flags: [], passphrase: nil, alertTitle: nil,
            alertPrompt: nil, accessRef: nil, keyUsage: 0, keyAttributes: 0)
    }

    /// Parameters with these parts.
    public init(
        version: UInt32, flags: SecKeyImportExportFlags, passphrase: Unmanaged<CFTypeRef>?,
        alertTitle: Unmanaged<CFString>?, alertPrompt: Unmanaged<CFString>?, accessRef: Unmanaged<SecAccess>?,
        keyUsage: CSSM_KEYUSE, keyAttributes: CSSM_KEYATTR_FLAGS
    ) {
        self.version = version
        self.flags = flags
        unsafe self.passphrase = passphrase
        unsafe self.alertTitle = alertTitle
        unsafe self.alertPrompt = alertPrompt
        unsafe self.accessRef = accessRef
        self.keyUsage = keyUsage
        self.keyAttributes = keyAttributes
    }
}

/// What the bits of CDSA are called in arrays.
enum KeyBits {
    /// The names of uses; none for all.
    static func usage(_ bits: CSSM_KEYUSE) throws(ExchangeFailure) -> Set<String> {
        guard bits & CSSM_KEYUSE_ANY == 0 else { return [] }
        // Recovery of a message from its signature is nothing that a key does here; denied or not is the same.
        let recovering = CSSM_KEYUSE_SIGN_RECOVER | CSSM_KEYUSE_VERIFY_RECOVER
        let names = usages.filter { bits & $0.bit != 0 }
        let known = usages.reduce(recovering) { $0 | $1.bit }
        guard bits & ~known == 0, !names.isEmpty else { throw .parameter("unknown key usage", subject: "keyUsage") }
        return Set(names.map { $0.name as String })
    }

    /// The names of attributes.
    static func attributes(_ bits: CSSM_KEYATTR_FLAGS) throws(ExchangeFailure) -> Set<String> {
        let returned = CSSM_KEYATTR_RETURN_DATA | CSSM_KEYATTR_RETURN_REF | CSSM_KEYATTR_RETURN_NONE
        let known: [(bit: CSSM_KEYATTR_FLAGS, name: CFString)] = [
            (CSSM_KEYATTR_PERMANENT, kSecAttrIsPermanent), (CSSM_KEYATTR_SENSITIVE, kSecAttrIsSensitive),
            (CSSM_KEYATTR_EXTRACTABLE, kSecAttrIsExtractable),
        ]
        guard bits & ~known.reduce(returned, { $0 | $1.bit }) == 0 else {
            throw .parameter("unknown attribute of imported keys", subject: "keyAttributes")
        }
        return Set(known.filter { bits & $0.bit != 0 }.map { $0.name as String })
    }

    /// Each use that has a name, with its bit.
    static var usages: [(bit: CSSM_KEYUSE, name: CFString)] {
        [
            (CSSM_KEYUSE_ENCRYPT, kSecAttrCanEncrypt), (CSSM_KEYUSE_DECRYPT, kSecAttrCanDecrypt),
            (CSSM_KEYUSE_SIGN, kSecAttrCanSign), (CSSM_KEYUSE_VERIFY, kSecAttrCanVerify),
            (CSSM_KEYUSE_WRAP, kSecAttrCanWrap), (CSSM_KEYUSE_UNWRAP, kSecAttrCanUnwrap),
            (CSSM_KEYUSE_DERIVE, kSecAttrCanDerive),
        ]
    }
}

/// What a key is for, as bits.
public typealias CSSM_KEYUSE = UInt32
/// What a key is, as bits.
public typealias CSSM_KEYATTR_FLAGS = UInt32

/// For all that the key can.
public let CSSM_KEYUSE_ANY: UInt32 = 0x8000_0000
/// To encrypt.
public let CSSM_KEYUSE_ENCRYPT: UInt32 = 0x1
/// To decrypt.
public let CSSM_KEYUSE_DECRYPT: UInt32 = 0x2
/// To sign.
public let CSSM_KEYUSE_SIGN: UInt32 = 0x4
/// To verify signatures.
public let CSSM_KEYUSE_VERIFY: UInt32 = 0x8
/// To sign so that the signature gives the message back; no key here does that.
public let CSSM_KEYUSE_SIGN_RECOVER: UInt32 = 0x10
/// To take the message out of its signature; no key here does that.
public let CSSM_KEYUSE_VERIFY_RECOVER: UInt32 = 0x20
/// To wrap other keys.
public let CSSM_KEYUSE_WRAP: UInt32 = 0x40
/// To unwrap other keys.
public let CSSM_KEYUSE_UNWRAP: UInt32 = 0x80
/// To derive keys.
public let CSSM_KEYUSE_DERIVE: UInt32 = 0x100

/// The key is stored.
public let CSSM_KEYATTR_PERMANENT: UInt32 = 0x1
/// The key is private.
public let CSSM_KEYATTR_PRIVATE: UInt32 = 0x2
/// What is said of the key can be changed.
public let CSSM_KEYATTR_MODIFIABLE: UInt32 = 0x4
/// The key leaves only wrapped.
public let CSSM_KEYATTR_SENSITIVE: UInt32 = 0x8
/// The key was always sensitive.
public let CSSM_KEYATTR_ALWAYS_SENSITIVE: UInt32 = 0x10
/// The key can leave.
public let CSSM_KEYATTR_EXTRACTABLE: UInt32 = 0x20
/// The key never could leave.
public let CSSM_KEYATTR_NEVER_EXTRACTABLE: UInt32 = 0x40
/// What is returned of a key is as usual.
public let CSSM_KEYATTR_RETURN_DEFAULT: UInt32 = 0
/// The key is returned as data; a reference is returned all the same.
public let CSSM_KEYATTR_RETURN_DATA: UInt32 = 0x1000_0000
/// A reference to the key is returned.
public let CSSM_KEYATTR_RETURN_REF: UInt32 = 0x2000_0000
/// No key is returned; a reference is returned all the same, where the caller has a place for it.
public let CSSM_KEYATTR_RETURN_NONE: UInt32 = 0x4000_0000
