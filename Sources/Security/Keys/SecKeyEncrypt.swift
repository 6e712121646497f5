// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Encrypts with a public RSA key; the older form of ``SecKeyCreateEncryptedData(_:_:_:_:)``.
///
/// - Parameters:
///   - key: A public key.
///   - padding: None, `PKCS1` or `OAEP`, which is with SHA-1.
///   - plainText: What is to be encrypted.
///   - plainTextLen: Its bytes.
///   - cipherText: Where the result goes.
///   - cipherTextLen: The bytes there is room for; set to those written. With too little room nothing is written.
/// - Returns: ``errSecSuccess`` or ``errSecParam``, also when there is too little room.
@discardableResult
public func SecKeyEncrypt(
    _ key: SecKey, _ padding: SecPadding, _ plainText: UnsafePointer<UInt8>, _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>, _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    Call.status("SecKeyEncrypt") { () throws(KeychainError) in
        let sealed = try unsafe key.encrypted(
            RawBuffer.input(plainText, plainTextLen), .encrypting(padding, key.key.type))
        let span = sealed.span
        try unsafe span.bytes.withUnsafeBytes { (bytes) throws(KeychainError) in
            try unsafe RawBuffer.write(bytes, cipherText, cipherTextLen)
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Decrypts with a private RSA key; the older form of ``SecKeyCreateDecryptedData(_:_:_:_:)``.
///
/// Without padding the zeros in front of the number are left out, as on Apple platforms; the newer form has them.
///
/// - Parameters:
///   - key: A private key.
///   - padding: As it was encrypted with.
///   - cipherText: What is to be decrypted.
///   - cipherTextLen: Its bytes.
///   - plainText: Where the result goes.
///   - plainTextLen: The bytes there is room for; set to those written. With too little room nothing is written.
/// - Returns: ``errSecSuccess`` or ``errSecParam``, also when there is too little room.
@discardableResult
public func SecKeyDecrypt(
    _ key: SecKey, _ padding: SecPadding, _ cipherText: UnsafePointer<UInt8>, _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>, _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
    Call.status("SecKeyDecrypt") { () throws(KeychainError) in
        let plain = try unsafe key.decrypted(
            RawBuffer.input(cipherText, cipherTextLen), .encrypting(padding, key.key.type))
        try unsafe plain.lendingBytes { (bytes) throws(KeychainError) in
            let zeros = unsafe padding == [] ? bytes.prefix { $0 == 0 }.count : 0
            try unsafe RawBuffer.write(
                UnsafeRawBufferPointer(rebasing: bytes.dropFirst(zeros)), plainText, plainTextLen)
        }
    }
}
