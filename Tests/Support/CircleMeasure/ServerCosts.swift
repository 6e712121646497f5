// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCircle
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import KeychainSystem
import TestCircles
import TestPostgres
import TestProcesses

/// What a circle of many devices and items costs its devices and its server, a PostgreSQL that waits for its disk.
struct ServerCosts {
    private let devices: Int
    private let items: Int
    private let server: PostgresServer
    private let founder: Founder
    private let way: Metered
    private static let commits = 1000
    private static let removals = 3

    init(devices: Int, items: Int) throws {
        (self.devices, self.items) = (devices, items)
        server = try PostgresServer(configuration: ["fsync = on"])
        founder = try Founder()
        let password = SecretValue(copying: Array("by-the-socket".utf8))
        guard let verifier = ScramVerifier(password: password, salt: [UInt8](repeating: 5, count: 16)) else {
            throw Trouble("no verifier")
        }
        let circle = founder.circle
        try server.sql(
            SyncSchema.setUp
                + ServerCosts.roles.map {
                    try SyncSchema.member($0, circle: circle, login: .password(verifier))
                }.joined(separator: "\n"))
        way = Metered(try ServerCosts.transport(server, "founder", circle))
    }

    private static let roles = ["founder", "plain", "ana", "ben"]

    private static func address(_ server: PostgresServer, _ role: String, folder: String? = nil) -> String {
        "host=\(folder ?? server.socket) port=\(server.port) dbname=circles user='\(role)'"
    }

    private static func transport(
        _ server: PostgresServer, _ role: String, _ circle: CircleID, folder: String? = nil
    ) throws -> PostgresTransport {
        PostgresTransport(
            try ServerAddress(address(server, role, folder: folder)), circle: circle, password: nil)
    }

    private func transport(_ role: String, folder: String? = nil) throws -> PostgresTransport {
        try ServerCosts.transport(server, role, founder.circle, folder: folder)
    }

    func run(_ figures: Set<Figures>) throws {
        _ = try way.perform(.insert(founder.insertion))
        let leaving = try admitDevices()
        try push()
        if figures.contains(.pull) { try pull(founder.device.state.log) }
        let folders = [try TestFolder(), try TestFolder()]
        if figures.contains(.firstSync) {
            try firstSync(folders)
        } else if figures.contains(.change) {
            try join(folders)
        }
        if figures.contains(.change) { try oneChange(folders) }
        if figures.contains(.removal) { for device in leaving { try removal(device) } }
    }

    /// Two devices with keychains, as one change needs them, where the first sync is not measured.
    private func join(_ folders: [TestFolder]) throws {
        let real = try folders.map { folder in try RealDevice(folder: folder.path) }
        try admit(real.map { device in try device.makeKeys().card })
        for device in real { try device.join(founder.device.state.log) }
        for (device, role) in zip(real, ["ana", "ben"]) { try device.round(transport(role)) }
    }

    // MARK: Parts

    private func admit(_ cards: [Card]) throws {
        let actions = cards.map { LogAction.admit($0, .word(Founder.roles(founder.view), sealedName: [2])) }
        try founder.device.round(way, .change(actions))
    }

    /// All devices but those that are measured; returns some of them.
    private func admitDevices() throws -> [DeviceID] {
        let cards = try (0..<(devices - 4)).map { _ in try TestCircleDevice().card }
        let seconds = try Figure.time { try admit(cards) }
        Figure.say("admission of \(cards.count) devices at once", Figure.milliseconds(seconds))
        guard cards.count >= ServerCosts.removals else { throw Trouble("too few devices") }
        return try cards.prefix(ServerCosts.removals).map { try $0.id() }
    }

    private func push() throws {
        founder.device.items = items
        way.reset()
        let seconds = try Figure.time { try founder.device.round(way) }
        Figure.say(
            "sending \(items) items",
            "\(Figure.milliseconds(seconds)), of which the server took \(Figure.milliseconds(way.seconds))")
        let commits = way.insertions(of: ServerCosts.commits)
        let copies = try copy(min(commits.count, 20))
        Figure.say(
            "commit of 1 000", Figure.median(commits), "COPY of the same", Figure.median(copies), atMost: 2)
        try server.sql("analyze")
    }

    private func pull(_ log: CircleLog) throws {
        let plain = try PlainDevice(TestCircleDevice(), joining: log)
        try admit([plain.keys.card])
        let device = try PlainDevice(plain.keys, joining: founder.device.state.log)
        let way = Metered(try transport("plain"))
        let before = CPUTime.ofProcess
        let seconds = try Figure.time {
            let report = try device.round(way)
            guard report.received.added == items else { throw Trouble("\(report)") }
        }
        let processor = CPUTime.ofProcess - before
        let read = try Figure.median(
            (0..<3).map { _ in
                try psql("\\copy (select n, c, id, body from llavero.lv_record) to '/dev/null' (format binary)").last
                    ?? 0
            })
        Figure.say("verified pull of \(items)", seconds, "COPY of them", read, atMost: 4)
        // Beside the rest, but for the first question.
        Figure.say("   the server and libpq took", way.seconds, "COPY of them", read)
        Figure.say("   its processor time", "\(processor)")
        Figure.say("   its requests", "\(Dictionary(grouping: way.requests) { $0 }.mapValues(\.count))")
    }

    private func firstSync(_ folders: [TestFolder]) throws {
        let cards = try folders.map { folder in try RealDevice(folder: folder.path).makeKeys().card }
        try admit(cards)
        let log = try founder.device.state.log
        let limit = try LimitKeychain.time(items)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        for (folder, role) in zip(folders, ["ana", "ben"]) {
            try RealDevice(folder: folder.path).join(log)
            let output = try PostgresServer.run(
                [program, "first-sync", folder.path, ServerCosts.address(server, role)], in: "/")
            let words = output.split(separator: " ").compactMap { Double($0) }
            guard words.count == 4 else { throw Trouble(output) }
            Figure.say("first sync of \(items)", words[0], "adding them at the limit", limit, atMost: 3)
            Figure.say(
                "   of which the server and libpq",
                "\(Figure.milliseconds(words[1])); memory at most \(Int(words[3])) kB, before \(Int(words[2])) kB, aim 60 000 kB\(words[3] > 60_000 ? " MISSED" : "")"
            )
        }
    }

    private func oneChange(_ folders: [TestFolder]) throws {
        let proxy = try CuttingProxy(before: server)
        let (ana, ben) = (try RealDevice(folder: folders[0].path), try RealDevice(folder: folders[1].path))
        let anas = Metered(try transport("ana", folder: proxy.folder.path))
        let bens = Metered(try transport("ben"))
        let limit = try LimitKeychain()
        defer { limit.close() }
        let plain = try transport("plain")
        // The leaves are read once.
        try ana.round(anas)
        _ = try ana.program.add(Sample.added("first"))
        try ana.round(anas)
        try ben.round(bens)
        try ben.round(bens)

        let sizes = try tableSizes()
        var (adds, sends, notes, takes, bytes) = ([Double](), [Double](), [Double](), [Double](), [Int]())
        var (local, bare, poll, requests) = ([Double](), [Double](), [Double](), [(who: String, names: [String])]())
        var answers: [[[Double]]] = [[], []]
        let count = 60
        for number in 0..<count {
            adds.append(try Figure.time { _ = try ana.program.add(Sample.added("one \(number)")) })
            proxy.reset()
            anas.reset()
            bens.reset()
            let start = DispatchTime.now()
            let whole = try Figure.time {
                guard try ana.round(anas).sent == 1 else { throw Trouble("it did not go") }
            }
            // What Ana notes when the server has it is in nobody's way.
            let there = anas.lastInsertion ?? start
            sends.append(Double(there.uptimeNanoseconds - start.uptimeNanoseconds) / 1e9)
            notes.append(whole - (sends.last ?? 0))
            bytes.append(proxy.count(.toServer))
            takes.append(
                try Figure.time {
                    guard try ben.round(bens).received.added == 1 else { throw Trouble("it did not come") }
                })
            requests = [("A", anas.requests), ("B", bens.requests)]
            answers[0].append(anas.each)
            answers[1].append(bens.each)
            // In turn with it, so that both meet the same machine.
            local.append(try Figure.time { try limit.add(number..<number + 1) })
            let commit = try bareCommit(UInt64(number + 1))
            bare.append(try Figure.time { _ = try plain.perform(.insert(commit)) })
            poll.append(try Figure.time { _ = try plain.perform(.newest([.log, .heads(founder.view)])) })
        }
        let growth = try tableSizes() - sizes
        let whole = adds.indices.map { adds[$0] + sends[$0] + takes[$0] }
        let least = local.indices.map { local[$0] + bare[$0] + poll[$0] }
        Figure.say(
            "from A's call to B's row", Figure.median(whole), "a commit in a keychain, one on the server, a poll",
            Figure.median(least), atMost: 1.5)
        Figure.say(
            "   of which",
            "A's add \(Figure.middle(adds)), A's round until the server has it \(Figure.middle(sends)), B's round \(Figure.middle(takes)); what A notes then \(Figure.middle(notes)); the limit's add \(Figure.middle(local)), the server's commit \(Figure.middle(bare)), a poll \(Figure.middle(poll))"
        )
        for ((who, names), answers) in zip(requests, answers) {
            let each = names.enumerated().map { place, name in
                "\(name) \(Figure.middle(answers.compactMap { place < $0.count ? $0[place] : nil }))"
            }
            Figure.say("   \(who)'s statements", each.joined(separator: ", "))
        }
        let (head, record) = try newestSizes()
        let sent = bytes.sorted()[bytes.count / 2]
        let ratio = Double(sent) / Double(head + record)
        Figure.say(
            "bytes sent for one change",
            "\(sent), head \(head) and record \(record), ratio \(Figure.text(ratio))   aim 2.00\(ratio > 2 ? " MISSED" : "")"
        )
        Figure.say("growth of the tables for a change", "\(growth / count) bytes, with indexes")

        bens.reset()
        let version = try ben.version
        try ben.round(bens)
        let idle = bens.requests
        let (wrote, asked) = (try ben.version != version, idle.count)
        Figure.say(
            "a round with nothing to do",
            "\(asked) statements (\(idle.joined(separator: ", "))), \(wrote ? "and writes" : "writes nothing")   aim 1 and nothing\(wrote || asked != 1 ? " MISSED" : "")"
        )
        let rounds = try (0..<20).map { _ in try Figure.time { try ben.round(bens) } }
        Figure.say("   it takes", Figure.milliseconds(Figure.median(rounds)))
    }

    private func removal(_ device: DeviceID) throws {
        try founder.device.round(way)
        way.reset()
        let seconds = try Figure.time { try founder.device.round(way, .change([.remove(device)])) }
        let own = try P256.makeKey()
        let other = try P256.makeKey()
        let bare = try Figure.time {
            for _ in 0..<devices { _ = try P256.sharedSecret(of: own.privateKey, with: other.publicKey) }
        }
        Figure.say("removal among \(devices) devices", seconds, "as many bare ECDH", bare, atMost: 1.5)
        let signing = try Figure.time {
            let digest = [UInt8](repeating: 1, count: 32)
            for _ in 0..<devices {
                _ = try P256.signature(of: digest, with: own.privateKey, publicKey: own.publicKey)
            }
        }
        Figure.say(
            "   of which the server",
            "\(Figure.milliseconds(way.seconds)); as many signatures with their check take \(Figure.milliseconds(signing))"
        )
    }

    // MARK: Beside it

    /// A head and a record of the sizes that one change has.
    private func bareCommit(_ number: UInt64) throws -> CircleInsertion {
        let (head, record) = try newestSizes()
        guard let view = SyncView([UInt8](repeating: 9, count: SyncView.size)),
            let id = SyncRecordID([UInt8](repeating: 3, count: SyncRecordID.size))
        else { throw Trouble("no view") }
        var insertion = CircleInsertion()
        insertion.chains = [(.heads(view), ChainBody(number: number, body: [UInt8](repeating: 1, count: head)))]
        let place = SyncRecordPlace(head: number, chance: 1, id: id)
        insertion.records = [(view, RecordBody(place: place, body: [UInt8](repeating: 2, count: record)))]
        return insertion
    }

    private func newestSizes() throws -> (head: Int, record: Int) {
        let view = "'\\x\(Hexadecimal.digits(of: founder.view.bytes))'"
        func size(_ table: String) throws -> Int {
            Int(
                try server.sql(
                    "select octet_length(body) from llavero.\(table) where view = \(view) order by n desc limit 1"))
                ?? 0
        }
        return (try size("lv_head"), try size("lv_record"))
    }

    private func tableSizes() throws -> Int {
        try server.sql("checkpoint")
        return Int(
            try server.sql(
                "select pg_total_relation_size('llavero.lv_head') + pg_total_relation_size('llavero.lv_record')")) ?? 0
    }

    /// Rows as those of a commit by COPY, each time one transaction; psql says how long each took.
    private func copy(_ times: Int) throws -> [Double] {
        let circle = Hexadecimal.digits(of: founder.circle.bytes)
        var script = ""
        for number in 0..<times {
            let rows = (0..<ServerCosts.commits).map { place in
                let id = Hexadecimal.digits(of: (try? Digest.sha256(of: Array("\(place)".utf8)).prefix(16)) ?? [])
                let body = String(repeating: "ab", count: 562)
                return
                    "\\\\x\(circle)\t\\\\x\(String(repeating: "cd", count: 16))\t\(number + 1)\t42\t\\\\x\(id)\tcopied\t\\\\x\(body)\n"
            }
            let file = server.folder.file("rows-\(number)")
            try rows.joined().write(toFile: file, atomically: true, encoding: .utf8)
            script += "\\copy llavero.lv_record (circle, view, n, c, id, who, body) from '\(file)'\n"
        }
        let seconds = try psql(script)
        try server.sql("delete from llavero.lv_record where who = 'copied'; vacuum llavero.lv_record")
        return seconds
    }

    private func psql(_ script: String) throws -> [Double] {
        try server.sql("\\timing on\n" + script).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("Time: ") else { return nil }
            return line.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1000 }
        }
    }
}
