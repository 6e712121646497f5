// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainConnection
import KeychainCrypto
import KeychainEngine
import KeychainModel
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import TestProcesses

/// A device with a keychain in a folder, which does what the daemon's thread does.
final class RealDevice {
    private let host: EmbeddedHost
    /// What a program of the user's sees.
    let program: any KeychainSession
    let session: any KeychainSession
    private var memory = CircleRunner.Memory()

    init(folder: String) throws {
        host = EmbeddedHost(
            place: .folder(root: folder, name: "login"), entitlements: .open, clock: ProcessHost.systemClock,
            passcodeCost: .light, authenticators: .none, tpm: { "" }, plan: { CreationPlan() })
        session = try host.session(for: CircleItems.caller)
        program = try host.session()
    }

    deinit {
        host.forgetKeys()
        host.closeIdle()
    }

    /// Its keys, which are made if it has none.
    func makeKeys() throws -> DeviceKeys {
        try DeviceKeys.stored(in: session) ?? DeviceKeys.make(in: session, of: .software)
    }

    /// Becomes one of a circle's, which was told of it by its newest entry.
    func join(_ log: CircleLog) throws {
        let state = CircleState(
            device: try makeKeys().card.id(), log: CircleLog(circle: log.circle, expecting: log.tip))
        try LocalCircle.begin(state, [], in: session)
    }

    @discardableResult
    func round(_ server: any CircleTransport) throws -> RoundReport {
        guard let circle = try LocalCircle.open(in: session, knowing: memory.read) else {
            throw Trouble("in no circle")
        }
        var options = SyncRound.Settings()
        options.place = [UInt8](repeating: 1, count: 16)
        let surroundings = CircleRunner.Surroundings(now: ProcessHost.systemClock, pause: { _ in true }, snapshot: {})
        let report = try CircleRunner(session, server, surroundings).run(circle, options, keeping: &memory)
        guard let report, case .complete = report.end, report.alarms.isEmpty else { throw Trouble("\(report as Any)") }
        return report
    }

    /// How often the circle's state was written.
    var version: UInt64 {
        get throws {
            guard case .sync(.state(let state?)) = try session.perform(.sync(.state())) else { return 0 }
            return state.version
        }
    }

    /// In a process of its own: the first round, and the most memory that it had.
    func measureFirstSync(at address: String) throws {
        guard let circle = try LocalCircle.open(in: session)?.state.log.circle else { throw Trouble("in no circle") }
        let server = Metered(PostgresTransport(try ServerAddress(address), circle: circle, password: nil))
        let before = Figure.memory()
        let seconds = try Figure.time { try round(server) }
        print("\(seconds) \(server.seconds) \(before) \(Figure.memory())")
    }
}
