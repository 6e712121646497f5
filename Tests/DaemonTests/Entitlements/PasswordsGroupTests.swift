// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The group of people's own passwords, which their tools say that they see to.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for another user"))
struct PasswordsGroupTests {
    private let scene: UserScene
    private let group = "llavero.passwords"

    init() throws {
        scene = try UserScene()
        try scene.installed.install("llavero", as: "llavero")
        try scene.installed.install("llavero-test-helper", as: "other")
    }

    private func tool(_ words: String..., input: String = "") throws -> UserScene.Answer {
        try scene.run("llavero", words, input: input)
    }

    @Test("a tool that nobody lists has it because it says so, and a program that does not say so has not")
    func unlisted() throws {
        try scene.startDaemon()
        let added = try tool("add", "mail", "--stdin", input: "s3cret")
        #expect(added.code == 0, "\(added.complaint)")
        #expect(try tool("show", "mail", "--plain").output.contains("\ngroup\t\(group)\n"))
        #expect(try tool("get", "mail").output == "s3cret\n")
        let other = try scene.program("other")
        #expect(try other.ask("list x").first == "-25300")
        #expect(try other.ask("list x \(group)").first == "-34018")
        #expect(try other.ask("add x \(group)") == ["-34018"])
        #expect(try other.ask("get x \(group)") == ["-34018", "nothing"])
    }

    @Test("a rule that gives it to another program takes it from those that nobody lists, at once")
    func granted() throws {
        try scene.startDaemon()
        #expect(try tool("add", "mail", "--stdin", input: "s3cret").code == 0)
        try scene.installed.entitle("other", ["keychain-access-groups": InstalledFolder.texts(group)])
        for words in [["get", "mail"], ["add", "more", "--stdin"], ["remove", "mail"]] {
            let refused = try scene.run("llavero", words, input: "x")
            #expect(refused.code != 0)
            #expect(refused.output.isEmpty)
        }
        let other = try scene.program("other")
        #expect(try other.ask("add own") == ["0"])
        #expect(try other.ask("group own") == ["0", group])
        // The rule goes, and the person has both.
        try FileManager.default.removeItem(atPath: scene.installed.entitlements + "/other.plist")
        #expect(try tool("get", "mail").output == "s3cret\n")
        #expect(try tool("list", "--plain").output.split(separator: "\n").count == 2)
    }

    @Test("a rule that gives it to a unit of the system's leaves it to the tools", arguments: [false, true])
    func grantedToUnit(isOfSystem: Bool) throws {
        try isOfSystem ? scene.startSystemDaemon() : scene.startDaemon()
        #expect(try tool("add", "mail", "--stdin", input: "s3cret").code == 0)
        try scene.installed.entitle(
            "backup", unit: "backup.service", ["keychain-access-groups": InstalledFolder.texts(group)])
        let got = try tool("get", "mail")
        #expect(got.output == "s3cret\n", "\(got.complaint)")
        #expect(try tool("add", "more", "--stdin", input: "x").code == 0)
        // Nor has anybody else got anything by it.
        #expect(try scene.program("other").ask("list x \(group)").first == "-34018")
    }

    @Test("a tool that has lost it to another program says which file gave it away, and how to have it again")
    func refusal() throws {
        try scene.startDaemon()
        try scene.installed.entitle("other", ["keychain-access-groups": InstalledFolder.texts(group)])
        let refused = try tool("add", "mail", "--stdin", input: "s3cret")
        #expect(refused.code != 0)
        #expect(refused.complaint.contains("other.plist gives llavero.passwords to another program"))
        #expect(!refused.complaint.contains("agrp"), "\(refused.complaint)")
        // Of a group that the file says nothing about it is not named.
        let elsewhere = try tool("add", "more", "--stdin", "--group", "group.elsewhere", input: "s3cret")
        #expect(elsewhere.code != 0)
        #expect(elsewhere.complaint.contains("not one of the program's"), "\(elsewhere.complaint)")
        #expect(!elsewhere.complaint.contains("other.plist"), "\(elsewhere.complaint)")
    }

    @Test("a tool that a rule lists has what the rule says, and its claim adds nothing")
    func listed() throws {
        try scene.installed.entitle("llavero", ["keychain-access-groups": InstalledFolder.texts("TOOLS")])
        try scene.startDaemon()
        #expect(try tool("add", "mail", "--stdin", input: "s3cret").code != 0)
        try scene.installed.entitle("llavero", ["keychain-access-groups": InstalledFolder.texts(group)])
        #expect(try tool("add", "mail", "--stdin", input: "s3cret").code == 0)
        #expect(try tool("get", "mail").output == "s3cret\n")
    }

    @Test("where programs that nobody lists may do nothing, no claim gives one anything")
    func closed() throws {
        try scene.startDaemon("--closed")
        for words in [["add", "mail", "--stdin"], ["list"], ["get", "mail"]] {
            let refused = try scene.run("llavero", words, input: "x")
            #expect(refused.code != 0, "\(words) \(refused.output)")
            #expect(refused.complaint.contains("group"), "\(refused.complaint)")
        }
    }
}
