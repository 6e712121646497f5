// SPDX-License-Identifier: Apache-2.0

package import KeychainConnection
package import KeychainIdentity
internal import KeychainModel
package import KeychainRequest
internal import KeychainSystem

/// Which authentication contexts belong to which connected program, however many connections it has, and which requests of
/// its can be taken back.
///
/// Each is of one keychain: the same context may be known to several, and is kept once for each.
package final class ClientContexts: Sendable {
    /// A context or a request, and the keychain that it was told of.
    package struct Told<Name: Hashable & Sendable>: Hashable, Sendable {
        package let name: Name
        package let keychain: Place

        package init(_ name: Name, in keychain: Place) {
            self.name = name
            self.keychain = keychain
        }
    }

    /// What is kept for one program.
    package struct Kept: Sendable, Equatable {
        package fileprivate(set) var contexts: Set<Told<AuthenticationContextID>> = []
        package fileprivate(set) var requests: Set<Told<AuthenticationRequestID>> = []

        fileprivate var count: Int { contexts.count + requests.count }
    }

    private struct Program: Sendable {
        let user: UInt32
        var connections = 0
        var kept = Kept()
    }

    private struct State: Sendable {
        var programs: [ProcessName: Program] = [:]
        /// How much is kept for all programs of a user.
        var ofUser: [UInt32: Int] = [:]

        mutating func count(_ more: Int, of user: UInt32) {
            let count = ofUser[user, default: 0] + more
            ofUser[user] = count == 0 ? nil : count
        }
    }

    private let state = ForkSafeMutex(State())
    private let mostOfUser: Int

    package init(ofUser: Int = ClientContexts.most) { mostOfUser = ofUser }

    package func enter(_ process: ProcessName, of user: UInt32) {
        state.withLock { $0.programs[process, default: Program(user: user)].connections += 1 }
    }

    /// Ends contexts and requests when this was the program's last connection.
    package func leave(_ process: ProcessName) -> Kept {
        state.withLock { state in
            guard var program = state.programs[process] else { return Kept() }
            program.connections -= 1
            if program.connections > 0 {
                state.programs[process] = program
                return Kept()
            }
            state.programs[process] = nil
            state.count(-program.kept.count, of: program.user)
            return program.kept
        }
    }

    /// False when the user has too many already.
    package func begin(_ context: AuthenticationContextID, in keychain: Place, of process: ProcessName) -> Bool {
        keep(Told(context, in: keychain), in: \.contexts, of: process)
    }

    package func end(_ context: AuthenticationContextID, in keychain: Place, of process: ProcessName) {
        drop(Told(context, in: keychain), from: \.contexts, of: process)
    }

    /// False when the user has too many already.
    package func expect(_ request: AuthenticationRequestID, in keychain: Place, of process: ProcessName) -> Bool {
        keep(Told(request, in: keychain), in: \.requests, of: process)
    }

    package func forget(_ request: AuthenticationRequestID, in keychain: Place, of process: ProcessName) {
        drop(Told(request, in: keychain), from: \.requests, of: process)
    }

    private func keep<Name>(
        _ told: Told<Name>, in names: WritableKeyPath<Kept, Set<Told<Name>>>, of process: ProcessName
    ) -> Bool {
        state.withLock { state in
            guard let program = state.programs[process] else { return false }
            if program.kept[keyPath: names].contains(told) { return true }
            guard state.ofUser[program.user, default: 0] < mostOfUser else { return false }
            state.programs[process]?.kept[keyPath: names].insert(told)
            state.count(1, of: program.user)
            return true
        }
    }

    private func drop<Name>(
        _ told: Told<Name>, from names: WritableKeyPath<Kept, Set<Told<Name>>>, of process: ProcessName
    ) {
        state.withLock { state in
            guard let program = state.programs[process],
                state.programs[process]?.kept[keyPath: names].remove(told) != nil
            else { return }
            state.count(-1, of: program.user)
        }
    }

    /// A context keeps a password and a passcode of 4 KiB at most: 64 MiB for all of a user's.
    package static let most = 8192
}

extension UserKeychain {
    /// Forgets what was shown here.
    func forget(_ left: ClientContexts.Kept) {
        _ = try? presence.look { () throws(KeychainError) in
            let session = try host.session()
            for context in left.contexts where context.keychain == place { session.invalidate(context.name) }
            for request in left.requests where request.keychain == place { session.forget(request.name) }
        }
        presence.lookAgain()
    }
}
