// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Signs a digest with a private key; the older form of ``SecKeyCreateSignature(_:_:_:_:)``.
///
/// - Parameters:
///   - key: A private key.
///   - padding: How an RSA key pads; for an elliptic curve key `sigRaw` puts r and s side by side.
///   - dataToSign: The digest.
///   - dataToSignLen: The bytes of the digest.
///   - sig: Where the signature goes.
///   - sigLen: The bytes there is room for; set to those written. With too little room nothing is written.
/// - Returns: ``errSecSuccess`` or ``errSecParam``, also when there is too little room.
@discardableResult
public func SecKeyRawSign(
    _ key: SecKey, _ padding: SecPadding, _ dataToSign: UnsafePointer<UInt8>, _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>, _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    Call.status("SecKeyRawSign") { () throws(KeychainError) in
        let signature = try unsafe key.signature(
            of: RawBuffer.input(dataToSign, dataToSignLen), .signing(padding, key.key.type))
        let span = signature.span
        try unsafe span.bytes.withUnsafeBytes { (bytes) throws(KeychainError) in
            try unsafe RawBuffer.write(bytes, sig, sigLen)
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Checks the signature of a digest; the older form of ``SecKeyVerifySignature(_:_:_:_:_:)``.
///
/// - Parameters:
///   - key: A public key.
///   - padding: As it was signed with.
///   - signedData: The digest.
///   - signedDataLen: The bytes of the digest.
///   - sig: The signature.
///   - sigLen: The bytes of the signature.
/// - Returns: ``errSecSuccess``, ``errSSLCrypto`` when the signature does not match, as ever since Mac OS X 10.7, or
///   ``errSecParam``.
public func SecKeyRawVerify(
    _ key: SecKey, _ padding: SecPadding, _ signedData: UnsafePointer<UInt8>, _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>, _ sigLen: Int
) -> OSStatus {
    var isValid = false
    let status = Call.status("SecKeyRawVerify") { () throws(KeychainError) in
        isValid = try unsafe key.isSignature(
            RawBuffer.input(sig, sigLen), of: RawBuffer.input(signedData, signedDataLen),
            .signing(padding, key.key.type))
    }
    return status == errSecSuccess && !isValid ? errSSLCrypto : status
}
