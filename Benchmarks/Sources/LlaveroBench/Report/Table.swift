// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The report as people read it.
struct Table {
    let rows: [Row]

    private static let widths = [48, 8, 10, 10, 8, 10, 5]

    var text: String {
        let own = rows.filter { $0.peer == nil }
        let peers = rows.filter { $0.peer != nil }
        var lines = [line(["", "items", "ours µs", "limit µs", "ratio", "target", ""])]
        lines += own.map { line([$0.name, items($0)] + figures($0) + verdict($0), note: $0.note) }
        if !peers.isEmpty {
            lines += ["", line(["other products", "items", "ours µs", "theirs µs", "ahead", "target", ""])]
            lines += peers.map { line([$0.name, items($0)] + peerFigures($0) + verdict($0), note: $0.note) }
        }
        let verdicts = rows.compactMap(\.isReached)
        if !verdicts.isEmpty {
            lines += ["", "\(verdicts.count { $0 }) of \(verdicts.count) targets reached"]
        }
        return lines.joined(separator: "\n")
    }

    private func items(_ row: Row) -> String { row.items == 0 ? "" : "\(row.items)" }

    private func figures(_ row: Row) -> [String] {
        [number(row.ours, row.unit), number(row.limit, row.unit), times(row.ratio)]
    }

    private func peerFigures(_ row: Row) -> [String] {
        [number(row.ours, row.unit), number(row.peer, row.unit), times(row.ahead)]
    }

    private func verdict(_ row: Row) -> [String] {
        let target =
            switch row.target {
            case nil: ""
            case .ratio(let most): "≤ \(most) ×"
            case .ours(let most): "≤ \(Int(most)) \(row.unit == .microseconds ? "µs" : row.unit.rawValue)"
            case .atLeast(let least): "≥ \(least) \(row.unit == .times ? "×" : row.unit.rawValue)"
            case .ahead(let least): "≥ \(Int(least)) ×"
            case .share(let most): "≤ 1/\(String(format: "%.2f", 1 / most))"
            }
        return [target, row.isReached.map { $0 ? "ok" : "MISS" } ?? ""]
    }

    private func number(_ value: Double?, _ unit: Row.Unit) -> String {
        guard let value else { return "–" }
        let text = String(format: value < 1000 ? "%.2f" : "%.0f", value)
        switch unit {
        case .microseconds, .nothing: return text
        case .megabytes: return text + " MB"
        case .times: return text + " ×"
        }
    }

    private func times(_ value: Double?) -> String { value.map { String(format: "%.2f ×", $0) } ?? "–" }

    private func line(_ cells: [String], note: String? = nil) -> String {
        let padded = zip(cells, Self.widths).enumerated().map { column, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return column == 0 ? cell.0 + space : space + cell.0
        }
        return padded.joined(separator: " ") + (note.map { "  " + $0 } ?? "")
    }
}
