// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import Security
import TestDaemon
import TestPrompts
import Testing

/// `llavero audit`.
@Suite struct AuditVerbTests {
    private let scene: AdminScene

    init() throws { scene = try AdminScene() }

    private func records(_ words: String...) throws -> [[String: Any]] {
        let answer = try scene.tool(["audit", "--json"] + words)
        #expect(answer.code == 0)
        return try answer.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// Changes one byte in the middle of the log.
    private func flip() throws {
        let place = URL(fileURLWithPath: scene.keychain + "/audit/audit-000001.log")
        let file = try FileHandle(forUpdating: place)
        defer { try? file.close() }
        let offset = try file.seekToEnd() / 2
        try file.seek(toOffset: offset)
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: offset)
        try file.write(contentsOf: [byte ^ 1])
    }

    @Test("the log says who did what, to its reader too, from any record on")
    func listed() throws {
        let daemon = try scene.startDaemon(at: scene.socket)
        defer { daemon.end() }
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "right").code == 0)
        #expect(try scene.tool("unlock", "--fd", "3", old: "wrong").code == 1)
        let all = try records()
        #expect(all.first?["kind"] as? String == "opening")
        let entries = all.filter { $0["kind"] as? String == "entry" }
        let operations = entries.compactMap { $0["operation"] as? String }
        #expect(operations.first == "start")
        #expect(operations.contains("setPasscode"))
        // The first was the tool's own: what somebody just set the passcode of stays unlocked.
        let unlock = try #require(entries.last { $0["operation"] as? String == "unlock" })
        #expect(unlock["outcome"] as? String == "authenticationFailed")
        #expect((unlock["program"] as? String)?.hasSuffix("/llavero") == true)
        #expect(unlock["user"] as? UInt32 == geteuid())
        #expect((unlock["time"] as? String)?.hasSuffix("Z") == true)
        let last = try #require(all.last?["record"] as? Int)
        let later = try records("--after", "\(last)")
        #expect(later.first?["record"] as? Int == last + 1)
        #expect(later.contains { $0["operation"] as? String == "readLog" })
        let text = try scene.tool("audit").output
        #expect(text.contains("unlock: authenticationFailed; by "))
        for secret in ["right", "wrong"] { #expect(!text.contains(secret)) }
    }

    @Test("an item that was touched is named by its reference")
    func items() throws {
        let daemon = try scene.startDaemon(at: scene.socket)
        defer { daemon.end() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try SessionProcess.helper("llavero-test-helper"))
        process.arguments = ["ask"]
        process.environment = scene.environment
        let program = try AskingProgram(process)
        #expect(try program.ask("add account") == ["0"])
        let reference = try #require(Data(base64Encoded: try program.ask("reference account").last ?? ""))
        let find = try #require(try records().last { $0["operation"] as? String == "find" })
        let items = try #require(find["items"] as? [[String: Any]])
        #expect(
            items.compactMap { $0["reference"] as? String } == [reference.map { String(format: "%02x", $0) }.joined()])
        #expect(items.first?["class"] as? String == "genp")
    }

    @Test("a byte that somebody changed is found, by the daemon and by who opens the keychain without one")
    func verified() throws {
        let daemon = try scene.startDaemon(at: scene.socket)
        #expect(try scene.tool("add", "mail", "--fd", "3", old: "secret").code == 0)
        let whole = try scene.tool("audit", "--verify")
        #expect(whole.code == 0)
        #expect(whole.output.hasSuffix("verdict: intact\n"))
        #expect(try !scene.tool("doctor").output.contains("audit log"))
        #expect(try scene.tool("status").code == 0)
        try flip()
        let broken = try scene.tool("audit", "--verify")
        #expect(broken.code == 1)
        #expect(broken.output.hasPrefix("broken: "))
        #expect(broken.output.hasSuffix("verdict: broken\n"))
        #expect(try scene.tool("audit").complaint.contains("--verify shows"))
        #expect(try scene.tool("doctor").output.contains("its audit log was modified or damaged"))
        daemon.kill()
        // The daemon has it still, and is not there to ask: the tool starts another.
        let away = try scene.tool("audit", "--verify")
        #expect(away.code == 1)
        #expect(away.output.hasSuffix("verdict: broken\n"))
        #expect(scene.agent != nil)
        // It gives the keychain back.
        scene.stopAgent()
        let alone = try scene.tool("audit", "--verify", "--json")
        #expect(alone.code == 1)
        let verdict = try #require(
            try JSONSerialization.jsonObject(with: Data(alone.output.utf8)) as? [String: Any])
        #expect(verdict["intact"] as? Bool == false)
        #expect((verdict["findings"] as? [[String: Any]])?.isEmpty == false)
        // What doctor says of it: laid aside, it makes way for a new one.
        try FileManager.default.moveItem(
            atPath: scene.keychain + "/audit", toPath: scene.keychain + "/audit-of-before")
        let next = try scene.startDaemon(at: scene.socket)
        #expect(try scene.tool("get", "mail").code == 0)
        #expect(try scene.tool("audit", "--verify").code == 0)
        #expect(try !scene.tool("doctor").output.contains("audit log"))
        next.kill()
    }

    @Test("a keychain that no daemon had has no log")
    func none() throws {
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "right").code == 0)
        let answer = try scene.tool("audit")
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.contains("no audit log"))
        let verified = try scene.tool("audit", "--verify")
        #expect(verified.code == 1)
        #expect(verified.complaint.contains("no audit log"))
        #expect(try !scene.tool("doctor").output.contains("audit log"))
    }

    @Test("a program that may not administer the keys does not see the log, and makes nothing without the passcode")
    func withoutRight() throws {
        let keychain = try IsolatedKeychain(.inMemory)
        let daemon = try ServedKeychain(keychain.host)
        let socket = ["LLAVERO_SOCKET": daemon.path]
        #expect(try scene.tool(["audit"], more: socket).complaint.contains("in memory"))
        keychain.host.entitlements.administersKeys = false
        for words in [["audit"], ["audit", "--verify"], ["recovery", "make"], ["passcode", "set", "--new-fd", "3"]] {
            let answer = try scene.tool(words, old: "right", more: socket)
            #expect(answer.code == 1)
            #expect(answer.output.isEmpty)
            #expect(answer.complaint.contains("administers-keys"), "\(answer.complaint)")
        }
        #expect(try scene.tool(["status"], more: socket).code == 0)
    }
}
