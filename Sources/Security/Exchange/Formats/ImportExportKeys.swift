// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

// Options of SecPKCS12Import.

/// The passphrase of the file: a string, of which the UTF-8 counts, or data; it may be empty.
@safe nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = "passphrase"
/// The ``SecKeychain`` that the identities are put into.
@safe nonisolated(unsafe) public let kSecImportExportKeychain: CFString = "keychain"
/// The access list of an item in a file keychain; it has no meaning on Linux and is refused.
@safe nonisolated(unsafe) public let kSecImportExportAccess: CFString = "access"
/// Whether the identities stay in memory; true unless something else says that they are stored.
@safe nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = "memory"

// What SecPKCS12Import says of each identity.

/// The name that the file gives it; not there when the file gives none.
@safe nonisolated(unsafe) public let kSecImportItemLabel: CFString = "label"
/// The identifier by which key and certificate found each other, else the SHA-1 of the public key.
@safe nonisolated(unsafe) public let kSecImportItemKeyID: CFString = "keyid"
/// A ``SecTrust`` for the certificate and those that came with it, under the basic policy.
@safe nonisolated(unsafe) public let kSecImportItemTrust: CFString = "trust"
/// The certificates from the identity's own towards its root, as far as the file has them.
@safe nonisolated(unsafe) public let kSecImportItemCertChain: CFString = "chain"
/// The ``SecIdentity``.
@safe nonisolated(unsafe) public let kSecImportItemIdentity: CFString = "identity"
