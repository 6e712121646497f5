// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import KeychainSystem
import TestPostgres
import TestProcesses
import TestSeed
import Testing

/// A PostgreSQL server with a place for one simulated circle after the other.
final class PostgresCircles {
    fileprivate let server: PostgresServer
    fileprivate static let roles = (0..<40).map { "simulated \($0)" }

    init() throws {
        server = try PostgresServer()
        let password = SecretValue(copying: Array("by-the-socket".utf8))
        let verifier = try #require(ScramVerifier(password: password, salt: [UInt8](repeating: 5, count: 16)))
        let nowhere = try #require(CircleID([UInt8](repeating: 0, count: CircleID.size)))
        try server.sql(
            SyncSchema.setUp
                + PostgresCircles.roles.map {
                    try SyncSchema.member($0, circle: nowhere, login: .password(verifier))
                }.joined(separator: "\n"))
    }

    /// A place for one more circle.
    func place() throws -> PostgresCircle { try PostgresCircle(self) }
}

/// One circle's place on it: each device comes with a role of its own, by a socket whose connections can be cut.
final class PostgresCircle: SimulatedServer {
    private let circles: PostgresCircles
    private let proxy: CuttingProxy
    private var circle: CircleID?
    private var ways: [DeviceID: PostgresTransport] = [:]
    private var direct: PostgresTransport?

    fileprivate init(_ circles: PostgresCircles) throws {
        self.circles = circles
        proxy = try CuttingProxy(before: circles.server)
    }

    private var name: String {
        get throws { "'\\x\(Hexadecimal.digits(of: try #require(circle).bytes))'" }
    }

    func take(_ circle: CircleID) throws {
        self.circle = circle
        try circles.server.sql(
            "insert into llavero.lv_right (who, circle) select r, \(name) from unnest(array["
                + PostgresCircles.roles.map { "'\($0)'" }.joined(separator: ", ") + "]) as r")
    }

    func way(of device: DeviceID) throws -> any CircleTransport {
        if let way = ways[device] { return way }
        // The first role is the outsider's.
        let way = try transport(role: ways.count + 1, folder: proxy.folder.path)
        ways[device] = way
        return way
    }

    private func transport(role: Int, folder: String) throws -> PostgresTransport {
        let role = try #require(role < PostgresCircles.roles.count ? PostgresCircles.roles[role] : nil)
        return PostgresTransport(
            try ServerAddress("host=\(folder) port=\(circles.server.port) dbname=circles user='\(role)'"),
            circle: try #require(circle), password: nil)
    }

    func breakingWay(of device: DeviceID, _ cut: CutServer.Cut, _ random: inout Seed) throws -> any CircleTransport {
        // Most answers are short, and some requests: behind a byte that does not come nothing is cut.
        BreakingWay(
            way: try way(of: device), proxy: proxy, direction: cut == .before ? .toServer : .toClient,
            bytes: Int(random.next() % (random.oneIn(2) ? 120 : 4000)))
    }

    var outsider: any CircleTransport { get throws { try readable() } }

    private func readable() throws -> PostgresTransport {
        if let direct { return direct }
        let made = try transport(role: 0, folder: circles.server.socket)
        direct = made
        return made
    }

    func leave(_ device: DeviceID) { ways[device]?.close() }

    func newest(_ chain: CircleChain) throws -> UInt64 {
        guard case .newest(let ends) = try readable().perform(.newest([chain])) else { return 0 }
        return ends.first?.number ?? 0
    }

    var inserted: [[UInt8]] {
        get throws {
            let name = try name
            let tables = ["head", "record", "share", "seen", "mail"].map {
                "select encode(body, 'hex') from llavero.lv_\($0) where circle = \(name)"
            }
            let rows = try circles.server.sql(tables.joined(separator: " union all "))
            return try rows.split(separator: "\n").map { try #require(Hexadecimal.bytes(of: String($0))) }
        }
    }
}

/// A device's way, of which one request passes so many bytes in one direction.
private struct BreakingWay: CircleTransport {
    let way: any CircleTransport
    let proxy: CuttingProxy
    let direction: CuttingProxy.Direction
    let bytes: Int

    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        proxy.cut(direction, behind: bytes)
        defer { proxy.reset() }
        return try way.perform(request)
    }
}
