// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainEngine
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

/// A ``SecKey`` on its way out, held to what was laid down about it (decision D41).
struct LeavingKey: OutgoingKey {
    let reference: SecKey

    var key: CryptoKey { reference.key }
    var label: String? { nil }

    func exported(isWrapped: Bool) throws(ExchangeFailure) -> PrivateKey {
        try checkExport(isWrapped: isWrapped)
        return try PrivateKey.file(of: released())
    }

    func exportedBytes() throws(ExchangeFailure) -> SecretValue {
        try checkExport(isWrapped: false)
        do throws(KeyError) {
            let bytes = try key.representation()
            return unsafe bytes.withUnsafeBytes { unsafe SecretValue(copying: $0) }
        } catch { throw ExchangeFailure(KeychainError(error)) }
    }

    private func checkExport(isWrapped: Bool) throws(ExchangeFailure) {
        guard reference.terms.isExtractable else {
            throw ExchangeFailure(.unextractableKey, "the key is one that is not extractable", subject: "extr")
        }
        guard isWrapped || !reference.terms.isSensitive else {
            throw ExchangeFailure(
                .sensitiveKey, "the key leaves only wrapped: export it as wrapped PKCS#8 or as PKCS#12",
                subject: "sens")
        }
        guard !key.isHeldElsewhere || isWrapped && reference.keeper != nil else {
            throw ExchangeFailure(.unextractableKey, "the key does not leave the place where it is kept")
        }
    }

    /// The key with its bytes, which a keychain gives out for nothing but this when it keeps them.
    private func released() throws(ExchangeFailure) -> CryptoKey {
        guard key.isHeldElsewhere, let keeper = reference.keeper else { return key }
        do throws(KeychainError) {
            let bytes = try keeper.perform(.release)
            return try KeyCall.using { () throws(KeyError) in
                try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(key.type, key.part, representation: bytes)
                }
            }
        } catch {
            guard error.reason != .unimplemented else {
                throw ExchangeFailure(.unextractableKey, "the key does not leave the place where it is kept")
            }
            throw ExchangeFailure(error)
        }
    }
}
