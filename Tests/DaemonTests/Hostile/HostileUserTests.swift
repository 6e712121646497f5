// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Two users of the system's daemon, one of whom takes all that one user can get.
///
/// `KEYCHAIN_HOSTILE=60` is for how many seconds; with it, how long the other's calls take is judged too.
@Suite(.serialized, .enabled(if: UserScene.isPossible, "only root can install programs for other users"))
struct HostileUserTests {
    private static let seconds = ProcessInfo.processInfo.environment["KEYCHAIN_HOSTILE"].flatMap { Double($0) }

    /// Microseconds of finds, and milliseconds of unlocks.
    private struct Figures {
        var (half, ninetyNine, longest): ([Int], [Int], [Int]) = ([], [], [])
        var unlocks: [Int] = []

        /// Of the rounds, the one in the middle.
        static func middle(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

        var text: String {
            "finds p50 \(Figures.middle(half)) p99 \(Figures.middle(ninetyNine)) longest \(longest.max() ?? 0) µs,"
                + " unlocks \(Figures.middle(unlocks)), at most \(unlocks.max() ?? 0) ms"
        }
    }

    /// What a user does all day: finds, adds, and now and then unlocks.
    private final class User {
        private let program: AskingProgram
        private(set) var added = 0

        init(_ program: AskingProgram) { self.program = program }

        func add() throws {
            #expect(try program.ask("add item-\(added)") == ["0"])
            added += 1
        }

        func setPasscode() throws { #expect(try program.ask("keys set 1234") == ["unlocked"]) }

        func round(_ figures: inout Figures, finds: Int) throws {
            let found = try program.ask("finds item-0 \(finds)")
            #expect(found.first == "0", "\(found)")
            let times = found.dropFirst().first?.split(separator: ",").compactMap { Int($0) } ?? []
            try #require(times.count == 3)
            figures.half.append(times[0])
            figures.ninetyNine.append(times[1])
            figures.longest.append(times[2])
            try add()
            let unlocked = try program.ask("keys time 1234")
            #expect(unlocked.first == "unlocked", "\(unlocked)")
            figures.unlocks.append(Int(unlocked.last ?? "") ?? .max)
        }

        func expectEverything() throws {
            for number in 0..<added {
                let value = try program.ask("get item-\(number)").last
                // A value of several words comes in parts.
                #expect(value?.hasSuffix("item-\(number)") == true)
            }
        }
    }

    @Test(
        "one who floods the daemon in every way keeps no other user from finding, adding and unlocking, and loses them nothing"
    )
    func hostile() throws {
        let scene = try UserScene()
        try scene.installed.install("llavero-test-helper", as: "plain")
        try scene.installed.entitle(
            "plain", ["administers-keys": "<true/>", "application-identifier": InstalledFolder.text("APP")])
        try scene.startSystemDaemon("--keychains-per-user", "20", "--disk-per-user", "200M")
        let user = User(try scene.program("plain", as: UserScene.otherUser))
        for _ in 0..<20 { try user.add() }
        try user.setPasscode()
        let finds = Self.seconds == nil ? 100 : 1000
        var alone = Figures()
        for _ in 0..<(Self.seconds == nil ? 1 : 5) { try user.round(&alone, finds: finds) }
        let hostile = try HostileProcesses(scene)
        var beside = Figures()
        let end = Date(timeIntervalSinceNow: Self.seconds ?? 2)
        repeat { try user.round(&beside, finds: finds) } while Date() < end
        let results = try hostile.finish()
        print("alone: \(alone.text)\nbeside: \(beside.text)\nthe hostile user: \(results)")
        try user.expectEverything()
        guard Self.seconds != nil else { return }
        #expect(Figures.middle(beside.ninetyNine) <= 5 * Figures.middle(alone.ninetyNine))
        #expect(Figures.middle(beside.unlocks) <= 3 * Figures.middle(alone.unlocks))
    }
}

/// The programs of the user who floods the daemon; each has as many connections as one process may.
private final class HostileProcesses {
    private let programs: [(process: Process, input: Pipe, output: Pipe)]

    init(_ scene: UserScene) throws {
        let ways = [["passcodes", "keys", "seats"], ["messages", "keychains"], ["places"]]
        programs = try ways.map { ways in
            let process = scene.process("plain", ["hostile", "/run/llavero/socket"] + ways)
            // Closed when the test ends, however it does.
            let input = Pipe()
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            return (process, input, output)
        }
        for (_, _, output) in programs {
            #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n")
        }
    }

    deinit {
        for (process, _, _) in programs where process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
    }

    /// Ends them; what came of what they did.
    func finish() throws -> String {
        for (_, input, _) in programs { try input.fileHandleForWriting.close() }
        return programs.map { process, _, output in
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text.trimmingCharacters(in: .newlines)
        }.joined(separator: " ")
    }
}
