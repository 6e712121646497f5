// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Where a program's keychain is, as its surroundings say.
@Suite struct PlaceTests {
    @Test("LLAVERO_HOME comes before XDG_DATA_HOME, and that before HOME")
    func order() throws {
        let folder = try TestFolder()
        let root = folder.path
        var environment = ["LLAVERO_HOME": "\(root)/own", "XDG_DATA_HOME": "\(root)/data", "HOME": "\(root)/home"]
        #expect(try ProbeRun(folder, environment)("folder", "add") == ["folder \(root)/own/login", "add 0"])
        environment["LLAVERO_HOME"] = nil
        #expect(try ProbeRun(folder, environment)("folder", "add") == ["folder \(root)/data/llavero/login", "add 0"])
        environment["XDG_DATA_HOME"] = nil
        // A home folder that is not there is not made, whoever could.
        let lines = try ProbeRun(folder, environment)("add", "why")
        #expect(lines.first == "add -25291" && lines.last?.contains("the home folder does not exist") == true)
        #expect(!FileManager.default.fileExists(atPath: "\(root)/home"))
        _ = try folder.makeFolder("home")
        let home = "\(root)/home/.local/share/llavero/login"
        #expect(try ProbeRun(folder, environment)("folder", "add") == ["folder \(home)", "add 0"])
        for made in ["\(root)/own/login", "\(root)/data/llavero/login", home] {
            #expect(
                TestFolder.names(in: made) == ["device.key", "keybag.copy", "keychain.db", "owner", "queue", "reserve"])
        }
    }

    @Test("an empty variable counts as none, and a relative XDG_DATA_HOME is ignored")
    func ignored() throws {
        let folder = try TestFolder()
        let environment = ["LLAVERO_HOME": "", "XDG_DATA_HOME": "data", "HOME": folder.path]
        #expect(
            try ProbeRun(folder, environment)("folder") == ["folder \(folder.path)/.local/share/llavero/login"])
    }

    @Test("a relative LLAVERO_HOME is refused and the variable is named")
    func relative() throws {
        let folder = try TestFolder()
        let lines = try ProbeRun(folder, ["LLAVERO_HOME": "keychains", "HOME": folder.path])("add", "why")
        try #require(lines.count == 2)
        #expect(lines[0] == "add -25291")
        #expect(lines[1].contains("LLAVERO_HOME"))
        #expect(TestFolder.names(in: folder.path)?.filter { !$0.hasPrefix("output-") } == [])
    }

    @Test("LLAVERO_KEYCHAIN=memory leaves nothing on the disk and forgets everything at the end")
    func memory() throws {
        let folder = try TestFolder()
        let probe = ProbeRun(folder, ["LLAVERO_KEYCHAIN": "memory", "LLAVERO_HOME": folder.file("root")])
        #expect(
            try probe("folder", "add", "find", "check")
                == ["folder memory", "add 0", "find 0 value of account", "check clean"])
        #expect(try probe("find") == ["find -25300 -"])
        #expect(TestFolder.names(in: folder.file("root")) == nil)
    }

    @Test("each name is a keychain of its own")
    func named() throws {
        let folder = try TestFolder()
        var work = ProbeRun(folder, ["LLAVERO_HOME": folder.file("root")])
        #expect(try work("add") == ["add 0"])
        work.environment["LLAVERO_KEYCHAIN"] = "my-work_1.old"
        #expect(try work("find", "add") == ["find -25300 -", "add 0"])
        #expect(TestFolder.names(in: folder.file("root")) == ["login", "my-work_1.old"])
    }

    @Test("the older calls look into the keychain that is named for the program, whatever the search list says")
    func listedAndNamed() throws {
        let folder = try TestFolder()
        var probe = ProbeRun(folder, ["LLAVERO_HOME": folder.file("root")])
        #expect(try probe("add") == ["add 0"])
        try Data("search\tlogin\n".utf8).write(to: URL(fileURLWithPath: folder.file("root/.preferences")))
        chmod(folder.file("root/.preferences"), 0o600)
        #expect(try probe("classic") == ["classic 0"])
        for name in ["memory", "work"] {
            probe.environment["LLAVERO_KEYCHAIN"] = name
            #expect(try probe("add=other", "classic", "classic=other") == ["add 0", "classic -25300", "classic 0"])
        }
    }

    @Test(
        "a name that is no plain word is refused and nothing is made",
        arguments: ["..", ".hidden", "a/b", "/tmp/x", "a b", "é", "-a", String(repeating: "x", count: 65)])
    func badName(name: String) throws {
        let folder = try TestFolder()
        let probe = ProbeRun(folder, ["LLAVERO_HOME": folder.file("root"), "LLAVERO_KEYCHAIN": name])
        let lines = try probe("add", "why")
        try #require(lines.count == 2)
        #expect(lines[0] == "add -25291")
        #expect(lines[1].contains("LLAVERO_KEYCHAIN"))
        #expect(TestFolder.names(in: folder.file("root")) == nil)
    }
}
