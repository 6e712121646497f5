// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What one thread was told had happened, line by line, in a file outside of the keychain's folder.
///
/// Kept in memory and written by `save`, so that it costs the thread nothing to be honest.
final class Journal {
    private let path: String
    private var lines: [String] = []
    /// Calls that returned.
    private(set) var count = 0
    /// Statuses nobody expected, and values that were wrong.
    private(set) var troubles: [String] = []

    init(path: String) { self.path = path }

    /// Notes the value a key now has, or nil when it was deleted.
    func note(_ key: String, is value: String?) { lines.append("\(key) \(value ?? "-")") }

    func tick() { count += 1 }

    func complain(_ text: String) {
        if troubles.count < 20 { troubles.append(text) }
    }

    func save() {
        let text =
            (["count \(count)"] + troubles.map { "trouble \($0)" } + lines.map { "key \($0)" })
            .joined(separator: "\n") + "\n"
        // No FileManager.default here. Swift's lazy globals keep the number of the thread that makes them; in a forked
        // child that is the parent's, and when two threads of the child want the same one at once, both hang.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        let bytes = Array(text.utf8)
        _ = write(file, bytes, bytes.count)
        close(file)
    }

    /// What the journal at `path` says: its calls, its troubles, and the last value of each key.
    static func read(_ path: String) -> (count: Int, troubles: [String], values: [String: String?])? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        var count = 0
        var troubles: [String] = []
        var values: [String: String?] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch words.first {
            case "count": count = Int(words[1]) ?? 0
            case "trouble": troubles.append(words[1])
            default:
                let parts = words[1].split(separator: " ").map(String.init)
                values[parts[0]] = .some(parts[1] == "-" ? nil : parts[1])
            }
        }
        return (count, troubles, values)
    }
}
