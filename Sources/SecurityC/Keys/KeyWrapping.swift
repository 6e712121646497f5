// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecKeyGenerateSymmetric")
public func cKeyGenerateSymmetric(_ parameters: CObject?, _ error: CResult?) -> CObject? {
    guard let parameters = Incoming.plainDictionary(parameters) else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyGenerateSymmetric(parameters, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyCreateFromData")
public func cKeyCreateFromData(_ parameters: CObject?, _ keyData: CObject?, _ error: CResult?) -> CObject? {
    guard let parameters = Incoming.plainDictionary(parameters), let keyData = Incoming.data(keyData) else {
        return CAnswer.refused(error)
    }
    return CAnswer.object(error) { SecKeyCreateFromData(parameters, keyData, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyWrapSymmetric")
public func cKeyWrapSymmetric(_ keyToWrap: CObject?, _ wrappingKey: CObject?, _ parameters: CObject?, _ error: CResult?)
    -> CObject?
{
    guard let keyToWrap = Incoming.reference(keyToWrap, SecKey.self),
        let wrappingKey = Incoming.reference(wrappingKey, SecKey.self),
        let parameters = Incoming.plainDictionary(parameters)
    else { return CAnswer.refused(error) }
    return CAnswer.object(error) { SecKeyWrapSymmetric(keyToWrap, wrappingKey, parameters, $0) }
}

/// The function of that name for C.
@_cdecl("SecKeyUnwrapSymmetric")
public func cKeyUnwrapSymmetric(
    _ keyToUnwrap: CResult?, _ unwrappingKey: CObject?, _ parameters: CObject?, _ error: CResult?
) -> CObject? {
    guard let wrapped = Incoming.data(keyToUnwrap?.pointee), let key = Incoming.reference(unwrappingKey, SecKey.self),
        let parameters = Incoming.plainDictionary(parameters)
    else { return CAnswer.refused(error) }
    // The caller keeps the data.
    var given: Unmanaged<CFData>? = .passUnretained(wrapped)
    return withExtendedLifetime(wrapped) {
        CAnswer.object(error) { SecKeyUnwrapSymmetric(&given, key, parameters, $0) }
    }
}
