// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
public import LlaveroFoundation

// Unmanaged, as Swift imports Apple's: existing sources write `Unmanaged.passRetained(…)`. The caller keeps what it
// passes alive until the call returns.
// Safe: taking a reference out is unsafe, and says so where it is done; holding it is not.
/// What concerns the keys of an import or export.
@safe
public struct SecItemImportExportKeyParameters {
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
    /// What imported keys may do: `kSecAttrCan…` names; nil or an empty array for all that they can.
    public var keyUsage: Unmanaged<CFArray>?
    /// What imported keys are: `kSecAttrIsPermanent`, `kSecAttrIsSensitive` and `kSecAttrIsExtractable`, those of them
    /// that hold; nil for extractable ones, permanent when a keychain is given.
    public var keyAttributes: Unmanaged<CFArray>?

    /// Parameters of the present version that ask for nothing.
    public init() {
        unsafe self.init(
            version: UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION), flags: [], passphrase: nil, alertTitle: nil,
            alertPrompt: nil, accessRef: nil, keyUsage: nil, keyAttributes: nil)
    }

    /// Parameters with these parts.
    public init(
        version: UInt32, flags: SecKeyImportExportFlags, passphrase: Unmanaged<CFTypeRef>?,
        alertTitle: Unmanaged<CFString>?, alertPrompt: Unmanaged<CFString>?, accessRef: Unmanaged<SecAccess>?,
        keyUsage: Unmanaged<CFArray>?, keyAttributes: Unmanaged<CFArray>?
    ) {
        self.version = version
        self.flags = flags
        unsafe self.passphrase = passphrase
        unsafe self.alertTitle = alertTitle
        unsafe self.alertPrompt = alertPrompt
        unsafe self.accessRef = accessRef
        unsafe self.keyUsage = keyUsage
        unsafe self.keyAttributes = keyAttributes
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The version of ``SecItemImportExportKeyParameters``.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0

/// What is asked of the import of keys.
public struct SecKeyImportExportFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// The flags that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Data with more than one private key is refused.
    public static let importOnlyOne = SecKeyImportExportFlags(rawValue: 1 << 0)
    /// The person is asked for the passphrase; there is nothing here that could ask, so it is refused.
    public static let securePassphrase = SecKeyImportExportFlags(rawValue: 1 << 1)
    /// Imported keys get no access list, which none has here.
    public static let noAccessControl = SecKeyImportExportFlags(rawValue: 1 << 2)
}

/// A caller's ``SecItemImportExportKeyParameters``, with everything in them understood or refused.
struct KeyParameters {
    /// nil when none was given.
    var passphrase: Passphrase?
    /// What imported keys are held to.
    var terms = KeyTerms.none
    var importsOnlyOne = false
    /// Whether imported keys are put into the keychain that is given.
    var storesKeys = true
    /// Whether it was said that they are.
    var demandsStorage = false
    private var concernsImport = false

    /// What a caller asks who gives no parameters.
    init() {}

    init(_ given: SecItemImportExportKeyParameters) throws(ExchangeFailure) {
        try unsafe self.init(
            given.version, given.flags, given.passphrase?.takeUnretainedValue(), hasAccessList: given.accessRef != nil)
        if let usage = unsafe given.keyUsage?.takeUnretainedValue() { try take(usage: Self.names(usage)) }
        if let attributes = unsafe given.keyAttributes?.takeUnretainedValue() {
            try take(attributes: Self.names(attributes))
        }
    }

    init(_ given: SecKeyImportExportParameters) throws(ExchangeFailure) {
        try unsafe self.init(
            given.version, given.flags, given.passphrase?.takeUnretainedValue(), hasAccessList: given.accessRef != nil)
        if given.keyUsage != 0 { try take(usage: KeyBits.usage(given.keyUsage)) }
        if given.keyAttributes != 0 { try take(attributes: KeyBits.attributes(given.keyAttributes)) }
    }

    private init(
        _ version: UInt32, _ flags: SecKeyImportExportFlags, _ passphrase: CFTypeRef?, hasAccessList: Bool
    ) throws(ExchangeFailure) {
        guard version == UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION) else {
            throw .parameter("unknown version of the key parameters", subject: "version")
        }
        let known: SecKeyImportExportFlags = [.importOnlyOne, .securePassphrase, .noAccessControl]
        guard flags.isSubset(of: known) else { throw .parameter("unknown key flag") }
        guard !flags.contains(.securePassphrase) else {
            throw ExchangeFailure(
                KeychainError(
                    .unimplemented, "the function does not ask for the passphrase; give it in the key parameters"))
        }
        guard !hasAccessList else {
            throw ExchangeFailure(
                KeychainError(
                    .noSuchAttribute, "access lists are not supported; use kSecAttrAccessControl", subject: "accessRef")
            )
        }
        importsOnlyOne = flags.contains(.importOnlyOne)
        if let passphrase { self.passphrase = try Passphrase.given(passphrase) }
    }

    private mutating func take(usage: Set<String>) throws(ExchangeFailure) {
        concernsImport = true
        terms.denied = try Self.denied(by: usage)
    }

    private mutating func take(attributes: Set<String>) throws(ExchangeFailure) {
        concernsImport = true
        let (permanent, sensitive) = (kSecAttrIsPermanent as String, kSecAttrIsSensitive as String)
        let extractable = kSecAttrIsExtractable as String
        guard attributes.isSubset(of: [permanent, sensitive, extractable]) else {
            throw .parameter("unknown attribute of imported keys", subject: "keyAttributes")
        }
        terms.isSensitive = attributes.contains(sensitive)
        terms.isExtractable = attributes.contains(extractable)
        storesKeys = attributes.contains(permanent)
        demandsStorage = storesKeys
    }

    private static func denied(by usage: Set<String>) throws(ExchangeFailure) -> Set<KeyOperation> {
        guard !usage.isEmpty else { return [] }
        let operations: [String: KeyOperation] = [
            kSecAttrCanSign as String: .sign, kSecAttrCanVerify as String: .verify,
            kSecAttrCanEncrypt as String: .encrypt, kSecAttrCanDecrypt as String: .decrypt,
            kSecAttrCanDerive as String: .keyExchange,
        ]
        // No function here wraps keys by keys; denied or not, it makes no difference.
        let wrapping: Set = [kSecAttrCanWrap as String, kSecAttrCanUnwrap as String]
        guard usage.subtracting(wrapping).isSubset(of: operations.keys) else {
            throw .parameter("unknown key usage", subject: "keyUsage")
        }
        return Set(operations.filter { !usage.contains($0.key) }.values)
    }

    private static func names(_ array: CFArray) throws(ExchangeFailure) -> Set<String> {
        var names: Set<String> = []
        for element in array {
            guard let name = element as? String else {
                throw .parameter("the array of attribute names contains an element that is not a string")
            }
            names.insert(name)
        }
        return names
    }

    /// Throws when something was asked that is nothing to an export.
    func checkExport() throws(ExchangeFailure) {
        guard !concernsImport else {
            throw .parameter("key usage and key attributes can be set when importing, not when exporting")
        }
    }
}

extension Passphrase {
    /// What a caller gives: the UTF-8 of a string, or the bytes of data.
    static func given(_ object: AnyObject) throws(ExchangeFailure) -> Passphrase {
        if let data = object as? NSData {
            let start = unsafe data.length == 0 ? nil : data.bytes
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: data.length)
            defer { withExtendedLifetime(data) {} }
            return try unsafe Passphrase(bytes)
        }
        guard object is NSString else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase is neither a string nor data")
        }
        guard let text = ValueReading.string(object) else {
            throw ExchangeFailure(.invalidPassphrase, "the passphrase is not text")
        }
        return try unsafe text.utf8.span.bytes.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe Passphrase(bytes)
        }
    }
}
