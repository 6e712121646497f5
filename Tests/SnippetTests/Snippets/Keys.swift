// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Keys, access controls and the enclave.
import Foundation
import Security

private func enclaveKey(tag: Data) throws -> (SecKey, SecKey?) {
    var error: Unmanaged<CFError>?
    guard
        let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet], &error)
    else { throw error!.takeRetainedValue() as Error }
    let attributes: NSDictionary = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
        kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag, kSecAttrAccessControl: control],
    ]
    guard let key = SecKeyCreateRandomKey(attributes, &error) else { throw error!.takeRetainedValue() as Error }
    return (key, SecKeyCopyPublicKey(key))
}

private func signed(_ data: Data, with key: SecKey) throws -> Data {
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    guard SecKeyIsAlgorithmSupported(key, .sign, algorithm) else { throw CocoaError(.featureUnsupported) }
    var error: Unmanaged<CFError>?
    guard let signature = SecKeyCreateSignature(key, algorithm, data as CFData, &error) else {
        throw error!.takeRetainedValue()
    }
    return signature as Data
}

private func oldPair() -> (SecKey?, SecKey?) {
    var (ownPublic, ownPrivate): (SecKey?, SecKey?)
    let status = SecKeyGeneratePair(
        [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048] as CFDictionary, &ownPublic, &ownPrivate)
    return status == errSecSuccess ? (ownPublic, ownPrivate) : (nil, nil)
}

private func pairLater() {
    SecKeyGeneratePairAsync([kSecAttrKeyType: kSecAttrKeyTypeRSA] as CFDictionary, DispatchQueue.main) {
        publicKey, privateKey, error in
        print(publicKey as Any, privateKey as Any, error as Any)
    }
    _ = SecKeyGenerateSymmetric([:] as CFDictionary, nil)
}

private func wrapped(_ key: SecKey, under other: SecKey) -> SecKey? {
    var error: Unmanaged<CFError>?
    guard let data = SecKeyWrapSymmetric(key, other, [:] as CFDictionary, &error) else { return nil }
    var given: Unmanaged<CFData>? = Unmanaged.passUnretained(data)
    return withUnsafeMutablePointer(to: &given) { SecKeyUnwrapSymmetric($0, other, [:] as CFDictionary, &error) }
}

private func agreed(_ own: SecKey, _ other: SecKey) -> Data? {
    let parameters =
        [
            SecKeyKeyExchangeParameter.requestedSize.rawValue: 32,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data(),
        ] as [CFString: Any] as CFDictionary
    return SecKeyCopyKeyExchangeResult(own, .ecdhKeyExchangeStandardX963SHA256, other, parameters, nil) as Data?
}

private let usage: SecKeyUsage = [.all, .contentCommitment]
private let size = SecKeySizes.secp256r1.rawValue

private func exported(_ key: SecKey) -> Data? {
    var error: Unmanaged<CFError>?
    return SecKeyCopyExternalRepresentation(key, &error).map { $0 as Data }
}

private func random(_ count: Int) -> Data? {
    var bytes = [UInt8](repeating: 0, count: count)
    return SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes) == errSecSuccess ? Data(bytes) : nil
}
