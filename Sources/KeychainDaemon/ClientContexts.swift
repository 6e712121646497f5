// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
package import KeychainIdentity
internal import KeychainModel
package import KeychainRequest

/// Which authentication contexts belong to which connected program, however many connections it has, and which requests of
/// its can be taken back.
package final class ClientContexts: Sendable {
    /// What is kept for one program.
    package struct Kept: Sendable, Equatable {
        package fileprivate(set) var contexts: Set<AuthenticationContextID> = []
        package fileprivate(set) var requests: Set<AuthenticationRequestID> = []
    }

    private struct Program: Sendable {
        var connections = 0
        var kept = Kept()
    }

    package init() {}

    private let programs = ForkSafeMutex<[ProcessName: Program]>([:])

    package func enter(_ process: ProcessName) {
        programs.withLock { $0[process, default: Program()].connections += 1 }
    }

    /// What nobody is left for, when this was the program's last connection.
    package func leave(_ process: ProcessName) -> Kept {
        programs.withLock { programs in
            guard var program = programs[process] else { return Kept() }
            program.connections -= 1
            programs[process] = program.connections > 0 ? program : nil
            return program.connections > 0 ? Kept() : program.kept
        }
    }

    /// False when the program has too many already.
    package func begin(_ context: AuthenticationContextID, of process: ProcessName) -> Bool {
        keep(context, in: \.contexts, of: process)
    }

    package func end(_ context: AuthenticationContextID, of process: ProcessName) {
        programs.withLock { _ = $0[process]?.kept.contexts.remove(context) }
    }

    /// False when the program has too many already.
    package func expect(_ request: AuthenticationRequestID, of process: ProcessName) -> Bool {
        keep(request, in: \.requests, of: process)
    }

    package func forget(_ request: AuthenticationRequestID, of process: ProcessName) {
        programs.withLock { _ = $0[process]?.kept.requests.remove(request) }
    }

    private func keep<Name: Hashable>(
        _ name: Name, in names: WritableKeyPath<Kept, Set<Name>>, of process: ProcessName
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
