// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The version of ``SecItemImportExportKeyParameters``.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0

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
