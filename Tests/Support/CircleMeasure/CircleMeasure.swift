// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainSync
import TestProcesses

/// What a circle costs, each beside what cannot be less, in one run on one machine: `Scripts/bench.sh --circle DEVICES ITEMS`, and
/// `--circle-change DEVICES ITEMS` for the way of one change alone.
@main enum CircleMeasure {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch words.first {
            case "first-sync" where words.count == 3: try RealDevice(folder: words[1]).measureFirstSync(at: words[2])
            case "fill" where words.count == 4:
                try StoreCosts.fill(words[1], items: Int(words[2]) ?? 0, isInCircle: words[3] == "on")
            case "find" where words.count == 4:
                try StoreCosts.find(words[1], items: Int(words[2]) ?? 1, times: Int(words[3]) ?? 0)
            case "change" where words.count == 3:
                try ServerCosts(devices: Int(words[1]) ?? 0, items: Int(words[2]) ?? 0).runOneChange()
            case "removal" where words.count == 2:
                try ServerCosts(devices: Int(words[1]) ?? 0, items: 1000).runRemoval()
            default:
                let numbers = words.compactMap { Int($0) }
                guard numbers.count == 2, words.count == 2 else {
                    throw Trouble("usage: llavero-circle-measure DEVICES ITEMS | removal DEVICES")
                }
                try ServerCosts(devices: numbers[0], items: numbers[1]).run()
                try StoreCosts.run(numbers[1])
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }
}

/// Prints figures.
enum Figure {
    /// A figure beside what it is compared with, and the ratio that was aimed at.
    static func say(_ what: String, _ ours: Double, _ other: String, _ limit: Double, atMost target: Double? = nil) {
        let ratio = ours / limit
        let aim = target.map { "   aim \(text($0))\(ratio > $0 ? " MISSED" : "")" } ?? ""
        say(what, "\(milliseconds(ours)), \(other) \(milliseconds(limit)), ratio \(text(ratio))\(aim)")
    }

    // As soon as it is known, also where the output is a file.
    static func say(_ what: String, _ text: String) {
        FileHandle.standardOutput.write(Data("\(what)   \(text)\n".utf8))
    }

    static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    static func median(_ times: [Double]) -> Double { times.isEmpty ? 0 : times.sorted()[times.count / 2] }

    static func middle(_ times: [Double]) -> String { milliseconds(median(times)) }

    static func text(_ number: Double) -> String { String(format: "%.2f", number) }

    static func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1000) }

    /// The most memory that this process had, in kilobytes.
    static func memory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }
}

/// Items as devices share them.
enum Sample {
    /// The same item each time; of a later round it is a later version.
    static func item(_ index: Int, _ round: Int) -> SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string("user\(index)@example.com")
        attributes[.service] = .string("service \(index % 1000)")
        attributes[.label] = .string("An item of a circle")
        attributes[.accessGroup] = .string("llavero.open")
        attributes[.accessible] = .string("ck")
        attributes[.synchronizable] = .number(1)
        attributes[.tombstone] = .number(0)
        attributes[.creationDate] = .date(1000)
        attributes[.modificationDate] = .date(1000 + Double(round))
        return SyncItem(
            itemClass: .genericPassword, attributes: attributes,
            secret: SecretValue(copying: Array("password \(round) of \(index)".utf8)))
    }

    static func added(_ account: String) -> AddRequest {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        attributes[.service] = .string("service")
        return AddRequest(
            itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
            protection: .accessControl(AccessControl(protection: .whenUnlocked)), isSynchronizable: true,
            isTombstone: false, secret: SecretValue(copying: Array("password".utf8)), returning: [], origin: .caller)
    }

    static func predicate(_ account: String) -> ItemPredicate {
        var attributes = AttributeList()
        attributes[.account] = .string(account)
        attributes[.service] = .string("service")
        return ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
    }
}
