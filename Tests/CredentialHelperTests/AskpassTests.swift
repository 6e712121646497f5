// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import Testing

@Suite("the askpass's answers out of the keychain") struct AskpassTests {
    private let scene: HelperScene

    init() throws { scene = try HelperScene() }

    @Test("of several items that are called alike none is given, and the person is asked")
    func several() throws {
        let question = "u@h's password: "
        try scene.need("llavero", "add", "ssh: u@h", "--stdin", input: "one\n")
        #expect(try scene.need("llavero-askpass", question) == "one\n")
        try scene.need("llavero", "add", "ssh: u@h", "--user", "other", "--stdin", input: "two\n")
        let answer = try scene.run("llavero-askpass", question)
        #expect(answer.code == 1 && answer.output == "", "\(answer)")
        #expect(answer.complaint.contains("2 items are called ssh: u@h, so none is used: id:"), "\(answer)")
        #expect(answer.complaint.contains("the keychain has several items for it"), "\(answer)")
        try scene.setDialog(answering: "D typed\nOK\n")
        #expect(try scene.run("llavero-askpass", question).output == "typed\n")
        // As it says: another name for the other one.
        let start = try #require(answer.complaint.range(of: " (user other)")).lowerBound
        let identifier = answer.complaint[..<start].split(separator: " ").last.map { String($0) } ?? ""
        try scene.need("llavero", "rename", identifier, "other")
        let asked = try scene.need("sh", "-c", #"llavero-askpass "$1"; true"#, "sh", question)
        #expect(asked == "one\n")
    }

    @Test(
        "the path of a key is the same, however it is written",
        arguments: ["/home/u/k", "/home/u/./k", "//home/u//k", "/home/x/../u/k", "/home/u/x/\u{301}y/../../k"])
    func path(path: String) throws {
        try scene.need("llavero", "add", "ssh: /home/u/k", "--stdin", input: "s\n")
        #expect(try scene.need("llavero-askpass", "Enter passphrase for key '\(path)': ") == "s\n")
    }

    @Test(
        "a key in the home folder is also called by ~, or by the name that a Mac's keychain has of a user of that name",
        arguments: ["ssh: ~/.ssh/k", "SSH: /Users/home/.ssh/k"])
    func home(name: String) throws {
        try scene.need("llavero", "add", name, "--stdin", input: "s\n")
        let home = scene.folder.file("home")
        #expect(try scene.need("llavero-askpass", "Enter passphrase for key '\(home)/.ssh/k': ") == "s\n")
        #expect(try scene.run("llavero-askpass", "Enter passphrase for key '\(home)er/.ssh/k': ").code == 1)
    }

    @Test("of a locked keychain the person is asked for its passcode, not for what it has; unless there is none")
    func locked() throws {
        let question = "Enter passphrase for key '/home/u/k': "
        try scene.need("llavero", "add", "ssh: /home/u/k", "--stdin", input: "s\n")
        try scene.need("llavero", "passcode", "set", "--new-fd", "0", input: "1234")
        let unattended = try scene.run("llavero-askpass", question)
        #expect(unattended.code == 1 && unattended.complaint.contains("the keychain is locked"), "\(unattended)")
        try scene.setDialog(answering: "D 1234\nOK\n")
        #expect(try scene.need("llavero-askpass", question) == "s\n")
        let heard = scene.folder.text("dialog-heard")
        #expect(heard.contains("is locked") && !heard.contains("/home/u/k"), "\(heard)")
        // Who does not give it may know the answer, and is told why it is asked for.
        try scene.setDialog(answering: "ERR 83886179 cancelled\n")
        #expect(try scene.run("llavero-askpass", question).code == 1)
        #expect(scene.folder.text("dialog-heard").contains("cannot answer now"))
    }

    @Test(
        "a command that is advised does nothing else when it is pasted",
        arguments: ["/home/u/$(touch made)", "/home/u/`touch made`", "/home/u/'\u{301}; touch made; '"])
    func advised(path: String) throws {
        let answer = try scene.run("llavero-askpass", "Enter passphrase for key '\(path)': ")
        #expect(answer.code == 1 && answer.output == "", "\(answer)")
        let start = try #require(answer.complaint.range(of: "`llavero add ", options: .literal)).upperBound
        let end = try #require(answer.complaint.range(of: "` adds one", options: .literal)).lowerBound
        let named = String(answer.complaint[start..<end])
        #expect(try scene.need("sh", "-c", "printf %s \(named)") == "ssh: \(path)", "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("made")))
    }
}
