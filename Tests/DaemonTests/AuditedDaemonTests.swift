// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAudit
import KeychainConnection
import KeychainEngine
import KeychainIdentity
import KeychainModel
import Testing

/// The log that the daemon's own program keeps.
@Suite struct AuditedDaemonTests {
    private func entries(of scene: DaemonScene) throws -> (AuditReport, [AuditEntry]) {
        let secret = try DaemonHost.takeOver(try DaemonHost.place(root: scene.root), .none, makesItself: true).engine()
            .auditKey()
        var entries: [AuditEntry] = []
        let reader = AuditReader(folder: scene.root + "/login/audit", key: try AuditKey(secret))
        let report = try reader.entries { record, _ in
            if case .entry(let entry) = record.content { entries.append(entry) }
        }
        return (report, entries)
    }

    @Test("it says who did what to which item and what became of it, and nothing that the items hold")
    func recorded() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        let program = try scene.program()
        #expect(try program.ask("add MarkedAccount") == ["0"])
        #expect(try program.ask("get MarkedAccount") == ["0", "value of MarkedAccount"])
        #expect(try program.ask("get MarkedAbsent").first == "-25300")
        #expect(try program.ask("add MarkedAccount") == ["-25299"])
        daemon.terminate()
        daemon.waitUntilExit()
        let folder = scene.root + "/login/audit"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == ["audit-000001.log", "head"])
        for name in names {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            // Names, values and service of what the helper stores.
            for marked in ["Marked", "value of", "asked"] { #expect(bytes.range(of: Data(marked.utf8)) == nil) }
        }
        let (report, entries) = try entries(of: scene)
        #expect(report.findings.isEmpty)
        #expect(entries.first == AuditEntry(.start, by: nil))
        #expect(entries.last == AuditEntry(.stop, by: nil))
        // What asks whether the daemon answers, at its start, is a program of its own.
        let own = entries.filter { $0.program != nil && $0.program == entries.dropLast().last?.program }
        #expect(own.map(\.operation) == [.admit, .add, .findSecrets, .findSecrets, .add])
        #expect(
            own.map(\.outcome) == [.done, .done, .done, .failed(.itemNotFound), .failed(.duplicateItem)])
        #expect(own.map(\.items.count) == [0, 1, 1, 0, 0])
        let asker = try #require(own.first?.program)
        #expect(asker.user == geteuid())
        #expect(asker.image?.hasSuffix("/llavero-test-helper") == true)
        #expect(asker.level == IdentityLevel.none)
    }

    @Test("a daemon that is killed goes on with its log")
    func killed() throws {
        let scene = try DaemonScene()
        let first = try scene.startDaemon()
        let program = try scene.program()
        #expect(try program.ask("add one") == ["0"])
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        let second = try scene.startDaemon()
        #expect(try program.ask("get one") == ["0", "value of one"])
        second.terminate()
        second.waitUntilExit()
        let (report, entries) = try entries(of: scene)
        #expect(report.isIntact)
        #expect(entries.filter { $0.operation == .start }.count == 2)
        #expect(entries.contains { $0.operation == .add && $0.outcome == .done })
    }

    @Test("a daemon whose log cannot be written serves, unless it was told that it has to be")
    func unwritable() throws {
        let scene = try DaemonScene()
        let first = try scene.startDaemon()
        #expect(try scene.program().ask("add zero") == ["0"])
        first.end()
        let folder = scene.root + "/login/audit"
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(fileURLWithPath: folder))
        #expect(try scene.command("--require-audit") == 1)
        let daemon = try scene.startDaemon()
        #expect(try scene.program().ask("add one") == ["0"])
        daemon.end()
    }
}
