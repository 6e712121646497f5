// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

extension Incoming {
    /// An algorithm by its name; a key refuses one that it does not know.
    static func algorithm(_ pointer: CObject?) -> SecKeyAlgorithm? {
        string(of: pointer).map { SecKeyAlgorithm(rawValue: $0) }
    }
}

/// The function of that name for C.
@_cdecl("SecKeyIsAlgorithmSupported")
public func cKeyIsAlgorithmSupported(_ key: CObject?, _ operation: Int, _ algorithm: CObject?) -> UInt8 {
    guard let key = Incoming.reference(key, SecKey.self), let operation = SecKeyOperationType(rawValue: operation),
        let algorithm = Incoming.algorithm(algorithm)
    else { return 0 }
    return SecKeyIsAlgorithmSupported(key, operation, algorithm) ? 1 : 0
}

/// The function of that name for C.
@_cdecl("SecKeyCreateSignature")
public func cKeyCreateSignature(
    _ key: CObject?, _ algorithm: CObject?, _ data: CObject?, _ error: CResult?
) -> CObject? {
    guard let key = Incoming.reference(key, SecKey.self), let algorithm = Incoming.algorithm(algorithm),
        let data = Incoming.data(data)
    else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyCreateSignature(key, algorithm, data, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyCreateEncryptedData")
public func cKeyCreateEncryptedData(
    _ key: CObject?, _ algorithm: CObject?, _ data: CObject?, _ error: CResult?
) -> CObject? {
    guard let key = Incoming.reference(key, SecKey.self), let algorithm = Incoming.algorithm(algorithm),
        let data = Incoming.data(data)
    else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyCreateEncryptedData(key, algorithm, data, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyCreateDecryptedData")
public func cKeyCreateDecryptedData(
    _ key: CObject?, _ algorithm: CObject?, _ data: CObject?, _ error: CResult?
) -> CObject? {
    guard let key = Incoming.reference(key, SecKey.self), let algorithm = Incoming.algorithm(algorithm),
        let data = Incoming.data(data)
    else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyCreateDecryptedData(key, algorithm, data, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyVerifySignature")
public func cKeyVerifySignature(
    _ key: CObject?, _ algorithm: CObject?, _ signedData: CObject?, _ signature: CObject?, _ error: CResult?
) -> UInt8 {
    guard let key = Incoming.reference(key, SecKey.self), let algorithm = Incoming.algorithm(algorithm),
        let signedData = Incoming.data(signedData), let signature = Incoming.data(signature)
    else { return CAnswer.refused(error) == nil ? 0 : 1 }
    return CAnswer.truth(error) { SecKeyVerifySignature(key, algorithm, signedData, signature, $0) } ? 1 : 0
}

/// The function of that name for C.
@_cdecl("SecKeyCopyKeyExchangeResult")
public func cKeyCopyKeyExchangeResult(
    _ privateKey: CObject?, _ algorithm: CObject?, _ publicKey: CObject?, _ parameters: CObject?, _ error: CResult?
) -> CObject? {
    guard let privateKey = Incoming.reference(privateKey, SecKey.self),
        let publicKey = Incoming.reference(publicKey, SecKey.self), let algorithm = Incoming.algorithm(algorithm),
        let parameters = parameters == nil ? NSDictionary() : Incoming.dictionary(parameters)
    else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyCopyKeyExchangeResult(privateKey, algorithm, publicKey, parameters, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyRawSign")
public func cKeyRawSign(
    _ key: CObject?, _ padding: UInt32, _ input: UnsafePointer<UInt8>?, _ count: Int,
    _ output: UnsafeMutablePointer<UInt8>?, _ room: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let key = Incoming.reference(key, SecKey.self), let input, let output, let room, count >= 0 else {
        return errSecParam
    }
    return SecKeyRawSign(key, SecPadding(rawValue: padding), input, count, output, room)
}

/// The function of that name for C.
@_cdecl("SecKeyEncrypt")
public func cKeyEncrypt(
    _ key: CObject?, _ padding: UInt32, _ input: UnsafePointer<UInt8>?, _ count: Int,
    _ output: UnsafeMutablePointer<UInt8>?, _ room: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let key = Incoming.reference(key, SecKey.self), let input, let output, let room, count >= 0 else {
        return errSecParam
    }
    return SecKeyEncrypt(key, SecPadding(rawValue: padding), input, count, output, room)
}

/// The function of that name for C.
@_cdecl("SecKeyDecrypt")
public func cKeyDecrypt(
    _ key: CObject?, _ padding: UInt32, _ input: UnsafePointer<UInt8>?, _ count: Int,
    _ output: UnsafeMutablePointer<UInt8>?, _ room: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let key = Incoming.reference(key, SecKey.self), let input, let output, let room, count >= 0 else {
        return errSecParam
    }
    return SecKeyDecrypt(key, SecPadding(rawValue: padding), input, count, output, room)
}

/// The function of that name for C.
@_cdecl("SecKeyRawVerify")
public func cKeyRawVerify(
    _ key: CObject?, _ padding: UInt32, _ input: UnsafePointer<UInt8>?, _ count: Int,
    _ signature: UnsafePointer<UInt8>?, _ length: Int
) -> Int32 {
    guard let key = Incoming.reference(key, SecKey.self), let input, let signature, count >= 0, length >= 0 else {
        return errSecParam
    }
    return SecKeyRawVerify(key, SecPadding(rawValue: padding), input, count, signature, length)
}
