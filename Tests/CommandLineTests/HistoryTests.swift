// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// Going back, as a person does it with the tool.
@Suite("history, undelete and restore-version") struct HistoryTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try scene.write("one", to: "first")
        try scene.write("two", to: "second")
    }

    /// Runs the tool with a file as its input.
    @discardableResult
    private func tool(_ words: String, reading file: String? = nil, code: Int32 = 0) throws -> ToolScene.Answer {
        let program = try ToolScene.built("llavero")
        let input = file.map { " < \(scene.file($0))" } ?? ""
        let answer = try scene.run("/bin/sh", ["-c", "exec \(program) \(words)\(input)"])
        #expect(answer.code == code, "\(words): \(answer.complaint)")
        return answer
    }

    private func add() throws {
        try tool("add site --user ada --stdin --quiet", reading: "first")
        try tool("edit site --stdin --quiet", reading: "second")
    }

    /// The numbers of the versions, newest first.
    private func numbers(_ name: String) throws -> [String] {
        try tool("history \(name) --plain").output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("yesterday's password is listed, printed, and made the current one again; and back")
    func yesterday() throws {
        try add()
        let number = try #require(try numbers("site").first)
        #expect(try tool("get site --version \(number)").output == "one\n")
        #expect(try tool("get site").output == "two\n")
        try tool("restore-version site \(number)")
        #expect(try tool("get site").output == "one\n")
        let other = try #require(try numbers("site").first)
        try tool("restore-version site \(other)")
        #expect(try tool("get site").output == "two\n")
        try tool("restore-version site 999", code: 44)
        try tool("restore-version other \(other)", code: 44)
    }

    @Test("a removed item is brought back by the command that its removal named, with its identifier")
    func undelete() throws {
        try add()
        let before = try tool("show site --json").output
        let said = try tool("remove site").complaint
        #expect(said.contains("`llavero undelete site` brings it back for 30 days"), "\(said)")
        try tool("get site", code: 44)
        #expect(try tool("history").output.contains("site"))
        try tool("undelete site")
        #expect(try tool("get site").output == "two\n")
        let identifier = try #require(before.range(of: "\"id\":\"[^\"]*\"", options: .regularExpression))
        #expect(try tool("show site --json").output.contains(before[identifier]))
        try tool("undelete site", code: 44)
        #expect(try tool("check").code == 0)
    }

    @Test("keys that were made anew meanwhile keep nothing from coming back")
    func rotated() throws {
        try add()
        try tool("remove site --quiet")
        try tool("rotate-keys")
        try tool("undelete site --quiet")
        #expect(try tool("get site").output == "two\n")
        #expect(try numbers("site").count == 1)
        #expect(try tool("check").code == 0)
    }

    @Test("an item is found by a name that it had")
    func renamed() throws {
        try add()
        try tool("rename site place --quiet")
        #expect(try numbers("site") == numbers("place"))
        #expect(try numbers("site").count == 2)
        try tool("remove place --quiet")
        try tool("undelete site --quiet")
        #expect(try tool("get place").output == "two\n")
    }

    @Test("after --forever, forget and for programs' items there is no way back, and remove says so")
    func forever() throws {
        try add()
        #expect(try tool("remove site --forever").complaint.contains("for good"))
        try tool("undelete site", code: 44)
        try tool("history site", code: 44)
        try add()
        try tool("forget site")
        try tool("history site", code: 44)
        #expect(try tool("get site").output == "two\n")
        try tool("remove site --quiet")
        try tool("forget --everything")
        try tool("undelete site", code: 44)
    }

    @Test("several removed items of one name are told apart, and a name that is taken is not taken over")
    func several() throws {
        for user in ["ada", "bob"] {
            try tool("add site --user \(user) --stdin --quiet", reading: user == "ada" ? "first" : "second")
            try tool("remove site --user \(user) --quiet")
        }
        let said = try tool("undelete site", code: 46).complaint
        #expect(said.contains("llavero restore-version site"), "\(said)")
        try tool("undelete site --user ada --quiet")
        #expect(try tool("get site").output == "one\n")
        try tool("add site --user bob --stdin --quiet", reading: "first")
        #expect(try tool("undelete site --user bob", code: 45).complaint.contains("nothing was changed"))
    }
}
