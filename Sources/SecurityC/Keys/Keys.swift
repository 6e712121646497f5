// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeyGetTypeID")
public func cKeyGetTypeID() -> UInt {
    csec_type_id(csec_kind_key)
}

/// The function of that name for C.
@_cdecl("SecKeyCreateRandomKey")
public func cKeyCreateRandomKey(_ parameters: CObject?, _ error: CResult?) -> CObject? {
    guard let parameters = Incoming.dictionary(parameters) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyCreateRandomKey(parameters, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyCreateWithData")
public func cKeyCreateWithData(_ keyData: CObject?, _ attributes: CObject?, _ error: CResult?) -> CObject? {
    guard let keyData = Incoming.data(keyData), let attributes = Incoming.dictionary(attributes) else {
        return CAnswer.refused(error)
    }
    return CAnswer.object(error) { SecKeyCreateWithData(keyData, attributes, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyDeriveFromPassword")
public func cKeyDeriveFromPassword(_ password: CObject?, _ parameters: CObject?, _ error: CResult?) -> CObject? {
    guard let password = Incoming.string(of: password), let parameters = Incoming.dictionary(parameters) else {
        return CAnswer.refused(error)
    }
    return CAnswer.object(error) { SecKeyDeriveFromPassword(password, parameters, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyGeneratePair")
public func cKeyGeneratePair(_ parameters: CObject?, _ publicKey: CResult?, _ privateKey: CResult?) -> Int32 {
    guard let parameters = Incoming.dictionary(parameters) else { return errSecParam }
    var publicHalf: SecKey?
    var privateHalf: SecKey?
    let status = SecKeyGeneratePair(parameters, &publicHalf, &privateHalf)
    Outgoing.put(publicHalf, into: publicKey)
    Outgoing.put(privateHalf, into: privateKey)
    return status
}

/// The function of that name for C.
@_cdecl("SecKeyCopyPublicKey")
public func cKeyCopyPublicKey(_ key: CObject?) -> CObject? {
    Incoming.reference(key, SecKey.self).flatMap { Outgoing.object(SecKeyCopyPublicKey($0)) }
}

/// The function of that name for C.
@_cdecl("SecKeyCopyAttributes")
public func cKeyCopyAttributes(_ key: CObject?) -> CObject? {
    Incoming.reference(key, SecKey.self).flatMap { Outgoing.object(SecKeyCopyAttributes($0)) }
}

/// The function of that name for C.
@_cdecl("SecKeyCopyExternalRepresentation")
public func cKeyCopyExternalRepresentation(_ key: CObject?, _ error: CResult?) -> CObject? {
    guard let key = Incoming.reference(key, SecKey.self) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyCopyExternalRepresentation(key, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyGetBlockSize")
public func cKeyGetBlockSize(_ key: CObject?) -> Int {
    Incoming.reference(key, SecKey.self).map { SecKeyGetBlockSize($0) } ?? 0
}
