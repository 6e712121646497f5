// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import LlaveroFoundation

/// Keys of the enclave that no item stands for: their maker keeps them as bytes, which mean nothing elsewhere.
///
/// Apple offers them in another module, and so do we.
package enum OutsideSecKey {
    /// Whether the program's keychain can be opened, whose enclave makes keys.
    package static var isAvailable: Bool {
        unsafe KeyCall.result("SecureEnclave.isAvailable", nil) { () throws(KeychainError) in
            _ = try CurrentKeychain.host().session().means()
        } != nil
    }

    /// A new key and its bytes; throws an `NSError` with a status.
    ///
    /// `context` is an `LAContext`, or nil.
    package static func make(
        under control: SecAccessControl, isCompact: Bool, context: AnyObject?
    ) throws -> (key: SecKey, bytes: Data) {
        try call("SecureEnclave.PrivateKey") { () throws(KeychainError) in
            guard let control = control.control else {
                throw KeychainError(.parameter, "the access control has no protection class", subject: "accc")
            }
            let host = try CurrentKeychain.host()
            var request = GenerateKeyRequest(
                type: KeyType.ec.rawValue, bits: 256, place: .enclave, key: nil, publicKey: nil)
            request.outside = OutsideKeyTerms(control: control, isCompact: isCompact)
            request.authentication = try terms(context)
            guard let made = try host.session().generateKey(request).loose else {
                throw KeychainError(.internalError, "the keychain made no key")
            }
            return (try key(made, host, request.authentication), Data([version] + made.publicKey + made.blob))
        }
    }

    /// The key of such bytes; throws an `NSError` with a status.
    ///
    /// Whether they are this enclave's is known when it is used.
    package static func read(_ bytes: Data, context: AnyObject?) throws -> SecKey {
        try call("SecureEnclave.PrivateKey") { () throws(KeychainError) in
            guard bytes.count > 1 + pointSize, bytes.count <= largest, bytes.first == version else {
                throw KeychainError(.parameter, "the data is not a key of an enclave")
            }
            let content = [UInt8](bytes.dropFirst())
            let loose = LooseEnclaveKey(
                publicKey: Array(content.prefix(pointSize)), blob: Array(content.dropFirst(pointSize)))
            return try key(loose, try CurrentKeychain.host(), try terms(context))
        }
    }

    private static func key(
        _ loose: LooseEnclaveKey, _ host: any KeychainHost, _ authentication: AuthenticationTerms
    ) throws(KeychainError) -> SecKey {
        // A point that is none is refused here: the public half is what programs go by.
        let outline = try KeyCall.using { () throws(KeyError) in
            try KeyOutline(privateKeyOf: CryptoKey(.ec, .public, representation: loose.publicKey).checkedPoint(), .ec)
        }
        var terms = KeyTerms.none
        terms.isExtractable = false
        return SecKey(
            CryptoKey(elsewhere: outline), terms: terms,
            keeper: KeyKeeper(host: host, key: .outside(loose), authentication: authentication))
    }

    private static func terms(_ context: AnyObject?) throws(KeychainError) -> AuthenticationTerms {
        guard let context else { return .usual }
        guard let carrying = context as? any AuthenticationContextCarrying else {
            throw KeychainError(.parameter, "the value is not an LAContext", subject: "u_AuthCtx")
        }
        return try carrying.authenticationTerms()
    }

    private static func call<Result>(
        _ name: StaticString, _ body: () throws(KeychainError) -> Result
    ) throws -> Result {
        var error: Unmanaged<CFError>?
        guard let result = unsafe KeyCall.result(name, &error, body) else {
            throw unsafe error?.takeRetainedValue() ?? NSError(domain: NSOSStatusErrorDomain, code: Int(errSecInternal))
        }
        return result
    }

    private static let version: UInt8 = 1
    private static let pointSize = 65
    /// More than any enclave's blob under any access control.
    private static let largest = 1 << 16
}

extension CryptoKey {
    fileprivate func checkedPoint() throws(KeyError) -> [UInt8] {
        guard let publicRepresentation, bits == 256 else { throw .malformed }
        return publicRepresentation
    }
}
