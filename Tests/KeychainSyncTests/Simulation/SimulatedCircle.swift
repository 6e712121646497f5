// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

/// A circle of devices in memory, and its server.
final class SimulatedCircle<Server: SimulatedServer> {
    let server: Server
    private(set) var devices: [SimulatedDevice] = []
    /// Takes the groups that begin with "a."; the other one takes the rest.
    let firstView: SyncView
    let secondView: SyncView
    var now = 800_000_000.0
    var random: Seed

    /// A circle of so many devices, which all own it and write both views.
    init(_ count: Int, _ seed: Seed, on server: Server) throws {
        self.server = server
        random = seed
        firstView = try #require(SyncView([UInt8](repeating: 0xA1, count: 16)))
        secondView = try #require(SyncView([UInt8](repeating: 0xB2, count: 16)))
        for number in 0..<count {
            devices.append(try SimulatedDevice("device \(number)", Seed(random.next())))
        }
        try found()
    }

    var views: [SyncView] { [firstView, secondView] }

    subscript(number: Int) -> SimulatedDevice { devices[number] }

    private func secret() -> SecretBytes {
        SecretBytes(count: ViewKey.size) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    private func found() throws {
        let founder = devices[0]
        let namesSecret = secret()
        let sealed: [UInt8] = [1]
        let (log, first) = try CircleLog.found(
            by: founder.device, named: sealed, commitment: ViewKey.commitment(toFirst: namesSecret), now: now,
            chance: (0..<Founding.chanceSize).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let names = try #require(log.membership.namesView)
        var keys = [try ViewKey(circle: log.circle, view: names, secret: namesSecret)]
        for view in views { keys.append(try ViewKey(circle: log.circle, view: view, secret: secret())) }
        founder.keep(keys)
        let ring = try founder.keyring(of: log.circle)
        var grown = log
        var insertion = CircleInsertion()
        insertion.chains = [(.log, first)]
        func append(_ action: LogAction) throws {
            let body = try grown.body(action, by: founder.device, now: now)
            _ = try grown.take([body])
            insertion.chains.append((.log, body))
        }
        let policies = [
            ViewPolicy(name: "first", groups: ["a.*"]), ViewPolicy(name: "second", takesTheRest: true),
        ]
        for (index, view) in views.enumerated() {
            try append(
                .view(
                    view, sealedPolicy: ring.seal(policies[index].encoded(), of: .policy(view)),
                    commitment: keys[index + 1].commitment()))
        }
        let roles = Roles(isOwner: true, views: [firstView: .writer, secondView: .writer])
        try append(.roles(founder.id, roles))
        var given = GivenKeys(of: log.circle)
        for other in devices.dropFirst() {
            try append(.admit(other.device.card, .word(roles, sealedName: [2])))
            for key in keys { given.give(key, to: other.device.card, other.id) }
        }
        insertion.shares = try given.shares(by: founder.device) { () throws(CircleError) in 1 }
        try server.take(log.circle)
        _ = try server.way(of: founder.id).perform(.insert(insertion))
        for device in devices {
            let state = CircleState(
                device: device.id,
                log: device.id == founder.id ? log : CircleLog(circle: log.circle, expecting: grown.tip))
            _ = device.keychain.perform(try state.beginning())
        }
        // As founders do, who can put it back.
        guard case .state(let stored?) = founder.keychain.perform(.state(knowing: nil)) else { return }
        var batch = SyncBatch(version: stored.version)
        batch.heads = [(names, SyncHead(number: first.number, body: first.body))]
        _ = founder.keychain.perform(.apply(batch))
    }

    /// Admits one more device, by a round of another.
    func admit(by sponsor: SimulatedDevice, _ name: String) throws -> SimulatedDevice? {
        let device = try SimulatedDevice(name, Seed(random.next()))
        let roles = Roles(isOwner: true, views: [firstView: .writer, secondView: .writer])
        var options = SyncRound.Settings()
        options.task = .change([.admit(device.device.card, .word(roles, sealedName: [2]))])
        let report = try synchronize(sponsor, options)
        guard case .complete = report.end, let state = try sponsor.state else { return nil }
        let known = CircleState(
            device: device.id, log: CircleLog(circle: state.log.circle, expecting: state.log.tip))
        _ = device.keychain.perform(try known.beginning())
        devices.append(device)
        return device
    }

    /// A whole round of a device, with nobody else in between.
    @discardableResult
    func synchronize(
        _ device: SimulatedDevice, _ options: SyncRound.Settings = SyncRound.Settings()
    ) throws -> RoundReport {
        try device.synchronize(server.way(of: device.id), options, now: now)
    }

    /// The devices that are members still.
    var members: [SimulatedDevice] { devices.filter { !$0.isRemoved } }

    /// Rounds of all, until nobody has anything to send or to take.
    func settle() throws {
        for _ in 0..<4 {
            for device in members {
                let report = try synchronize(device)
                if device.isRemoved { continue }
                #expect(report.alarms.isEmpty, "\(device.name): \(report.alarms)")
                guard case .complete = report.end else {
                    Issue.record("\(device.name): \(report.end)")
                    continue
                }
            }
        }
    }
}

extension SimulatedCircle where Server == MemoryServer {
    convenience init(_ count: Int, _ seed: Seed) throws { try self.init(count, seed, on: MemoryServer()) }
}
