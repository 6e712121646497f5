// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The public half of a key, which a public key is itself; nil for a symmetric key.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    unsafe KeyCall.result("SecKeyCopyPublicKey", nil) { () throws(KeychainError) in try key.publicHalf() }
}

extension SecKey {
    func publicHalf() throws(KeychainError) -> SecKey {
        if key.part == .public { return self }
        let half = try KeyCall.using { () throws(KeyError) in try key.publicKey() }
        return SecKey(half, terms: publicTerms)
    }
}
