// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainSQLite
internal import Testing

/// Items whose bytes somebody, or a disk, has changed: the tools neither miss them nor believe them.
@Suite("damaged items are told from items that are not there") struct DamagedItemTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try FileManager.default.createSymbolicLink(
            atPath: scene.file("security"), withDestinationPath: try ToolScene.built("llavero"))
        for name in ["bank", "mail"] {
            try scene.write("secret of \(name)", to: "secret")
            #expect(try shell("llavero add \(name) --user ada --stdin < secret").code == 0)
        }
    }

    private func shell(_ command: String) throws -> ToolScene.Answer {
        let tools = "llavero() { '\(try ToolScene.built("llavero"))' \"$@\"; }; "
        return try scene.run("/bin/sh", ["-c", tools + command])
    }

    private func security(_ words: String...) throws -> ToolScene.Answer {
        try scene.run(scene.file("security"), words)
    }

    /// Where in its bytes a row is damaged.
    enum Place: String, CaseIterable {
        /// The seal of the attributes: nothing can be read.
        case attributes = "substr(data, 1, 60) || x'000000' || substr(data, 64)"
        /// The end: the secret alone is damaged.
        case secret = "substr(data, 1, length(data) - 1) || x'00'"
    }

    /// Damages what was added second.
    private func damage(_ place: Place) throws {
        let connection = try SQLiteConnection(path: scene.file("keychains/login/keychain.db"), mode: .readWrite)
        defer { connection.close() }
        let statement = try connection.prepare("select hex(data) <> hex(\(place.rawValue)) from genp where rowid = 2")
        #expect(try statement.step() && statement.int64(0) == 1)
        statement.reset()
        try connection.execute("update genp set data = \(place.rawValue) where rowid = 2")
    }

    private static let words = "mail exists, but is damaged and cannot be read; nothing was deleted."

    @Test("what names a damaged item ends with 1, says so and changes nothing", arguments: Place.allCases)
    func refused(place: Place) throws {
        try damage(place)
        for command in [
            "get mail", "show mail", "edit mail --generate", "edit mail --note x", "rename mail post", "get mail/ada",
            "get mail --user ada", "copy mail", "run --env A=mail -- true",
        ] where place == .secret || command != "copy mail" {
            let answer = try shell("llavero \(command)")
            if command == "copy mail" {
                #expect(answer.code == 1)
                continue
            }
            #expect(answer.code == 1, "\(command): \(answer.complaint)")
            #expect(answer.complaint.contains(" exists, but is damaged"), "\(command): \(answer.complaint)")
            #expect(answer.complaint.contains("`llavero check`"))
            #expect(command != "get mail" || answer.complaint.contains(DamagedItemTests.words))
        }
        #expect(try shell("llavero get bank").output == "secret of bank\n")
        #expect(try shell("llavero get other").code == 44)
        let check = try shell("llavero check")
        #expect(check.code == 1)
        #expect(check.output.contains("generic password 2: cannot be read"))
    }

    @Test("security, too, and what it prints is no password", arguments: Place.allCases)
    func security(place: Place) throws {
        #expect(try security("add-generic-password", "-s", "post", "-a", "ada", "-w", "p").code == 0)
        try damage(place)
        let answer = try security("find-generic-password", "-s", "mail", "-w")
        #expect(answer.code == 1)
        #expect(answer.output == "")
        #expect(answer.complaint.contains("exists, but is damaged and cannot be read; nothing was deleted."))
        #expect(try security("find-generic-password", "-s", "mail").code == 1)
        #expect(try security("delete-generic-password", "-s", "mail").code == 1)
        #expect(try security("find-generic-password", "-s", "post", "-w").output == "p\n")
        let dump = try security("dump-keychain")
        #expect(dump.code == 1)
        #expect(dump.output.contains("\"post\""))
        #expect(dump.complaint.contains("damaged items were left out (1)"))
    }

    @Test("lists mark them", arguments: Place.allCases)
    func lists(place: Place) throws {
        try damage(place)
        let list = try shell("llavero list")
        // What has no name any more may be what the list is looked through for.
        #expect(list.code == (place == .secret ? 0 : 1))
        let lines = list.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines.first?.hasSuffix("DAMAGED") == true)
        let mark = place == .secret ? "secret" : "everything"
        let damaged = lines.filter { $0.hasSuffix(mark) }
        #expect(damaged.count == 1)
        #expect(damaged.first?.hasPrefix(place == .secret ? "mail " : "(damaged) ") == true)
        #expect(
            list.complaint == "llavero: 1 item is damaged; nothing was deleted, and `llavero check` shows details\n")
        #expect(try shell("llavero list --json").output.contains("\"damaged\":\"\(mark)\""))
        for command in ["search nothing", "list --tag x", "report", "groups"] {
            let answer = try shell("llavero \(command)")
            let whole: Int32 = command == "search nothing" ? 44 : 0
            #expect(answer.code == (place == .secret ? whole : 1), "\(command): \(answer.complaint)")
        }
        let dump = try shell("llavero dump --secrets")
        #expect(dump.code == 1)
        #expect(dump.output.contains("secret: secret of bank"))
        #expect(dump.output.contains("damaged: \(mark)"))
        let export = try shell("llavero export")
        #expect(export.code == 1)
        #expect(export.output.contains("secret of bank"))
        #expect(!export.output.contains("secret of mail"))
    }

    @Test("one is put aside by adding it anew, and removed by its name", arguments: Place.allCases)
    func remedies(place: Place) throws {
        try damage(place)
        #expect(try shell("printf new | llavero add mail --user ada --stdin").code == 0)
        #expect(try shell("llavero get mail").output == "new\n")
        #expect(try shell("llavero list").complaint == "")
        try damageNewest()
        #expect(try shell("llavero get mail").code == 1)
        #expect(try shell("llavero remove mail").code == 0)
        #expect(try shell("llavero get mail").code == 44)
        // What was done to the rows from outside is told until it is accepted.
        #expect(try shell("llavero check").output.contains("outside Llavero"))
        #expect(try shell("llavero check --accept").code == 0)
        #expect(try shell("llavero check").code == 0)
    }

    private func damageNewest() throws {
        let connection = try SQLiteConnection(path: scene.file("keychains/login/keychain.db"), mode: .readWrite)
        defer { connection.close() }
        let bytes = Place.attributes.rawValue
        try connection.execute("update genp set data = \(bytes) where rowid = (select max(rowid) from genp)")
    }
}
