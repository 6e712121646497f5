// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The scenarios J of access groups, with programs that root installed and files that root wrote.
///
/// J9 needs items of a token driver, of which there is none.
@Suite(.enabled(if: UserScene.isPossible, "only root can install programs for another user"))
struct AccessGroupTests {
    private let scene: UserScene
    private static let refused = ["-34018"]
    private static let missing = ["-25300"]

    init() throws {
        scene = try UserScene()
    }

    /// Installs a program that may what the values say.
    private func install(_ name: String, _ values: KeyValuePairs<String, String>) throws {
        try scene.installed.install("llavero-test-helper", as: name)
        try scene.installed.entitle(name, values)
    }

    private func groups(_ names: String...) -> String {
        "<array>\(names.map(InstalledFolder.text).joined())</array>"
    }

    @Test("J1: a program that is in no file may do nothing when the open group is closed, and is in that group else")
    func unlisted() throws {
        try scene.installed.install("llavero-test-helper", as: "unlisted")
        try scene.startDaemon("--closed")
        let closed = try scene.program("unlisted")
        for verb in ["add", "get", "update", "delete", "list"] {
            #expect(try closed.ask("\(verb) a").first == "-34018")
        }
        for wish in ["lock", "unlock 1234", "set 1234", "check", "status"] {
            #expect(try closed.ask("keys \(wish)") == Self.refused)
        }
        scene.stopDaemon()
        try scene.startDaemon()
        let open = try scene.program("unlisted")
        #expect(try open.ask("add a") == ["0"])
        #expect(try open.ask("group a") == ["0", "llavero.open"])
        #expect(try open.ask("add b TEAM.other") == Self.refused)
    }

    @Test("J2, J3: the identifier of a program is a group, and those of its associates come before it")
    func identifiers() throws {
        try install("plain", ["application-identifier": InstalledFolder.text("APP")])
        try install(
            "associated",
            [
                "application-identifier": InstalledFolder.text("OTHER"),
                "associated-application-identifier": groups("A", "B"),
            ])
        try scene.startDaemon("--closed")
        let plain = try scene.program("plain")
        #expect(try plain.ask("add a") == ["0"])
        #expect(try plain.ask("group a APP") == ["0", "APP"])
        #expect(try plain.ask("update a") == ["0"])
        #expect(try plain.ask("delete a") == ["0"])
        let associated = try scene.program("associated")
        #expect(try associated.ask("add a") == ["0"])
        #expect(try associated.ask("group a") == ["0", "A"])
        #expect(try associated.ask("add b B") == ["0"])
        #expect(try associated.ask("add c OTHER") == ["0"])
        #expect(try associated.ask("list x") == ["0", "a,b,c"])
    }

    @Test("J4, J6: another program's group is refused by name, and its items are not there without")
    func foreign() throws {
        try install("owner", ["keychain-access-groups": groups("G3")])
        try install("stranger", ["keychain-access-groups": groups("G1", "G2")])
        try scene.startDaemon()
        let owner = try scene.program("owner")
        let stranger = try scene.program("stranger")
        #expect(try owner.ask("add a") == ["0"])
        for verb in ["add", "update", "delete"] { #expect(try stranger.ask("\(verb) a G3") == Self.refused) }
        #expect(try stranger.ask("get a G3") == ["-34018", "nothing"])
        #expect(try stranger.ask("get a") == ["-25300", "nothing"])
        #expect(try stranger.ask("update a") == Self.missing)
        #expect(try stranger.ask("delete a") == Self.missing)
        #expect(try stranger.ask("add own") == ["0"])
        #expect(try stranger.ask("move own G3") == Self.refused)
        #expect(try stranger.ask("move own G2") == ["0"])
        #expect(try owner.ask("list x") == ["0", "a"])
        #expect(try stranger.ask("list x") == ["0", "own"])
    }

    @Test("J5: a group that root gives counts for who comes then, and one that root takes away for nobody who comes")
    func changing() throws {
        try install("changing", ["keychain-access-groups": groups("G1")])
        try scene.startDaemon()
        #expect(try scene.program("changing").ask("add a G3") == Self.refused)
        try scene.installed.entitle("changing", ["keychain-access-groups": groups("G1", "G3")])
        let entitled = try scene.program("changing")
        #expect(try entitled.ask("add a G3") == ["0"])
        #expect(try entitled.ask("get a G3") == ["0", "value of a"])
        try scene.installed.entitle("changing", ["keychain-access-groups": groups("G1")])
        #expect(try scene.program("changing").ask("get a G3") == ["-34018", "nothing"])
    }

    @Test("J7, J8: nobody writes to the token group, and who has it alone only reads")
    func token() throws {
        try install("both", ["keychain-access-groups": groups("com.apple.token", "G1")])
        try install("reader", ["keychain-access-groups": groups("com.apple.token")])
        try scene.startDaemon()
        let both = try scene.program("both")
        #expect(try both.ask("add a com.apple.token") == Self.refused)
        #expect(try both.ask("get a com.apple.token") == ["-25300", "nothing"])
        #expect(try both.ask("add a") == ["0"])
        #expect(try both.ask("group a") == ["0", "G1"])
        let reader = try scene.program("reader")
        #expect(try reader.ask("get a") == ["-25300", "nothing"])
        for verb in ["add", "update", "delete"] { #expect(try reader.ask("\(verb) a") == Self.refused) }
    }

    @Test(
        "J10: every group is for a program that the kernel keeps from its user, and for none that only root installed")
    func everyGroup() throws {
        try install("owner", ["keychain-access-groups": groups("G3")])
        try install("pretender", ["keychain-access-groups": groups("G1", "*")])
        try scene.installed.install("llavero-test-helper", as: "backup", group: UserScene.mark)
        try scene.installed.entitle(
            "backup", group: UserScene.mark, ["keychain-access-groups": groups("G1", "*")])
        try scene.startDaemon("--closed")
        #expect(try scene.program("owner").ask("add a") == ["0"])
        let backup = try scene.program("backup")
        #expect(try backup.ask("add b") == ["0"])
        #expect(try backup.ask("group b") == ["0", "G1"])
        #expect(try backup.ask("add c G9") == ["0"])
        #expect(try backup.ask("list x") == ["0", "a,b,c"])
        let pretender = try scene.program("pretender")
        #expect(try pretender.ask("list x") == ["0", "b"])
        #expect(try pretender.ask("add d G9") == Self.refused)
    }

    @Test(
        "a library that a user forces on a program is in a listed one, and not in one that has its group from its file")
    func preloaded() throws {
        try install("listed", ["application-identifier": InstalledFolder.text("LISTED")])
        try scene.installed.install("llavero-test-helper", as: "marked", group: UserScene.mark)
        try scene.installed.entitle(
            "marked", group: UserScene.mark, ["application-identifier": InstalledFolder.text("MARKED")])
        let intruder = try scene.installed.install(try #require(Self.anyLibrary), as: "intruder.so")
        try scene.startDaemon("--closed")
        for (name, group, isIntruded) in [("listed", "LISTED", "1"), ("marked", "MARKED", "0")] {
            let program = try scene.program(name, environment: ["LD_PRELOAD": intruder])
            #expect(try program.ask("library intruder.so") == [isIntruded])
            #expect(try program.ask("add a") == ["0"])
            #expect(try program.ask("group a") == ["0", group])
        }
    }

    /// A library of this system, under whatever path it has.
    private static let anyLibrary = ["/lib/x86_64-linux-gnu/libutil.so.1", "/lib/aarch64-linux-gnu/libutil.so.1"]
        .first { FileManager.default.isReadableFile(atPath: $0) }
}
