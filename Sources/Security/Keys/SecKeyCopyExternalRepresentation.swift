// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key's external form, as ``SecKeyCreateWithData(_:_:_:)`` reads it; nil, and an error, when it may not leave.
///
/// The data is the caller's own. That of a private or symmetric key is wiped when it goes.
///
/// - Parameters:
///   - key: The key.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe KeyCall.result("SecKeyCopyExternalRepresentation", error) { () throws(KeychainError) in
        try key.externalRepresentation()
    }
}

extension SecKey {
    func externalRepresentation() throws(KeychainError) -> CFData {
        if key.part == .public, let bytes = key.publicRepresentation { return NSData(copying: bytes) }
        try terms.checkExport()
        return try KeyCall.using { () throws(KeyError) in SecretData(copying: try key.representation()) }
    }
}
