// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Keys that are made, kept, found again and used.
import Foundation
import Security

enum KeyStoreError: Error {
    case underlying(Error?)
    case notFound
}

struct KeyStore {
    let tag: String
    private var tagData: Data { tag.data(using: .utf8)! }

    func make(_ type: CFString = kSecAttrKeyTypeECSECPrimeRandom, bits: Int = 256) throws -> SecKey {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: type,
            kSecAttrKeySizeInBits as String: bits,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true,
                kSecAttrApplicationTag as String: tagData,
                kSecAttrLabel as String: tag,
            ] as [String: Any],
        ]
        var error: Unmanaged<CFError>?
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else {
            throw KeyStoreError.underlying(error?.takeRetainedValue() as Error?)
        }
        return key
    }

    func load() throws -> SecKey {
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tagData,
            kSecAttrKeyClass as String: kSecAttrKeyClassPrivate, kSecReturnRef as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess, let item else { throw KeyStoreError.notFound }
        guard CFGetTypeID(item) == SecKeyGetTypeID() else { throw KeyStoreError.notFound }
        return item as! SecKey
    }

    func loadOrMake() throws -> SecKey {
        do { return try load() } catch KeyStoreError.notFound { return try make() }
    }

    @discardableResult
    func remove() -> Bool {
        let status = SecItemDelete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tagData] as CFDictionary)
        return status == errSecSuccess || status == errSecItemNotFound
    }

    func count() -> Int {
        let query =
            [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: tagData, kSecMatchLimit: kSecMatchLimitAll,
                kSecReturnAttributes: kCFBooleanTrue!,
            ] as [CFString: Any]
        var found: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return 0 }
        return (found as! [[CFString: Any]]).count
    }
}

extension SecKey {
    var publicHalf: SecKey? { SecKeyCopyPublicKey(self) }

    var externalData: Data? { SecKeyCopyExternalRepresentation(self, nil) as Data? }

    var bits: Int? { (SecKeyCopyAttributes(self) as NSDictionary?)?[kSecAttrKeySizeInBits] as? Int }

    var isPrivate: Bool {
        let attributes = SecKeyCopyAttributes(self) as? [CFString: Any] ?? [:]
        return (attributes[kSecAttrKeyClass] as? String) == kSecAttrKeyClassPrivate as String
    }

    var blockSize: Int { SecKeyGetBlockSize(self) }

    func signature(of data: Data, _ algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256) throws -> Data {
        guard SecKeyIsAlgorithmSupported(self, .sign, algorithm) else { throw KeyStoreError.underlying(nil) }
        var error: Unmanaged<CFError>?
        guard let made = SecKeyCreateSignature(self, algorithm, data as CFData, &error) as Data? else {
            throw error!.takeRetainedValue() as Error
        }
        return made
    }

    func isSignature(_ signature: Data, of data: Data, _ algorithm: SecKeyAlgorithm = .ecdsaSignatureMessageX962SHA256)
        -> Bool
    {
        var error: Unmanaged<CFError>?
        let isRight = SecKeyVerifySignature(self, algorithm, data as CFData, signature as CFData, &error)
        if let error = error?.takeRetainedValue() { NSLog("%@", "\(CFErrorGetCode(error))") }
        return isRight
    }

    func sealed(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        var error: Unmanaged<CFError>?
        guard let sealed = SecKeyCreateEncryptedData(self, algorithm, data as CFData, &error) else {
            throw error!.takeRetainedValue()
        }
        return sealed as Data
    }

    func opened(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        var error: Unmanaged<CFError>?
        guard let opened = SecKeyCreateDecryptedData(self, algorithm, data as CFData, &error) else {
            throw error!.takeRetainedValue()
        }
        return opened as Data
    }

    func agreement(with other: SecKey, bytes: Int) throws -> Data {
        var error: Unmanaged<CFError>?
        let parameters: [String: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue as String: bytes,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue as String: Data("info".utf8),
        ]
        guard
            let secret = SecKeyCopyKeyExchangeResult(
                self, .ecdhKeyExchangeStandardX963SHA256, other, parameters as CFDictionary, &error)
        else { throw error!.takeRetainedValue() as Error }
        return secret as Data
    }

    static func fromPublicData(_ data: Data, type: CFString = kSecAttrKeyTypeECSECPrimeRandom) -> SecKey? {
        let attributes: NSDictionary = [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPublic]
        return SecKeyCreateWithData(data as CFData, attributes, nil)
    }
}

enum Attestation {
    /// A challenge signed by a new key of the enclave, with the public half: what a server wants of a device.
    static func answer(_ challenge: Data, tag: String) throws -> (key: Data, signature: Data) {
        var error: Unmanaged<CFError>?
        guard
            let access = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, &error)
        else { throw error!.takeRetainedValue() as Error }
        let attributes =
            [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits: 256,
                kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs: [
                    kSecAttrIsPermanent: false, kSecAttrApplicationTag: Data(tag.utf8),
                    kSecAttrAccessControl: access,
                ] as [CFString: Any],
            ] as [CFString: Any]
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error), let half = SecKeyCopyPublicKey(key)
        else { throw error!.takeRetainedValue() as Error }
        return (half.externalData!, try key.signature(of: challenge))
    }

    static func hasEnclave() -> Bool {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false] as [CFString: Any],
        ]
        return SecKeyCreateRandomKey(attributes as CFDictionary, nil) != nil
    }
}

enum Symmetric {
    static func wrapped(_ key: SecKey, under other: SecKey) -> Data? {
        SecKeyWrapSymmetric(key, other, [:] as CFDictionary, nil) as Data?
    }

    static func derived(_ password: String, salt: Data) -> SecKey? {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: 256, kSecAttrSalt: salt,
            kSecAttrPRF: kSecAttrPRFHmacAlgSHA256, kSecAttrRounds: 10_000,
        ]
        return SecKeyDeriveFromPassword(password as CFString, parameters as CFDictionary, nil)
    }

    static func made(bits: Int) -> SecKey? {
        SecKeyGenerateSymmetric(
            [kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeySizeInBits: bits] as CFDictionary, nil)
    }
}

func pairAwaited() async throws -> (SecKey, SecKey) {
    try await withCheckedThrowingContinuation { continuation in
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary
        SecKeyGeneratePairAsync(parameters, DispatchQueue.global()) { publicKey, privateKey, error in
            if let publicKey = publicKey as SecKey?, let privateKey = privateKey as SecKey? {
                continuation.resume(returning: (publicKey, privateKey))
            } else {
                continuation.resume(throwing: KeyStoreError.underlying(error))
            }
        }
    }
}
