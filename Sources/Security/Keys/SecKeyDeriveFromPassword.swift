// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// An AES key from a password, by PBKDF2 with HMAC; nil, and an error, when the parameters are not right.
///
/// - Parameters:
///   - password: The password, not empty; its UTF-8 counts.
///   - parameters: `kSecAttrSalt`, at least 8 bytes; `kSecAttrKeySizeInBits`, 128, 192 or 256; `kSecAttrPRF`, HMAC with
///     SHA-256 unless given; `kSecAttrRounds`, 600 000 unless given. With `kSecAttrIsPermanent` the key is stored.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyDeriveFromPassword(
    _ password: CFString, _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe KeyCall.result("SecKeyDeriveFromPassword", error) { () throws(KeychainError) in
        let attributes = KeyAttributes(parameters)
        let derivation = try PasswordKey(attributes)
        guard try attributes.number(kSecAttrKeyType) ?? Int(KeyType.aes.rawValue) == Int(KeyType.aes.rawValue) else {
            throw KeychainError(.parameter, "only AES keys can be derived", subject: "type")
        }
        guard let bits = try attributes.number(kSecAttrKeySizeInBits), KeyType.aes.allows(bits: bits) else {
            throw KeychainError(.parameter, "the key size must be 128, 192 or 256 bits", subject: "bsiz")
        }
        let terms = try KeyTerms(attributes)
        guard let text = ValueReading.string(password) else {
            throw KeychainError(.parameter, "the password is not text")
        }
        let utf8 = text.utf8.span
        let secret = unsafe utf8.bytes.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
        let key = try KeyCall.using { () throws(KeyError) in
            try unsafe secret.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe derivation.key(from: bytes, bits: bits)
            }
        }
        let made = SecKey(key, terms: terms)
        return try attributes.isPermanent(unlessSaid: false) ? try made.stored(attributes) : made
    }
}

extension PasswordKey {
    fileprivate init(_ attributes: KeyAttributes) throws(KeychainError) {
        guard let salt = try attributes.data(kSecAttrSalt) else {
            throw KeychainError(.parameter, "the salt is missing", subject: "salt")
        }
        var hash = HashFunction.sha256
        if let value = attributes.value(kSecAttrPRF) {
            guard let known = ValueReading.string(value).flatMap(PasswordKey.hash(named:)) else {
                throw KeychainError(.parameter, "unknown pseudorandom function", subject: "prf")
            }
            hash = known
        }
        let rounds = try attributes.number(kSecAttrRounds) ?? PasswordKey.defaultRounds
        guard let made = PasswordKey(hash: hash, salt: salt.unsecretBytes, rounds: rounds) else {
            throw KeychainError(.parameter, "the salt's length or the number of rounds is out of range")
        }
        self = made
    }
}
