// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import TestProcesses
import TestPrompts
import Testing

/// Programs that are called pinentry and are none, or bad ones.
@Suite struct FakePinentryTests {
    /// Longer than any of these takes on a busy machine, and shorter than the hour that the question has.
    private static let bound = EventLimit.seconds

    private func ask(
        _ script: String, _ question: SecretQuestion = .test(), setupTime: UInt32
    ) throws -> Asked {
        let folder = try TestFolder()
        let path = try FakePinentry.make(script, in: folder.path)
        let prompt = PinentryPrompt(program: path, .desktop(), setupTime: setupTime)
        return try Asked.later(prompt, question).result(within: FakePinentryTests.bound)
    }

    @Test(
        "one that does not begin as it should is as good as none",
        arguments: [
            "exit 0", "exit 1", "kill -9 $$", "exec sleep 60", "echo HELLO; sleep 60", "echo ERR 83886179 no; sleep 60",
            "exec </dev/null >/dev/null; sleep 60", "yes", "yes | tr -d '\\n'", "printf 'OK\\0\\n'; sleep 60",
            "trap '' TERM; sleep 60 & wait", "yes '# comment'", "echo D secret; echo OK; sleep 60",
            "echo OKAY; sleep 60",
        ])
    func beginning(_ script: String) throws {
        #expect(try ask(script, setupTime: 1) == .notAvailable)
    }

    @Test(
        "one that answers with something else is refused",
        arguments: [
            "echo what", "echo 'INQUIRE QUALITY x'", "echo 'D %zz'; echo OK", "echo 'D %4'; echo OK", "echo 'ERR'",
            "echo 'ERR x'", "echo 'ERR 99999999999'", "echo 'ERR 1x'", "printf 'D a\\0b\\n'; echo OK",
            "printf 'OK\\r\\n'", "echo", "echo END", "echo 'CAN'", "exec yes '# comment'", "exec yes 'S status'",
            "exec yes 'D abcdefghij'", "exec tr '\\0' 'x' </dev/zero", "echo 'ERR 7 text'", "exit 0",
            "printf 'D %01100d\\n' 7; echo OK", "echo 'D part'; exit 0",
        ])
    func answering(_ script: String) throws {
        let folder = try TestFolder()
        let path = try FakePinentry.asking(script, in: folder.path)
        let asked = Asked.later(PinentryPrompt(program: path, .desktop()), .test())
        let result = try asked.result(within: FakePinentryTests.bound)
        #expect(result == .failed || result == .failedWith(code: 7), "\(result)")
    }

    @Test(
        "it may refuse in its own numbers",
        arguments: [
            ("83886179", Asked.cancelled), ("99", .cancelled), ("83886278 fully", .cancelled), ("114", .cancelled),
            ("83886142 late", .timedOut), ("83886381 small", .notAvailable), ("83918950", .notAvailable),
            ("85", .notAvailable), ("83886246 locale", .notAvailable), ("83886081", .failedWith(code: 1)),
        ])
    func refusing(_ code: String, _ expected: Asked) throws {
        let folder = try TestFolder()
        let path = try FakePinentry.asking("echo 'ERR \(code)'", in: folder.path)
        #expect(Asked(PinentryPrompt(program: path, .desktop()), .test()) == expected)
    }

    @Test("one that says nothing, and wants not to be ended, is ended when the time is over")
    func silent() throws {
        let folder = try TestFolder()
        let script = "trap '' TERM HUP; echo $$ >'\(folder.path)/pid'; while :; do sleep 60; done"
        let path = try FakePinentry.asking(script, in: folder.path)
        let asked = Asked.later(PinentryPrompt(program: path, .desktop()), .test(timeout: 3))
        let pid = try FakePinentry.pid(in: folder.path)
        #expect(try asked.result(within: FakePinentryTests.bound) == .timedOut)
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test("a program that it leaves behind, with the line open, keeps nobody waiting")
    func leftBehind() throws {
        // It is there as long as these tests are, so who waited for the line's end would wait beyond the bound.
        let script = "echo OK; tail --pid=$PPID -f /dev/null & exit 0"
        #expect(try ask(script, setupTime: 3600) == .failed)
    }

    @Test("the answer may come in parts, with comments and status between")
    func parts() throws {
        let folder = try TestFolder()
        let path = try FakePinentry.asking(
            "echo '# x'; echo 'D one%20'; echo 'S STATUS x'; echo 'D two%0d%25'; echo 'OK done'", in: folder.path)
        #expect(Asked(PinentryPrompt(program: path, .desktop()), .test()) == .answer("one two\r%"))
    }

    @Test("what it does not know of the setting up, it does without")
    func oldPinentry() throws {
        let folder = try TestFolder()
        let path = try FakePinentry.make(
            """
            echo OK
            while read -r command rest; do
                case $command in
                GETPIN) echo 'D x'; echo OK ;;
                *) echo 'ERR 83886355 Unknown IPC command' ;;
                esac
            done
            """, in: folder.path)
        #expect(Asked(PinentryPrompt(program: path, .desktop()), .test(confirms: true)) == .answer("x"))
    }

    @Test("a secret that is never repeated the same is given up in the end")
    func neverTheSame() throws {
        let folder = try TestFolder()
        let path = try FakePinentry.asking(
            "count=$((count + 1)); echo D $count; echo OK", in: folder.path, before: "count=0")
        #expect(Asked(PinentryPrompt(program: path, .desktop()), .test(confirms: true)) == .failed)
        #expect(FakePinentry.heard(in: folder.path).count { $0.hasPrefix("GETPIN") } == 10)
    }
}
