// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// A file of commands, each with what it says and how it ends.
///
/// `$ command` is given to /bin/sh; `$ @tty command` on a terminal. `< text` below it is a line of its standard input, or
/// one that is typed. Then comes what it prints, standard error included, line by line: verbatim, or `«re:…»` for a line
/// that is a regular expression. `? N` at the end is its exit code, 0 where it is missing. `# text` in front of a command
/// is a remark; empty lines at the end of an answer do not count. `«folder»` stands for the folder that the file's
/// commands have, and `«end»` at the end of an answer for a line that does not end. A file that begins with `# @agent` has a place for a
/// daemon, in one that begins with `# @alone` none can be started; otherwise its socket is beside the keychains. One that begins
/// with `# @disk` has its keychains on a disk of a few megabytes, `«disk»`, which `fill-disk` fills and `empty-disk` empties.
struct Transcript: CustomTestStringConvertible {
    let path: String
    var steps: [TranscriptStep] = []
    /// What stands in front of each step, and behind the last one.
    var remarks: [[String]] = [[]]

    var testDescription: String { (path as NSString).lastPathComponent }

    /// Whether its first line asks for a user's own daemon, which is then started by whoever unlocks a keychain.
    var hasAgent: Bool { remarks[0].first == "# @agent" }

    /// In one that begins so nothing can start a daemon.
    var isAlone: Bool { remarks[0].first == "# @alone" }

    /// In one that begins so the keychains are on a small disk of their own.
    var hasDisk: Bool { remarks[0].first == "# @disk" }

    /// All of this target, in order.
    static let all: [Transcript] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Transcripts")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".txt") }.sorted().map { Transcript(folder.appendingPathComponent($0).path) }
    }()

    private init(_ path: String) {
        self.path = path
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for line in lines { read(line) }
        for index in steps.indices { steps[index].settle() }
    }

    private mutating func read(_ line: String) {
        if line.hasPrefix("$ ") {
            steps.append(TranscriptStep(String(line.dropFirst(2))))
            remarks.append([])
        } else if line.hasPrefix("#") || steps.isEmpty || !(remarks.last?.isEmpty ?? true) {
            remarks[remarks.count - 1].append(line)
        } else if !steps[steps.count - 1].read(line) {
            remarks[remarks.count - 1].append(line)
        }
    }

    /// The file again, as its steps are now.
    var text: String {
        var lines = remarks[0]
        for (index, step) in steps.enumerated() {
            if let last = lines.last, !last.isEmpty, !last.hasPrefix("#") { lines.append("") }
            lines += step.lines
            let behind = remarks[index + 1].drop(while: \.isEmpty)
            if !behind.isEmpty { lines += [""] + behind }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
