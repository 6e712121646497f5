// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSecretService
import TestProcesses
import Testing

/// What programs are known by, of processes that run.
@Suite struct BusProcessTests {
    private static let waits = "import sys; print('ready', flush=True); sys.stdin.read()"
    private static let secret = "Sup3rLiteral3"

    private let place: TestFolder
    private let python: String
    private var folder: String { place.path }

    init() throws {
        place = try TestFolder()
        _ = try place.makeFolder("bin")
        python = try #require(
            unsafe realpath("/usr/bin/python3", nil).map { text in
                defer { unsafe free(text) }
                return unsafe String(cString: text)
            })
        try write("w.py", "#!/usr/bin/python3 -sE\n" + BusProcessTests.waits)
        try write("env.py", "#!/usr/bin/env python3\n" + BusProcessTests.waits)
        try FileManager.default.createSymbolicLink(atPath: folder + "/bin/link", withDestinationPath: "../w.py")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/\(name)")
    }

    /// The program of a process with these words, which runs in the folder of this test.
    private func key(_ words: [String], at subfolder: String = "") throws -> String? {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: words[0].hasPrefix("/") ? words[0] : "\(folder)/\(words[0])")
        process.arguments = Array(words.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: folder + subfolder)
        // env is to find the same Python.
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        // By then env has become Python.
        let line = output.fileHandleForReading.readData(ofLength: 6)
        #expect(String(decoding: line, as: UTF8.self) == "ready\n")
        return BusProcess(process.processIdentifier)?.program.key
    }

    @Test("code, a module and words that are no file's name are not kept of a command line")
    func code() throws {
        let code = "\(BusProcessTests.waits); '\(BusProcessTests.secret)'"
        try write("module.py", BusProcessTests.waits)
        let lines = [
            ["-c", code], ["-Wignore", "-c", code], ["-W", "ignore", "-c", code], ["-sEc", code],
            ["-c", code, "w.py"], ["-c\(code)", "w.py"], ["-X", "utf8", "-c", code, BusProcessTests.secret],
            ["-m", "module", "w.py"], ["-mmodule", BusProcessTests.secret],
        ]
        for line in lines { #expect(try key(["/usr/bin/python3"] + line) == "program:\(python)", "\(line)") }
        // A file that has the code for its name is no script either.
        try write("print('ready', flush=True); input()", "")
        let named = try key(["/usr/bin/python3", "-c", "print('ready', flush=True); input()"])
        #expect(named == "program:\(python)")
    }

    @Test("a script is one program, however it is started")
    func script() throws {
        let script = "script:\(python) \(folder)/w.py"
        let lines = [
            ["w.py"], ["\(folder)/w.py"], ["bin/link"], ["/usr/bin/python3", "w.py", BusProcessTests.secret],
            ["/usr/bin/python3", "./bin/../w.py"], ["/usr/bin/python3", "\(folder)/bin/link"],
            ["/usr/bin/python3", "-Wignore", "-sE", "-X", "utf8", "w.py", "-c", BusProcessTests.secret],
            ["/usr/bin/python3", "-W", "ignore", "--", "w.py"],
        ]
        for line in lines { #expect(try key(line) == script, "\(line)") }
        #expect(try key(["/usr/bin/python3", "../w.py"], at: "/bin") == script)
        #expect(try key(["env.py"]) == "script:\(python) \(folder)/env.py")
    }

    @Test("a script that no longer is where the word says is known by its interpreter")
    func moved() throws {
        try write("leaves.py", "import os; os.chdir('/'); " + BusProcessTests.waits)
        try write("unlinks.py", "import os; os.unlink('unlinks.py'); " + BusProcessTests.waits)
        // A file of its own that it has open is not the one that has the number here.
        try write("opens.sh", "exec /usr/bin/python3 /dev/fd/3 3< w.py")
        for words in [["/usr/bin/python3", "leaves.py"], ["/usr/bin/python3", "unlinks.py"]] {
            #expect(try key(words) == "program:\(python)", "\(words)")
        }
        #expect(try key(["/bin/sh", "opens.sh"]) == "program:\(python)")
    }

    @Test("other interpreters: code gives no script, options before a script do not hide it")
    func others() throws {
        let (shell, secret) = ("printf 'ready\\n'; read x", BusProcessTests.secret)
        let bash = try #require(FileManager.default.fileExists(atPath: "/usr/bin/bash") ? "/usr/bin/bash" : nil)
        try write("w.sh", shell)
        #expect(try key([bash, "-ec", "\(shell); : \(secret)", "w.sh"]) == "program:\(bash)")
        #expect(try key([bash, "-o", "posix", "-c", "\(shell); : \(secret)"]) == "program:\(bash)")
        #expect(try key([bash, "--norc", "-e", "w.sh", secret]) == "script:\(bash) \(folder)/w.sh")
        let perl = "/usr/bin/perl"
        guard FileManager.default.fileExists(atPath: perl) else { return }
        try write("w.pl", "$| = 1; print \"ready\\n\"; <STDIN>;")
        #expect(
            try key([perl, "-we", "$| = 1; print \"ready\\n\"; <STDIN>; '\(secret)'", "w.pl"]) == "program:\(perl)")
        #expect(try key([perl, "-w", "-Mstrict", "w.pl", secret]) == "script:\(perl) \(folder)/w.pl")
    }
}
