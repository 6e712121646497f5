// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Which authentication contexts belong to which connected program, however many connections it has.
final class ClientContexts: Sendable {
    private struct Program: Sendable {
        var connections = 0
        var contexts: Set<AuthenticationContextID> = []
    }

    private let programs = ForkSafeMutex<[Int32: Program]>([:])

    func enter(_ process: Int32) { programs.withLock { $0[process, default: Program()].connections += 1 } }

    /// The contexts that nobody is left for, when this was the program's last connection.
    func leave(_ process: Int32) -> Set<AuthenticationContextID> {
        programs.withLock { programs in
            guard var program = programs[process] else { return [] }
            program.connections -= 1
            programs[process] = program.connections > 0 ? program : nil
            return program.connections > 0 ? [] : program.contexts
        }
    }

    /// False when the program has too many already.
    func begin(_ context: AuthenticationContextID, of process: Int32) -> Bool {
        programs.withLock { programs in
            guard let program = programs[process], program.contexts.count < ClientContexts.most else { return false }
            programs[process]?.contexts.insert(context)
            return true
        }
    }

    func end(_ context: AuthenticationContextID, of process: Int32) {
        programs.withLock { _ = $0[process]?.contexts.remove(context) }
    }

    private static let most = 10_000
}
