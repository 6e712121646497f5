// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// A call that a task awaits while its middle part runs on a thread of its own.
enum AwaitedCall {
    @discardableResult
    static nonisolated(nonsending) func run<Call: ItemCall>(
        _ name: StaticString, _ make: () throws(KeychainError) -> Call
    ) async throws(LlaveroError) -> CFTypeRef? {
        do throws(KeychainError) {
            let call = try make()
            let answer = try await answer(to: call)
            return try KeychainConnection.operation { () throws(KeychainError) in
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
        let authentication = try call.host.connection().authentication
        // By which its own question can be taken back, and no other that is asked for the same context.
        let request = AuthenticationRequestID.random()
        authentication.expect(request)
        defer { authentication.forget(request) }
        var asking = call
        asking.authentication.request = request
        let outcome = await withTaskCancellationHandler {
            await OwnThread.outcome { [asking] () throws(KeychainError) in
                try KeychainConnection.operation { () throws(KeychainError) in try asking.answer() }
            }
        } onCancel: {
            authentication.takeBack(request)
        }
        return try outcome.get()
    }
}
