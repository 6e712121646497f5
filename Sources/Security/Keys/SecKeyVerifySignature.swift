// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether a signature is one of the data; false comes with an error.
///
/// - Parameters:
///   - key: A public key.
///   - algorithm: How it was signed.
///   - signedData: The message or its digest, whichever the algorithm takes.
///   - signature: What is to be checked.
///   - error: Set when false is returned: ``errSecVerifyFailed`` for any signature that is none; the caller releases it.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    let isValid = unsafe KeyCall.result("SecKeyVerifySignature", error) { () throws(KeychainError) in
        try unsafe signedData.lendingBytes { (data) throws(KeychainError) in
            try unsafe signature.lendingBytes { (signature) throws(KeychainError) in
                try unsafe key.isSignature(signature, of: data, algorithm)
            }
        }
    }
    if isValid == false {
        unsafe KeyCall.report(errSecVerifyFailed, "the signature is none of this data with this key", error)
    }
    return isValid ?? false
}
