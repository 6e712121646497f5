// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem

/// Whether a program may see what is in the collections.
package enum Admission: Sendable, Equatable {
    case allowed
    /// A person has to be asked first, when the program wants to unlock something.
    case undecided
    case refused
}

/// What holds for each client, by the program that it is and what was decided about that.
package final class ProgramPolicy: Sendable {
    private struct State: Sendable {
        var list = ProgramList()
        /// nil before the first reading, and while the list cannot be read.
        var version: OwnersFile.Version??
        var isUnreadable = false
        /// Programs that a person did not answer about, and until when nobody is asked again.
        var pauses: [BusProgram: Instant] = [:]
    }

    private let state = ForkSafeMutex(State())
    private let file: ProgramFile
    /// Seconds since 1970.
    private let clock: @Sendable () -> UInt64

    package init(_ file: ProgramFile, clock: @escaping @Sendable () -> UInt64) {
        self.file = file
        self.clock = clock
    }

    /// What holds for a client now.
    package func admission(of client: BusClient) -> Admission {
        let program = program(of: client)
        return state.withLock { state in
            refresh(&state)
            if state.isUnreadable { return .undecided }
            return switch state.list.decision(on: program) {
            case .allow: .allowed
            case .ask: .undecided
            case .refuse: .refused
            }
        }
    }

    /// The program that a client is; looked at again when its process executes another file.
    package func program(of client: BusClient) -> BusProgram {
        guard let number = client.process else { return .unknown }
        if let known = client.lastSeen.withLock({ $0 }), known.isUnchanged { return known.program }
        guard let process = BusProcess(number) else { return .unknown }
        client.lastSeen.withLock { $0 = process }
        // Written when it comes first, or first today; a list that cannot be written loses only that.
        try? file.change { $0.note(process.program, at: clock()) }
        return process.program
    }

    /// Whether a person may be asked about the program now, who did not answer a moment ago.
    func mayAsk(about client: BusClient) -> Bool {
        let program = program(of: client)
        return state.withLock { ($0.pauses[program] ?? .now) <= .now }
    }

    /// Keeps what a person decided; nil where nobody answered.
    func keep(_ isAllowed: Bool?, for client: BusClient) {
        let program = program(of: client)
        guard let isAllowed else {
            let end = Instant.now.adding(seconds: ProgramPolicy.pause)
            return state.withLock { $0.pauses[program] = end }
        }
        try? file.change { $0.decide(isAllowed ? .allow : .refuse, on: program, at: clock()) }
    }

    /// What a person sees of a program.
    func shownName(of client: BusClient) -> String { program(of: client).shown }

    private func refresh(_ state: inout State) {
        let version = file.version
        if let known = state.version, known == version { return }
        do throws(KeychainError) {
            let read = try file.read()
            state.list = read.list
            state.version = read.version
            state.isUnreadable = false
        } catch {
            state.version = nil
            state.isUnreadable = true
        }
    }

    private static let pause: UInt32 = 60
}
