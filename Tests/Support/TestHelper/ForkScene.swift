// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import Security

/// A process with an open keychain forks without exec.
///
/// Both halves print the accounts whose adding was acknowledged.
enum ForkScene {
    static func run(_ arguments: [String]) -> Int32 {
        // One process stays behind to wait for both halves.
        let ending = llt_continue_in_child()
        if ending >= 0 { return ending }
        let passwords = Passwords(service: "fork")
        if arguments.first == "cold" { return startsInTheChild(passwords) }
        guard report("before", passwords), passwords.find("before").status == errSecSuccess else { return 2 }
        switch arguments.first {
        case "parent-first": return parentEndsFirst(passwords)
        case "child-first": return childEndsFirst(passwords)
        default: return 64
        }
    }

    /// The parent's end folds the write-ahead log in, unless it knows of the child's connections.
    private static func parentEndsFirst(_ passwords: Passwords) -> Int32 {
        var gate: [Int32] = [0, 0]
        guard pipe(&gate) == 0 else { return 3 }
        let child = llt_fork()
        if child != 0 { return waitForByte(gate[0]) ? 0 : 4 }
        guard passwords.find("before").value == "value of before" else { return 5 }
        for index in 0..<10 where !report("child-\(index)", passwords) { return 6 }
        let parent = getppid()
        var byte: UInt8 = 1
        write(gate[1], &byte, 1)
        var status: Int32 = 0
        // Not our child, so there is no status to collect; what counts is that it has ended.
        _ = llt_wait(parent, 900_000, &status)
        for index in 10..<40 where !report("child-\(index)", passwords) { return 7 }
        return 0
    }

    /// The child's end must leave the parent its locks, or the next process to end folds the log in under its feet.
    private static func childEndsFirst(_ passwords: Passwords) -> Int32 {
        var gate: [Int32] = [0, 0]
        guard pipe(&gate) == 0 else { return 3 }
        let child = llt_fork()
        if child == 0 {
            guard passwords.find("before").value == "value of before" else { return 5 }
            for index in 0..<10 where !report("child-\(index)", passwords) { return 6 }
            return 0
        }
        for index in 0..<10 where !report("parent-\(index)", passwords) { return 7 }
        var status: Int32 = 0
        guard llt_wait(child, 900_000, &status), llt_exit_code(status) == 0 else { return 8 }
        guard runAnotherProcess() else { return 9 }
        for index in 10..<40 where !report("parent-\(index)", passwords) { return 10 }
        return 0
    }

    /// Nobody has used the keychain before the fork.
    ///
    /// The forked thread comes first here: Swift 6.3 on Linux remembers its number from before the fork, and when it
    /// and a new thread want the same lazy global at once, any global of any library, both hang.
    private static func startsInTheChild(_ passwords: Passwords) -> Int32 {
        let child = llt_fork()
        if child != 0 { return 0 }
        guard report("before", passwords), passwords.find("before").status == errSecSuccess else { return 5 }
        let threads = (0..<4).map { index in Worker.start { _ = report("thread-\(index)", passwords) } }
        for thread in threads { pthread_join(thread, nil) }
        return 0
    }

    /// A third process reads and writes the same keychain, and ends.
    private static func runAnotherProcess() -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["probe", "add=third", "find=third"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func report(_ account: String, _ passwords: Passwords) -> Bool {
        guard passwords.add(account, "value of \(account)") == errSecSuccess else { return false }
        let line = Array("added \(account)\n".utf8)
        return write(1, line, line.count) == line.count
    }

    private static func waitForByte(_ file: Int32) -> Bool {
        var byte: UInt8 = 0
        return read(file, &byte, 1) == 1
    }
}
