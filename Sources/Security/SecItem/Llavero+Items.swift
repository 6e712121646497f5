// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainConnection
package import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
internal import KeychainSystem

extension Llavero {
    /// The SecItem functions for tasks: an item may require a person, who takes minutes, and no thread of a pool waits.
    public static var items: Items { Items() }

    /// The four functions, awaited; they take the same dictionaries and fail with the same statuses.
    ///
    /// Cancelling the task takes back what a person is asked, which then fails with ``errSecUserCanceled``.
    public struct Items: Sendable {
        /// `SecItemAdd`; returns what the attributes ask for.
        @discardableResult
        public nonisolated(nonsending) func add(
            _ attributes: CFDictionary
        ) async throws(LlaveroError) -> CFTypeRef? {
            try await AwaitedCall.run("SecItemAdd") { () throws(KeychainError) in try AddCall(attributes) }
        }

        /// `SecItemCopyMatching`; returns what the query asks for.
        public nonisolated(nonsending) func copyMatching(
            _ query: CFDictionary
        ) async throws(LlaveroError) -> CFTypeRef? {
            let (parsed, hosts) = try Items.parsed(query)
            if hosts.isEmpty {
                return try await AwaitedCall.run("SecItemCopyMatching") { () throws(KeychainError) in
                    MatchCall(parsed, in: try parsed.keychains.searchedHost())
                }
            }
            return try await AwaitedCall.run("SecItemCopyMatching") { () throws(KeychainError) in
                SearchedMatch(parsed, in: hosts)
            }
        }

        /// `SecItemUpdate`.
        public nonisolated(nonsending) func update(
            _ query: CFDictionary, _ attributesToUpdate: CFDictionary
        ) async throws(LlaveroError) {
            try await AwaitedCall.run("SecItemUpdate") { () throws(KeychainError) in
                try UpdateCall(query, attributesToUpdate)
            }
        }

        /// `SecItemDelete`.
        public nonisolated(nonsending) func delete(_ query: CFDictionary) async throws(LlaveroError) {
            try await AwaitedCall.run("SecItemDelete") { () throws(KeychainError) in try DeleteCall(query) }
        }

        /// What a query asks, and the keychains it searches where they are several.
        private static func parsed(
            _ query: CFDictionary
        ) throws(LlaveroError) -> (ParsedMatch, [any KeychainHost]) {
            do throws(KeychainError) {
                return try ForkGate.operation { () throws(KeychainError) in
                    let parsed = try MatchRequest.parse(query)
                    return (parsed, try parsed.keychains.severalHosts())
                }
            } catch {
                Log.failure(of: "SecItemCopyMatching", error)
                throw LlaveroError(error)
            }
        }
    }
}

/// A call that a task awaits while its middle part runs on a thread of its own.
enum AwaitedCall {
    @discardableResult
    static nonisolated(nonsending) func run<Call: ItemCall>(
        _ name: StaticString, _ make: () throws(KeychainError) -> Call
    ) async throws(LlaveroError) -> CFTypeRef? {
        do throws(KeychainError) {
            let call = try ForkGate.operation(make)
            let answer = try await answer(to: call)
            return try ForkGate.operation { () throws(KeychainError) in
                var result: CFTypeRef?
                unsafe call.give(answer, to: &result)
                return result
            }
        } catch {
            Log.failure(of: name, error)
            throw LlaveroError(error)
        }
    }

    private static nonisolated(nonsending) func answer<Call: ItemCall>(
        to call: Call
    ) async throws(KeychainError) -> Call.Answer {
        let session = try ForkGate.operation { () throws(KeychainError) in try call.host.session() }
        // By which its own question can be taken back, and no other that is asked for the same context.
        let request = AuthenticationRequestID.random()
        ForkGate.operation { session.expect(request) }
        defer { ForkGate.operation { session.forget(request) } }
        var asking = call
        asking.authentication.request = request
        let outcome = await withTaskCancellationHandler {
            await OwnThread.outcome { [asking] () throws(KeychainError) in
                try ForkGate.operation { () throws(KeychainError) in try asking.answer() }
            }
        } onCancel: {
            ForkGate.operation { session.takeBack(request) }
        }
        return try outcome.get()
    }
}

/// Work that may wait for a person: on a thread of its own, never on the caller's, nor on one of a pool that others need.
package enum OwnThread {
    /// Runs `body` there, or calls `refused` here when the system has no thread left.
    package static func run(
        _ body: @escaping @Sendable () -> Void, orElse refused: (KeychainError) -> Void
    ) {
        let failure = NamedThread.start("llavero-call", body)
        guard failure != 0 else { return }
        refused(KeychainError(.outOfMemory, "the system cannot start a thread to wait on", code: Int64(failure)))
    }

    /// How `body` ended there.
    static nonisolated(nonsending) func outcome<Success: Sendable>(
        _ body: @escaping @Sendable () throws(KeychainError) -> Success
    ) async -> Result<Success, KeychainError> {
        await withCheckedContinuation { continuation in
            run {
                do throws(KeychainError) {
                    let success = try body()
                    continuation.resume(returning: .success(success))
                } catch { continuation.resume(returning: .failure(error)) }
            } orElse: { error in
                continuation.resume(returning: .failure(error))
            }
        }
    }
}
