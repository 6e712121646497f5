// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

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
