// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPostgres
import TestProcesses
import Testing

/// Daemons that keep their keychains up with a circle, over a real PostgreSQL.
@Suite struct CircleDaemonTests {
    @Test("a change on one machine comes to the other by the two daemons alone, and back")
    func change() throws {
        let scene = try CircleScene()
        let first = try scene.found("ada")
        try first.shell("printf one | $LLAVERO add mail --user ada --sync --stdin --quiet")
        let second = try scene.join("bob", by: first)
        try second.await("one", of: "mail")
        try second.shell("printf two | $LLAVERO edit mail --stdin --quiet")
        try first.await("two", of: "mail")
        try first.shell("$LLAVERO remove mail --quiet")
        try EventLimit.wait(for: "the item is gone") { second.value(of: "mail") == nil }
    }

    @Test("what changes while the database is away goes out when it is back, and the log says both once")
    func serverAway() throws {
        let scene = try CircleScene()
        let first = try scene.found("ada")
        let second = try scene.join("bob", by: first)
        scene.server.stop()
        try first.shell("printf one | $LLAVERO add mail --user ada --sync --stdin --quiet")
        try EventLimit.wait(for: "the daemon says that the database is away") {
            first.folder.text("log").contains("no synchronization: ")
        }
        // Programs do not notice.
        #expect(try first.shell("$LLAVERO get mail") == "one")
        try scene.server.start()
        try second.await("one", of: "mail")
        try EventLimit.wait(for: "the daemon says that it goes on") {
            first.folder.text("log").contains("synchronization goes on")
        }
    }

    @Test("a locked machine takes at once what may be read while it is locked, and the rest when it is unlocked")
    func locked() throws {
        let scene = try CircleScene()
        let first = try scene.found("ada")
        let item = #"{"kind":"password","synchronizable":true,"group":"llavero.passwords","user":"ada","secret":"one""#
        let items = [("open", "after-first-unlock"), ("closed", "when-unlocked")].map { name, protection in
            item + #","name":"\#(name)","label":"\#(name)","service":"\#(name)","protection":"\#(protection)"}"#
        }
        try Data(#"{"llavero":2,"items":[\#(items.joined(separator: ","))]}"#.utf8).write(
            to: URL(fileURLWithPath: first.folder.file("items.json")))
        try first.shell("$LLAVERO import items.json --format llavero-json")
        let second = try scene.join("bob", by: first)
        try second.await("one", of: "open")
        try second.await("one", of: "closed")
        try second.shell("printf 'a passcode 12' | $LLAVERO passcode set --new-fd 0")
        try second.shell("$LLAVERO lock")
        // Somebody is admitted meanwhile: a request that it may have of its own is forgotten then, without a look at what is locked.
        _ = try scene.join("eve", by: first)
        for name in ["open", "closed"] { try first.shell("printf two | $LLAVERO edit \(name) --stdin --quiet") }
        try second.await("two", of: "open")
        try second.shell("$LLAVERO get closed", expecting: 36)
        try second.shell("printf 'a passcode 12' | $LLAVERO unlock --stdin")
        try second.await("two", of: "closed")
    }

    @Test("a daemon that is ended in the middle of a round ends by itself, and the next one gets the rest")
    func ended() throws {
        let scene = try CircleScene()
        let first = try scene.found("ada")
        let second = try scene.join("bob", by: first)
        try first.shell(
            "for n in $(seq 60); do printf $n | $LLAVERO add item$n --user ada --sync --stdin --quiet || exit 1; done")
        try second.await("1", of: "item1")
        // Its own limit is a second; what that is on a busy machine, nobody can say.
        #expect(second.stopDaemon() == 0)
        try second.startDaemon("--sync-every", "1")
        try second.await("60", of: "item60")
    }

    @Test("a poll that finds nothing new is one statement, and writes nothing")
    func idle() throws {
        let scene = try CircleScene(
            configuration: ["log_min_messages = log", "log_statement = all", "log_line_prefix = '%u '"])
        let first = try scene.found("ada")
        let second = try scene.join("bob", by: first)
        try first.shell("printf one | $LLAVERO add mail --user ada --sync --stdin --quiet")
        try second.await("one", of: "mail")
        func statements(of name: String = "bob") -> [String] {
            scene.server.folder.text("log").split(separator: "\n").map(String.init).filter {
                $0.hasPrefix("\(name) LOG:") && ($0.contains("execute") || $0.contains("statement:"))
            }
        }
        // What the two have still to say to each other is said when the last ten were all alike.
        try EventLimit.wait(for: "the polls are all alike") {
            ["ada", "bob"].allSatisfy { name in
                let last = statements(of: name).suffix(10)
                return last.count == 10 && Set(last).count == 1
            }
        }
        let before = try content(of: second)
        let count = statements().count
        try EventLimit.wait(for: "three more polls") { statements().count >= count + 3 }
        #expect(Set(statements().dropFirst(count)).count == 1, "\(statements().dropFirst(count))")
        #expect(try content(of: second) == before)
    }

    @Test("a removed machine that is told so destroys what it has of the circle, or all, and leaves a receipt")
    func erasure() throws {
        let scene = try CircleScene()
        let first = try scene.found("ada")
        try first.shell("printf one | $LLAVERO add mail --user ada --sync --stdin --quiet")
        let second = try scene.join("bob", by: first)
        let third = try scene.join("eve", by: first)
        for machine in [second, third] {
            try machine.await("one", of: "mail")
            try machine.shell("printf own | $LLAVERO add local --user ada --stdin --quiet")
        }
        try second.shell("$LLAVERO snapshots make --quiet")
        let snapshots = second.folder.file("keychains/.snapshots-login")
        #expect(TestFolder.names(in: snapshots)?.count == 1)
        try first.shell("$LLAVERO circle erase-device bob --quiet")
        try first.shell("$LLAVERO circle erase-device eve --all --quiet")
        try EventLimit.wait(for: "bob has no items of the circle") { second.value(of: "mail") == nil }
        #expect(second.value(of: "local") == "own")
        try EventLimit.wait(for: "bob has no snapshot with them") { TestFolder.names(in: snapshots)?.isEmpty == true }
        try EventLimit.wait(for: "eve has nothing") { third.value(of: "local") == nil }
        #expect(third.folder.text("log").contains("destroy its keychain"))
        #expect(try scene.server.sql("select count(*) from llavero.lv_mail") != "0")
        let status = try first.shell("$LLAVERO circle status")
        #expect(
            status.contains("bob destroyed what it has of the circle") && status.contains("eve destroyed its keychain"))
        // What came, went, joined and was destroyed is in the audit logs.
        let told = try first.shell("$LLAVERO audit")
        #expect(told.contains("share, 1 item: done") && told.contains("admitDevice, 1 device: done"), "\(told)")
        let own = try second.shell("$LLAVERO audit")
        #expect(
            own.contains("synchronize, 1 item: done") && own.contains("delete genp, 1 item: done; by the daemon"),
            "\(own)")
    }

    /// The keychain's files as they are, but for what the daemon notes of other calls.
    private func content(of machine: CircleScene.Machine) throws -> [String: Data] {
        let folder = machine.folder.file("keychains/login")
        var content: [String: Data] = [:]
        for name in TestFolder.names(in: folder) ?? [] where name.hasPrefix("keychain") {
            content[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        }
        #expect(!content.isEmpty)
        return content
    }
}
