// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSystem
import Testing

@Suite struct ChildProgramTests {
    private func run(_ script: String, _ environment: [String] = []) throws -> ChildProgram {
        try ChildProgram("/bin/sh", ["sh", "-c", script], environment: environment)
    }

    /// All that it says until it hangs up.
    private func read(_ child: ChildProgram) throws -> String {
        let deadline = try Deadline(seconds: 3600, Cancellation())
        var said: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 7)
        while true {
            #expect(try child.waitForWords(deadline, until: .never))
            let count = room.withUnsafeMutableBytes { child.receive(into: $0) }
            if count == 0 { return String(decoding: said, as: UTF8.self) }
            if count > 0 { said += room[..<count] }
        }
    }

    @Test("what is sent to it comes back, more than the socket holds at once")
    func talk() throws {
        let child = try run("wc -c")
        let deadline = try Deadline(seconds: 3600, Cancellation())
        let bytes = [UInt8](repeating: 0x61, count: 3 << 20)
        #expect(
            try bytes.withUnsafeBytes { (bytes) throws(WaitFailure) in try child.send(bytes, deadline, until: .never) })
        child.finishInput()
        #expect(try read(child).split(separator: " ").joined() == "3145728\n")
        #expect(child.end(within: 60_000).code == 0)
    }

    @Test("it has the environment that it is given, and no other file than its socket")
    func surroundings() throws {
        let file = open("/dev/zero", O_RDONLY)
        defer { close(file) }
        let child = try run(
            "echo \"$NAME\"; env | grep -c PATH=/; for n in 3 4 5 6 7 8 9; do test -e /proc/self/fd/$n && echo $n; done",
            ["NAME=given"])
        // The shell sets a PATH of its own where it has none, and gives it to nobody.
        #expect(try read(child) == "given\n0\n")
    }

    @Test("how it ended is said: a code, a signal, or the one that ended it here")
    func endings() throws {
        let code = try run("exit 7")
        #expect(code.end(within: 60_000).code == 7)
        #expect(code.ending?.signal == nil)
        let signal = try run("kill -9 $$")
        #expect(signal.end(within: 60_000).signal == SIGKILL)
        let lasting = try run("exec sleep 1000")
        #expect(lasting.end().signal == SIGTERM)
    }

    @Test("it goes with the thread that started it, also where nobody ends it, as of a process that is killed")
    func leftAlone() throws {
        nonisolated(unsafe) var started: ChildProgram?
        var line: [Int32] = [0, 0]
        #expect(pipe(&line) == 0)
        defer { close(line[0]) }
        let end = line[1]
        let failure = NamedThread.start("leaves") {
            started = try? ChildProgram("/bin/sleep", ["sleep", "1000"], environment: [])
            close(end)
        }
        var byte: UInt8 = 0
        #expect(failure == 0 && Glibc.read(line[0], &byte, 1) == 0)
        #expect(try read(try #require(started)) == "")
    }

    @Test("one that is not there is not started, and the errno says why")
    func missing() throws {
        do throws(ChildProgram.StartFailure) {
            _ = try ChildProgram("/nowhere", ["nowhere"], environment: [])
            Issue.record("it was started")
        } catch { #expect(error.code == ENOENT) }
    }

    @Test("one that takes nothing holds nobody longer than the moment")
    func patience() throws {
        let child = try run("exec sleep 1000")
        let deadline = try Deadline(seconds: 3600, Cancellation())
        let bytes = [UInt8](repeating: 0, count: 8 << 20)
        #expect(
            try !bytes.withUnsafeBytes { (bytes) throws(WaitFailure) in
                try child.send(bytes, deadline, until: Instant(inMilliseconds: 50))
            })
        child.end()
    }
}
