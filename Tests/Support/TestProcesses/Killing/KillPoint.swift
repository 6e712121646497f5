// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// One moment at which a process is killed.
package struct KillPoint: Sendable, CustomStringConvertible {
    package enum Moment: String, Sendable, CaseIterable {
        case before, after
        /// In the middle: half of the bytes are written.
        case torn
    }

    /// The part of the script, the kind of call and the file, as in a run that was not killed.
    package let part: String
    package let kind: String
    package let file: String
    /// Which call it is, counted over all kinds from 1.
    package let count: Int
    package let moment: Moment

    package var description: String { "\(moment) the \(kind) of \(file) during \(part), call \(count)" }

    /// What tells the interposer.
    package var order: String { "any:\(moment.rawValue):\(count)" }

    /// Every moment of these calls.
    package static func all(of calls: [Call]) -> [KillPoint] {
        calls.flatMap { call in
            Moment.allCases.filter { $0 != .torn || call.kind == "write" }.map { moment in
                KillPoint(part: call.part, kind: call.kind, file: call.file, count: call.count, moment: moment)
            }
        }
    }

    /// Whether every call there is is wanted, for which `make crash` sets `KEYCHAIN_KILLS=all`.
    package static var wantsAll: Bool { ProcessInfo.processInfo.environment["KEYCHAIN_KILLS"] == "all" }

    /// Without those right after a call where the moment before the next call is among them, too: both leave the same files,
    /// and before the next call more has been acknowledged.
    package static func withoutTwins(_ points: [KillPoint]) -> [KillPoint] {
        let begun = Set(points.filter { $0.moment == .before }.map(\.count))
        return points.filter { $0.moment != .after || !begun.contains($0.count + 1) }
    }

    /// A spread over every part, kind and file of a whole run: of each the first, the last, and some between.
    package static func spread(
        over list: [Call], between: Int, random: inout some RandomNumberGenerator
    ) -> [KillPoint] {
        let groups = Dictionary(grouping: list) { [$0.part, $0.kind, $0.file] }
        let chosen = groups.sorted { ($0.value.first?.count ?? 0) < ($1.value.first?.count ?? 0) }.flatMap { _, calls in
            let some = calls.dropFirst().dropLast().shuffled(using: &random).prefix(between)
            return Array(calls.prefix(1)) + some + Array(calls.dropFirst().suffix(1))
        }
        return all(of: chosen)
    }
}
