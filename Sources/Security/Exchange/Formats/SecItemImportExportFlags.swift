// SPDX-License-Identifier: Apache-2.0

/// What is asked of ``SecItemExport(_:_:_:_:_:)`` and ``SecItemImport(_:_:_:_:_:_:_:_:)``.
public struct SecItemImportExportFlags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// The flags that have these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// What is exported is text between two lines of dashes; what is imported has to be that.
    public static let pemArmour = SecItemImportExportFlags(rawValue: 1 << 0)
}

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
