// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import Testing

@Suite struct TranscriptTests {
    /// With TRANSCRIPTS=record the files are written anew, and what was changed in them fails.
    @Test("the tools answer as the transcript says", arguments: Transcript.all)
    func transcript(_ transcript: Transcript) throws {
        let isRecording = ProcessInfo.processInfo.environment["TRANSCRIPTS"] == "record"
        #expect(!transcript.steps.isEmpty)
        let disk = transcript.hasDisk ? try SmallDisk() : nil
        // Where nobody may mount one, there is nothing to be seen; SmallDisk says so.
        if transcript.hasDisk, disk == nil { return }
        let scene = try TranscriptScene(hasAgent: transcript.hasAgent, isAlone: transcript.isAlone, on: disk)
        var found = transcript
        for (index, step) in transcript.steps.enumerated() {
            let (lines, code) = try scene.run(step)
            found.steps[index] = step.having(lines, code)
        }
        // What was recorded with the day of its recording is right on that day alone.
        let day = Date.now.formatted(.iso8601.year().month().day())
        for line in found.steps.flatMap(\.answer) where isRecording && !line.hasPrefix("«re:") {
            #expect(!line.contains(day), "write this line as a pattern: \(line)")
        }
        guard found.text != transcript.text else { return }
        if isRecording { try Data(found.text.utf8).write(to: URL(fileURLWithPath: transcript.path)) }
        Issue.record("\(transcript.path):\n\(TranscriptDifference(transcript, found).text)")
    }

    @Test("transcripts say something of each tool that is tested by them")
    func thereAreSome() { #expect(!Transcript.all.isEmpty) }
}
