// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
public import LlaveroFoundation

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

/// Whether a signature is one of the data; false comes with an error.
///
/// - Parameters:
///   - key: A public key.
///   - algorithm: How it was signed.
///   - signedData: The message or its digest, whichever the algorithm takes.
///   - signature: What is to be checked.
///   - error: Set when false is returned: ``errSecVerifyFailed`` for any signature that does not match; the caller releases it.
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
        unsafe KeyCall.report(errSecVerifyFailed, "the signature does not match the data and the key", error)
    }
    return isValid ?? false
}

/// What the functions of either generation do; each checks the terms of the key first.
extension SecKey {
    func signature(
        of data: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        let algorithm = try allowed(.sign, algorithm)
        if let keeper {
            return try keeper.perform(.sign(unsafe SecretValue(copying: data), algorithm: algorithm.name)).unsecretBytes
        }
        return try KeyCall.using { () throws(KeyError) in try unsafe key.sign(data, with: algorithm) }
    }

    func isSignature(
        _ signature: UnsafeRawBufferPointer, of data: UnsafeRawBufferPointer, _ algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> Bool {
        let algorithm = try allowed(.verify, algorithm)
        return try KeyCall.using { () throws(KeyError) in
            try unsafe key.verify(signature, of: data, with: algorithm)
        }
    }
}
