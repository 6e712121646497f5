// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// Which authentication contexts belong to which connected program, however many connections it has, and which requests of
/// its can be taken back.
final class ClientContexts: Sendable {
    /// What is kept for one program.
    struct Kept: Sendable {
        fileprivate(set) var contexts: Set<AuthenticationContextID> = []
        fileprivate(set) var requests: Set<AuthenticationRequestID> = []
    }

    private struct Program: Sendable {
        var connections = 0
        var kept = Kept()
    }

    private let programs = ForkSafeMutex<[Int32: Program]>([:])

    func enter(_ process: Int32) { programs.withLock { $0[process, default: Program()].connections += 1 } }

    /// What nobody is left for, when this was the program's last connection.
    func leave(_ process: Int32) -> Kept {
        programs.withLock { programs in
            guard var program = programs[process] else { return Kept() }
            program.connections -= 1
            programs[process] = program.connections > 0 ? program : nil
            return program.connections > 0 ? Kept() : program.kept
        }
    }

    /// False when the program has too many already.
    func begin(_ context: AuthenticationContextID, of process: Int32) -> Bool {
        keep(context, in: \.contexts, of: process)
    }

    func end(_ context: AuthenticationContextID, of process: Int32) {
        programs.withLock { _ = $0[process]?.kept.contexts.remove(context) }
    }

    /// False when the program has too many already.
    func expect(_ request: AuthenticationRequestID, of process: Int32) -> Bool {
        keep(request, in: \.requests, of: process)
    }

    func forget(_ request: AuthenticationRequestID, of process: Int32) {
        programs.withLock { _ = $0[process]?.kept.requests.remove(request) }
    }

    private func keep<Name: Hashable>(
        _ name: Name, in names: WritableKeyPath<Kept, Set<Name>>, of process: Int32
    ) -> Bool {
        programs.withLock { programs in
            guard let kept = programs[process]?.kept[keyPath: names],
                kept.count < ClientContexts.most || kept.contains(name)
            else { return false }
            programs[process]?.kept[keyPath: names].insert(name)
            return true
        }
    }

    private static let most = 10_000
}

extension UserKeychain {
    /// Forgets what was shown here; of what is another keychain's it knows nothing.
    func forget(_ left: ClientContexts.Kept) {
        _ = try? presence.look { () throws(KeychainError) in
            let authentication = try host.connection().authentication
            for context in left.contexts { authentication.invalidate(context) }
            for request in left.requests { authentication.forget(request) }
        }
        presence.lookAgain()
    }
}
