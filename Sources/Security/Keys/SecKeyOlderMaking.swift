// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

/// What ``SecKeyGeneratePairAsync(_:_:_:)`` calls back with: both keys, or an error.
public typealias SecKeyGeneratePairBlock = @Sendable (SecKey?, SecKey?, CFError?) -> Void

/// Makes a pair of keys as ``SecKeyGeneratePair(_:_:_:)`` does, and calls back on a queue.
public func SecKeyGeneratePairAsync(
    _ parameters: CFDictionary, _ deliveryQueue: DispatchQueue, _ result: @escaping SecKeyGeneratePairBlock
) {
    let wanted = WantedPair(parameters)
    OwnThread.run {
        let made = wanted.make()
        deliveryQueue.async { result(made.publicKey, made.privateKey, made.failure) }
    } orElse: { error in
        let failure = WantedPair.failure(OSStatus(error.reason))
        deliveryQueue.async { result(nil, nil, failure) }
    }
}

// Sendable: it is used once, by the thread that it was made for, and its parts are a copy.
/// A pair that another thread is to make.
private struct WantedPair: @unchecked Sendable {
    private let parameters: NSDictionary
    /// The keychain of the task that asked.
    private let isolated: (any KeychainHost)?

    init(_ parameters: CFDictionary) {
        self.parameters = NSDictionary(dictionary: parameters as NSDictionary)
        isolated = CurrentKeychain.isolated
    }

    func make() -> (publicKey: SecKey?, privateKey: SecKey?, failure: CFError?) {
        CurrentKeychain.$isolated.withValue(isolated) {
            var (publicKey, privateKey): (SecKey?, SecKey?)
            let status = unsafe SecKeyGeneratePair(parameters, &publicKey, &privateKey)
            return (publicKey, privateKey, status == errSecSuccess ? nil : Self.failure(status))
        }
    }

    static func failure(_ status: OSStatus) -> CFError {
        let text = Llavero.lastFailure ?? "the thread could not be started"
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: text])
    }
}

/// Makes a symmetric key; only AES is.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType`, AES where it is missing, and `kSecAttrKeySizeInBits`.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyGenerateSymmetric(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    let whole = NSMutableDictionary(dictionary: parameters as NSDictionary)
    if whole[kSecAttrKeyType] == nil { whole[kSecAttrKeyType] = kSecAttrKeyTypeAES }
    guard (whole[kSecAttrKeyType] as? String) == kSecAttrKeyTypeAES as String else {
        unsafe KeyCall.report(errSecParam, "symmetric keys are for AES only", error)
        return nil
    }
    return unsafe SecKeyCreateRandomKey(whole, error)
}

/// Makes a symmetric key for AES of its bytes.
///
/// - Parameters:
///   - parameters: What ``SecKeyCreateWithData(_:_:_:)`` takes; type and class may be missing.
///   - keyData: The bytes.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyCreateFromData(
    _ parameters: CFDictionary, _ keyData: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    let whole = NSMutableDictionary(dictionary: parameters as NSDictionary)
    if whole[kSecAttrKeyType] == nil { whole[kSecAttrKeyType] = kSecAttrKeyTypeAES }
    if whole[kSecAttrKeyClass] == nil { whole[kSecAttrKeyClass] = kSecAttrKeyClassSymmetric }
    return unsafe SecKeyCreateWithData(keyData, whole, error)
}

/// Encrypts the bytes of a symmetric key under another one (AES-GCM); nil, and an error, when either may not.
///
/// - Parameters:
///   - keyToWrap: The key; one that may not leave is refused.
///   - wrappingKey: A symmetric key.
///   - parameters: Must be empty: there is one way.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyWrapSymmetric(
    _ keyToWrap: SecKey, _ wrappingKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    guard parameters.count == 0, keyToWrap.key.part == .symmetric, wrappingKey.key.part == .symmetric else {
        unsafe KeyCall.report(errSecParam, "both keys must be symmetric, and there are no parameters", error)
        return nil
    }
    guard let bytes = unsafe SecKeyCopyExternalRepresentation(keyToWrap, error) else { return nil }
    return unsafe SecKeyCreateEncryptedData(wrappingKey, .aesEncryptionGCM, bytes, error)
}

/// Makes the symmetric key that ``SecKeyWrapSymmetric(_:_:_:_:)`` encrypted; nil, and an error, when that is not what it is.
///
/// - Parameters:
///   - keyToUnwrap: What was made of the key.
///   - unwrappingKey: The key that it was encrypted under.
///   - parameters: What the new key is, as for ``SecKeyCreateFromData(_:_:_:)``.
///   - error: Set when nil is returned; the caller releases it.
public func SecKeyUnwrapSymmetric(
    _ keyToUnwrap: UnsafeMutablePointer<Unmanaged<CFData>?>?, _ unwrappingKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    guard let given = unsafe keyToUnwrap?.pointee, unwrappingKey.key.part == .symmetric else {
        unsafe KeyCall.report(errSecParam, "the wrapped key is missing, or the other one is not symmetric", error)
        return nil
    }
    let sealed = unsafe given.takeUnretainedValue()
    guard let bytes = unsafe SecKeyCreateDecryptedData(unwrappingKey, .aesEncryptionGCM, sealed, error) else {
        return nil
    }
    return unsafe SecKeyCreateFromData(parameters, bytes, error)
}

/// Sizes of keys in bits.
@frozen public enum SecKeySizes: UInt32, Sendable {
    /// The usual size of the type.
    case secDefaultKeySize = 0
    /// Triple DES, AES-192 and P-192.
    case sec3DES192 = 192
    /// AES-128.
    case secAES128 = 128
    /// AES-256 and P-256.
    case secAES256 = 256
    /// P-384.
    case secp384r1 = 384
    /// P-521.
    case secp521r1 = 521
    /// The shortest of RSA.
    case secRSAMin = 1024
    /// The longest of RSA.
    case secRSAMax = 4096

    /// AES-192.
    public static let secAES192 = SecKeySizes.sec3DES192
    /// P-192.
    public static let secp192r1 = SecKeySizes.sec3DES192
    /// P-256.
    public static let secp256r1 = SecKeySizes.secAES256
}

/// How a key may ask somebody; keys say it themselves here, by their access control.
@frozen public enum SecCredentialType: UInt32, Sendable {
    /// As the key says.
    case `default` = 0
    /// Asking.
    case withUI = 1
    /// Not asking.
    case noUI = 2
}
