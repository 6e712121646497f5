// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation
internal import TestProcesses
internal import TestPrompts

/// A folder with the tools under all of their names, a home without settings, and a keychain of its own.
final class HelperScene {
    let folder: TestFolder
    private(set) var environment: [String: String]

    struct Answer: Equatable {
        let code: Int32
        let output: String
        let complaint: String
    }

    init() throws {
        folder = try TestFolder()
        let tools = try folder.makeFolder("bin")
        guard let image = llt_image_path() else { throw POSIXError(.ENOENT) }
        let program = URL(fileURLWithPath: String(cString: image)).deletingLastPathComponent()
            .appendingPathComponent("llavero").path
        let helpers = [
            "git-credential-llavero", "docker-credential-llavero", "cargo-credential-llavero", "llavero-askpass",
        ]
        for name in ["llavero", "security"] + helpers {
            try FileManager.default.createSymbolicLink(atPath: tools + "/" + name, withDestinationPath: program)
        }
        environment = [
            "PATH": "\(tools):/usr/bin:/bin", "HOME": try folder.makeFolder("home"),
            "LLAVERO_HOME": folder.file("keychains"), "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        ]
    }

    func set(_ name: String, _ value: String?) { environment[name] = value }

    func file(_ name: String) -> String { folder.file(name) }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        if mode & 0o100 != 0 { return try ProgramFile.write(text, to: file(name), mode: mode) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
    }

    /// Runs a program by its name, in a session without a terminal, so that nobody can be asked.
    @discardableResult
    func run(_ words: String..., input: String = "", in place: String? = nil) throws -> Answer {
        try run(words, input: Data(input.utf8), in: place)
    }

    func run(_ words: [String], input: Data, in place: String? = nil) throws -> Answer {
        let mark = UUID().uuidString
        let (given, output, complaint) = (file("in-\(mark)"), file("out-\(mark)"), file("err-\(mark)"))
        try input.write(to: URL(fileURLWithPath: given))
        for name in [output, complaint] { _ = FileManager.default.createFile(atPath: name, contents: nil) }
        defer { for name in [given, output, complaint] { try? FileManager.default.removeItem(atPath: name) } }
        let script = #"cd "$1" && exec <"$2" >"$3" 2>"$4" && shift 4 && exec "$@""#
        let process = try SessionProcess(
            ["/bin/sh", "-c", script, "sh", place ?? folder.path, given, output, complaint] + words,
            environment: environment, terminal: nil)
        let code = try process.wait()
        func text(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }
        return Answer(code: code, output: try text(output), complaint: try text(complaint))
    }

    /// Starts a program on a terminal, where the test is the person.
    func start(_ words: [String], on terminal: PseudoTerminal) throws -> SessionProcess {
        try terminal.run(["/usr/bin/env"] + words, environment: environment)
    }

    /// Has every display's questions be answered by a program of the test's.
    func setDialog(answering answer: String) throws {
        try write(answer, to: "dialog-answer")
        let program = try FakePinentry.make(
            """
            echo OK ready
            while read -r command rest; do
                echo "$command $rest" >>'\(file("dialog-heard"))'
                case $command in
                CONFIRM|GETPIN) cat '\(file("dialog-answer"))' ;;
                BYE) echo OK; exit 0 ;;
                *) echo OK ;;
                esac
            done
            """, in: folder.path)
        set("DISPLAY", ":99")
        set("PINENTRY", program)
    }

    /// What it was asked so far.
    var dialogs: [String] { folder.text("dialog-heard").split(separator: "\n").map(String.init) }

    /// The same of a program that has to succeed; what it printed.
    @discardableResult
    func need(_ words: String..., input: String = "", in place: String? = nil) throws -> String {
        let answer = try run(words, input: Data(input.utf8), in: place)
        guard answer.code == 0 else { throw Failure(words: words, answer: answer) }
        return answer.output
    }

    struct Failure: Error {
        let words: [String]
        let answer: Answer
    }
}
