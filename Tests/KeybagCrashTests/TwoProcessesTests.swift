// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSeed
import TestSwtpm
import Testing

/// Processes that are at one keybag at the same time.
@Suite struct TwoProcessesTests {
    private static let hasTPM = SwtpmProcess.isInstalled && Llavero.supportsTPM

    @Test("while one process changes keys and passcode, what another writes stays readable, every item of it")
    func software() throws { try work(changes: 80, tpm: nil) }

    @Test(
        "the same with a TPM", .enabled(if: hasTPM, "needs swtpm, and a build with the trait TPM"),
        .timeLimit(.minutes(60)))
    func tpm() throws { try work(changes: 40, tpm: SwtpmProcess()) }

    private func work(changes: Int, tpm: SwtpmProcess?) throws {
        var random = Seed(for: "two processes")
        let folder = try TestFolder()
        let home = try folder.makeFolder("home")
        let place = [home, tpm?.connection ?? "software"]
        let (made, said) = try HelperProcess.run(["keybag-script"] + place + ["set=A"], environment: [:], in: folder)
        try #require(made == .exited(0), "\(said)")

        let enough = folder.file("enough")
        let workers = try ["one", "two"].map { name in
            try HelperProcess(
                ["keybag-work"] + place + [name, enough], environment: [:], output: folder.file("output-\(name)"))
        }
        let (ending, lines) = try HelperProcess.run(
            ["keybag-turmoil"] + place + ["\(changes)", "\(UInt32.random(in: 1 ... .max, using: &random))"],
            environment: [:], in: folder)
        #expect(FileManager.default.createFile(atPath: enough, contents: nil))
        #expect(ending == .exited(0), "\(lines)")
        var stored: [String: String] = [:]
        for worker in workers {
            let ending = worker.wait()
            let troubles = worker.lines.filter { !$0.hasPrefix("stored ") && !$0.hasPrefix("calls ") }
            #expect(ending == .exited(0), "\(troubles)")
            for line in worker.lines where line.hasPrefix("stored ") {
                let words = line.dropFirst("stored ".count).split(separator: "=").map(String.init)
                if words.count == 2 { stored[words[0]] = words[1] }
            }
            print("\(worker.lines.last ?? "") of one process while another made \(changes) changes")
        }
        let passcode = lines.last?.split(separator: " ").last.map(String.init) ?? "-"
        try expect(stored, passcode, at: place, in: folder)
    }

    /// Nothing is lost, and nothing unreadable.
    private func expect(
        _ stored: [String: String], _ passcode: String, at place: [String], in folder: TestFolder
    ) throws {
        let (ending, lines) = try HelperProcess.run(
            ["keybag-look"] + place + [passcode] + stored.keys.sorted(), environment: [:], in: folder)
        #expect(ending == .exited(0), "\(lines)")
        let sighting = Sighting(lines)
        #expect(sighting.troubles == [])
        #expect(sighting.findings == [])
        #expect(sighting.openers == (passcode == "-" ? [] : [passcode]))
        // Items that need a passcode went with one, maybe after the last look that was had at them.
        let lasting = stored.filter { !$0.key.contains(".akpu.") }
        #expect(!lasting.isEmpty)
        #expect(sighting.items.filter { !$0.key.contains(".akpu.") } == lasting)
    }

    @Test("of wrong passcodes that four processes try at once each is counted, and none is tried beyond the fifth")
    func guesses() throws { try guess(tpm: nil) }

    @Test("the same with a TPM", .enabled(if: hasTPM, "needs swtpm, and a build with the trait TPM"))
    func guessesWithTPM() throws { try guess(tpm: SwtpmProcess()) }

    private func guess(tpm: SwtpmProcess?) throws {
        let folder = try TestFolder()
        let home = try folder.makeFolder("home")
        let place = [home, tpm?.connection ?? "software"]
        let (made, said) = try HelperProcess.run(["keybag-script"] + place + ["set=A"], environment: [:], in: folder)
        try #require(made == .exited(0), "\(said)")
        // One each: four, all of them counted. Then the right one, which forgets them; then more than are free.
        #expect(try guesses(1, at: place, in: folder) == ["counted": 4])
        #expect(try failures(at: place, in: folder) == 4)
        let (opened, lines) = try HelperProcess.run(
            ["keybag-script"] + place + ["unlock=A"], environment: [:], in: folder)
        #expect(opened == .exited(0), "\(lines)")
        #expect(try guesses(3, at: place, in: folder) == ["counted": 5, "wait": 7])
        #expect(try failures(at: place, in: folder) == 5)
    }

    /// What four processes were told that began at the same moment.
    private func guesses(_ count: Int, at place: [String], in folder: TestFolder) throws -> [String: Int] {
        let pipes = try folder.makeFolder("pipes-\(count)")
        let (ready, go) = (try NamedPipe(pipes + "/ready"), try NamedPipe(pipes + "/go"))
        let helpers = try (0..<4).map { index in
            try HelperProcess(
                ["keybag-guess"] + place + ["\(count)", pipes], environment: [:], output: pipes + "/output-\(index)")
        }
        try ready.take(helpers.count)
        try go.send(Array(repeating: 0, count: helpers.count))
        for helper in helpers { #expect(helper.wait() == .exited(0)) }
        return helpers.flatMap(\.lines).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func failures(at place: [String], in folder: TestFolder) throws -> Int {
        let (_, lines) = try HelperProcess.run(["keybag-look"] + place + ["-"], environment: [:], in: folder)
        return Sighting(lines).failures
    }
}
