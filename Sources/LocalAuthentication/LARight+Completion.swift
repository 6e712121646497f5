// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation
public import Security

// The same with functions that are called at the end, for code that does not wait with `await`.

extension LARight {
    /// Asks the person; then calls the function, with an error where it is not allowed.
    public func authorize(
        localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Completion.of({ try await self.authorize(localizedReason: localizedReason) }, handler)
    }

    /// Calls the function, with an error when it could not be allowed now.
    public func checkCanAuthorize(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        Completion.of({ try await self.checkCanAuthorize() }, handler)
    }

    /// Forgets what was shown for it; then calls the function.
    public func deauthorize(completion handler: @escaping @Sendable () -> Void) {
        Completion.of({ await self.deauthorize() }, { _ in handler() })
    }
}

extension LARightStore {
    /// Calls the function with the right that was saved under a name, or an error.
    public func right(
        forIdentifier identifier: String,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        Completion.with({ try await self.right(forIdentifier: identifier) }, handler)
    }

    /// Saves a right with a new key; then calls the function with it, or an error.
    public func saveRight(
        _ right: LARight, identifier: String,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        Completion.with({ try await self.saveRight(right, identifier: identifier) }, handler)
    }

    /// Saves a right with a new key and a secret; then calls the function with it, or an error.
    public func saveRight(
        _ right: LARight, identifier: String, secret: Data,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        Completion.with({ try await self.saveRight(right, identifier: identifier, secret: secret) }, handler)
    }

    /// Removes a right; then calls the function, with an error where that failed.
    public func removeRight(
        _ right: LAPersistedRight, completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Completion.of({ try await self.removeRight(right) }, handler)
    }

    /// Removes the right that was saved under a name; then calls the function, with an error where that failed.
    public func removeRight(
        forIdentifier identifier: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Completion.of({ try await self.removeRight(forIdentifier: identifier) }, handler)
    }

    /// Removes every right of the program; then calls the function, with an error where that failed.
    public func removeAllRights(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        Completion.of({ try await self.removeAllRights() }, handler)
    }
}

extension LASecret {
    /// Calls the function with the bytes, or an error.
    public func loadData(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        Completion.with({ try await self.rawData }, handler)
    }
}

extension LAPrivateKey {
    /// Signs; then calls the function with the signature, or an error.
    public func sign(
        _ data: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        Completion.with({ try await self.sign(data, algorithm: algorithm) }, handler)
    }

    /// Decrypts; then calls the function with what it said, or an error.
    public func decrypt(
        _ data: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        Completion.with({ try await self.decrypt(data, algorithm: algorithm) }, handler)
    }

    /// Agrees on a secret with the other side's public key; then calls the function with it, or an error.
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        let terms = KeyExchangeTerms(parameters)
        Completion.with(
            { try await self.exchangeKeys(publicKey: publicKey, algorithm: algorithm, terms: terms) }, handler)
    }
}

extension LAPublicKey {
    /// Calls the function with the external form, or an error.
    public func exportBytes(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        Completion.with({ try await self.bytes }, handler)
    }

    /// Encrypts; then calls the function with the message, or an error.
    public func encrypt(
        _ data: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        Completion.with({ try await self.encrypt(data, algorithm: algorithm) }, handler)
    }

    /// Calls the function, with an error unless the signature is the key's.
    public func verify(
        _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        Completion.of({ try await self.verify(signedData, signature: signature, algorithm: algorithm) }, handler)
    }
}

/// Work whose end is told.
private enum Completion {
    static func of(
        _ work: @escaping @Sendable () async throws -> Void, _ handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        with(work) { _, error in handler(error) }
    }

    static func with<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result,
        _ handler: @escaping @Sendable (Result?, (any Error)?) -> Void
    ) {
        Task {
            do { handler(try await work(), nil) } catch { handler(nil, error) }
        }
    }
}
