// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainKeys
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

/// Makes a private key, or a symmetric one for AES; nil, and an error, when there is no such key.
///
/// Keys of ML-DSA (65, 87) and ML-KEM (768, 1024) need OpenSSL 3.5; with an older one the error is ``errSecUnimplemented``.
/// A large RSA key takes seconds. With `kSecAttrIsPermanent` the key is stored, or none is made; the public half too,
/// unless `kSecPublicKeyAttrs` says otherwise. With `kSecAttrTokenID` the enclave makes it, which takes elliptic curve
/// keys of 256 bits, and it is stored unless the attributes say otherwise.
///
/// - Parameters:
///   - parameters: The type, the size in bits, what the key may do, and under which attributes it is stored;
///     `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` count before them.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    unsafe KeyCall.result("SecKeyCreateRandomKey", error) { () throws(KeychainError) in
        try SecKey.make(KeyAttributes(parameters))
    }
}

/// Makes a pair of keys, as ``SecKeyCreateRandomKey(_:_:)`` does.
///
/// - Parameters:
///   - parameters: What the keys are to be.
///   - publicKey: Set to the public half when both were made.
///   - privateKey: Set to the private half when both were made.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    Call.status("SecKeyGeneratePair") { () throws(KeychainError) in
        let attributes = KeyAttributes(parameters)
        guard try attributes.type() != .aes else {
            throw KeychainError(.parameter, "a symmetric key is not a pair; use SecKeyCreateRandomKey", subject: "type")
        }
        let own = try SecKey.make(attributes)
        let other = try own.publicHalf()
        if let publicKey = unsafe publicKey { unsafe publicKey.pointee = other }
        if let privateKey = unsafe privateKey { unsafe privateKey.pointee = own }
    }
}

extension SecKey {
    fileprivate static func make(_ attributes: KeyAttributes) throws(KeychainError) -> SecKey {
        let plan = try KeyPlan(attributes)
        return plan.isKeychainNeeded ? try plan.makeInKeychain() : try plan.makeInMemory()
    }
}

/// A key that is to be made, as its attributes describe it.
struct KeyPlan {
    private let type: KeyType
    private let bits: Int
    private let isInEnclave: Bool
    /// The attributes of the private half, or of the one symmetric key.
    private let own: KeyAttributes
    private let ofPublicKey: KeyAttributes
    private let isStored: Bool
    private let isPublicKeyStored: Bool

    init(_ attributes: KeyAttributes) throws(KeychainError) {
        type = try attributes.type()
        own = try attributes.half(type == .aes ? kSecSymmetricKeyAttrs : kSecPrivateKeyAttrs)
        ofPublicKey = try attributes.half(kSecPublicKeyAttrs)
        guard let bits = try attributes.number(kSecAttrKeySizeInBits) ?? type.usualBits else {
            throw KeychainError(.parameter, "the key size is missing", subject: "bsiz")
        }
        guard type.allows(bits: bits) else {
            throw KeychainError(.parameter, "keys of this type do not have this size", subject: "bsiz")
        }
        self.bits = bits
        isInEnclave = try attributes.namesEnclave()
        guard !isInEnclave || (type == .ec && bits == 256) else {
            throw KeychainError(.parameter, "the enclave generates 256-bit elliptic curve keys only", subject: "tkid")
        }
        isStored = try own.isPermanent(unlessSaid: isInEnclave)
        isPublicKeyStored = type == .aes ? false : try ofPublicKey.isPermanent(unlessSaid: false)
    }

    /// Whether the keychain makes the key: it stores it, or only its enclave can.
    var isKeychainNeeded: Bool { isStored || isPublicKeyStored || isInEnclave }

    func makeInMemory() throws(KeychainError) -> SecKey {
        let terms = try KeyTerms(own)
        let publicTerms = try KeyTerms(ofPublicKey).forPublicHalf
        let key = try KeyCall.using { () throws(KeyError) in try CryptoKey.generate(type, bits: bits) }
        return SecKey(key, terms: terms, publicTerms: publicTerms)
    }

    func makeInKeychain() throws(KeychainError) -> SecKey {
        let host = try CurrentKeychain.host()
        // A key that only its public half is stored of is made here.
        if !isStored, !isInEnclave { return try makeAndStorePublicKey(in: host) }
        let publicTerms = try KeyTerms(ofPublicKey).forPublicHalf
        var request = GenerateKeyRequest(
            type: type.rawValue, bits: bits, place: isInEnclave ? .enclave : .software,
            key: isStored ? try own.addRequest(of: content(type == .aes ? .symmetric : .private)) : nil,
            publicKey: isPublicKeyStored ? try ofPublicKey.addRequest(of: content(.public)) : nil)
        let authentication = request.key?.authentication ?? .usual
        request.authentication = authentication
        let made = try host.session().generateKey(request)
        if let found = made.key,
            let key = SecKey(found, in: host, publicTerms: publicTerms, authentication: authentication)
        {
            return key
        }
        guard let loose = made.loose else {
            throw KeychainError(.internalError, "the generated item does not contain the key")
        }
        let outline = try KeyCall.using { () throws(KeyError) in
            try KeyOutline(privateKeyOf: loose.publicKey, type)
        }
        var terms = try KeyTerms(own)
        terms.isExtractable = false
        terms.demandsEnclave = false
        return SecKey(
            CryptoKey(elsewhere: outline), terms: terms, publicTerms: publicTerms,
            keeper: KeyKeeper(host: host, key: .loose(loose)))
    }

    private func makeAndStorePublicKey(in host: any KeychainHost) throws(KeychainError) -> SecKey {
        let key = try makeInMemory()
        let request = try ofPublicKey.addRequest(of: try key.publicHalf().contentToAdd())
        _ = try host.session().add(request)
        return key
    }

    /// What a key of the kind says of itself before it is there.
    private func content(_ part: KeyPart) -> ItemContent {
        var attributes = AttributeList(reservingCapacity: 24)
        attributes.append(unchecked: .keyClass, .number(Int64(part.rawValue)))
        attributes.append(unchecked: .type, .number(Int64(type.rawValue)))
        attributes.append(unchecked: .keySizeInBits, .number(Int64(bits)))
        attributes.append(unchecked: .effectiveKeySize, .number(Int64(bits)))
        KeyRole.describe(
            type, part, denied: [], isOpen: part == .public || !isInEnclave, isSensitive: false, in: &attributes)
        var content = ItemContent(itemClass: .key, attributes: attributes, secret: nil)
        if part == .public {
            // Whatever was said of the pair: this half is not secret.
            content.binding[.isExtractable] = .number(1)
            content.binding[.wasNeverExtractable] = .number(0)
            content.binding[.isSensitive] = .number(0)
            content.binding[.wasAlwaysSensitive] = .number(0)
        }
        return content
    }
}

extension KeyAttributes {
    /// Whether the enclave is to make the key; throws for any other token.
    fileprivate func namesEnclave() throws(KeychainError) -> Bool {
        guard let token = value(kSecAttrTokenID) else { return false }
        guard let name = ValueReading.string(token), name == kSecAttrTokenIDSecureEnclave as String else {
            throw KeychainError(.parameter, "unknown token", subject: "tkid")
        }
        return true
    }
}
