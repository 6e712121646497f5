// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// One moment at which the writer is killed.
struct KillPoint: Sendable, CustomStringConvertible {
    enum Moment: String, Sendable, CaseIterable {
        case before, after
        /// In the middle: half of the bytes are written.
        case torn
    }

    /// The part of the script, the kind of call and the file, as in a run that was not killed.
    let part: String
    let kind: String
    let file: String
    /// Which call it is, counted over all kinds from 1.
    let count: Int
    let moment: Moment

    var description: String { "\(moment) the \(kind) of \(file) during \(part), call \(count)" }

    var order: String { "any:\(moment.rawValue):\(count)" }

    /// A spread over every part, kind and file of a whole run: of each the first, the last, and some between.
    static func spread(over list: [Call], between: Int, random: inout some RandomNumberGenerator) -> [KillPoint] {
        let groups = Dictionary(grouping: list) { [$0.part, $0.kind, $0.file] }
        return groups.sorted { ($0.value.first?.count ?? 0) < ($1.value.first?.count ?? 0) }.flatMap { _, calls in
            let some = calls.dropFirst().dropLast().shuffled(using: &random).prefix(between)
            let chosen = Array(calls.prefix(1)) + some + Array(calls.dropFirst().suffix(1))
            return chosen.flatMap { call in
                Moment.allCases.filter { $0 != .torn || call.kind == "write" }.map { moment in
                    KillPoint(part: call.part, kind: call.kind, file: call.file, count: call.count, moment: moment)
                }
            }
        }
    }
}

/// A call of a whole run that changed a file of the keychain.
struct Call: Sendable {
    let part: String
    let kind: String
    let file: String
    let count: Int

    /// Reads the interposer's list.
    static func calls(in list: String) -> [Call] {
        var part = ""
        var calls: [Call] = []
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            if words[0] == "part" {
                part = words[1]
            } else {
                // The workplace of a birth has another name each time.
                let file = words[1].hasPrefix(".birth-") ? "the workplace" : words[1]
                calls.append(Call(part: part, kind: words[0], file: file, count: calls.count + 1))
            }
        }
        return calls
    }
}
