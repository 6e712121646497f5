// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Signs with a private key; nil, and an error, when it cannot.
///
/// - Parameters:
///   - key: A private key.
///   - algorithm: How to sign.
///   - dataToSign: The message or its digest, whichever the algorithm takes.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe KeyCall.result("SecKeyCreateSignature", error) { () throws(KeychainError) in
        try unsafe dataToSign.lendingBytes { (bytes) throws(KeychainError) in
            NSData(copying: try unsafe key.signature(of: bytes, algorithm))
        }
    }
}
