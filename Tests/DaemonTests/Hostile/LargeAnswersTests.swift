// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainWire
import Testing

/// Clients that ask for all there is, many at once, and do not read it.
@Suite struct LargeAnswersTests {
    private static let items = 16
    private static let clients = 40

    private var all: WireCall {
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        return .match(MatchRequest(predicate: predicate, returning: [.data, .attributes], limit: .all))
    }

    /// The most memory that a process had at a time, in bytes.
    private func peak(of process: Process) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first ?? ""))
            << 10
    }

    @Test("answers find room before they are made: forty of fifteen megabytes are never all in memory")
    func room() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon("--system", "--socket", scene.socket, "--home", scene.file("homes"))
        defer {
            daemon.terminate()
            daemon.waitUntilExit()
        }
        let large = String(repeating: "x", count: 940_000)
        let first = try HostileClient(scene)
        for number in 0..<Self.items {
            var attributes = AttributeList()
            attributes[.account] = .string("item-\(number)")
            let request = AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
                protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
                secret: SecretValue(copying: Array(large.utf8)), returning: [], origin: .caller)
            #expect(try first.failure(.add(request)) == nil)
        }
        let before = try peak(of: daemon)
        let clients = try (0..<Self.clients).map { _ in try HostileClient(scene) }
        for client in clients { try client.tell(all) }
        // Those who have no room wait for it a while; a small call is answered beside all that.
        #expect(try HostileClient(scene).ask(.means) != nil)
        var (whole, refused) = (0, 0)
        for client in clients {
            switch try client.listen() {
            case .found(let found): whole += found.count == Self.items ? 1 : 0
            case .failure(let error) where error.reason == .notAvailable: refused += 1
            default: Issue.record("neither all nor a refusal")
            }
        }
        #expect(whole + refused == Self.clients)
        // All may begin at once and be in each other's way; then they go on one after the other.
        #expect(whole > 0)
        // Afterwards there is room again.
        try first.tell(all)
        guard case .found(let found) = try first.listen(), found.count == Self.items else {
            Issue.record("there is no room left, though nobody has any")
            return
        }
        // A share is 128 MiB; each byte is there as a value, and in a message that grows. All forty were 1200 MiB and more.
        let grown = try peak(of: daemon) - before
        #expect(grown < 600 << 20, "\(grown >> 20) MiB")
        print("answers: \(whole) whole, \(refused) refused, \(grown >> 20) MiB")
    }
}
