// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainTools

/// What became of everything that a source has: what was kept, what was changed, and last what was left out.
struct ImportOutcome {
    private var keptRows: [[JSONText]] = []
    private var changedRows: [[JSONText]] = []
    private var leftOutRows: [[JSONText]] = []
    /// How many came of each kind, in the order in which the kinds came.
    private var kinds: [(kind: String, count: Int)] = []
    private var kept = 0
    private var here = 0
    private var leftOut = 0
    /// How many of those that were left out may be missed.
    private(set) var missing = 0
    /// How many were left out for each reason, and what the first of them are called.
    private var reasons: [(reason: String, count: Int, names: [String])] = []
    private var places: [String: Int] = [:]
    private let format: ImportFormat
    private let isDry: Bool

    init(_ format: ImportFormat, isDry: Bool) {
        self.format = format
        self.isDry = isDry
    }

    mutating func kept(_ arrival: Arrival, _ remark: String) {
        kept += 1
        if let index = kinds.firstIndex(where: { $0.kind == arrival.kind }) {
            kinds[index].count += 1
        } else {
            kinds.append((arrival.kind, 1))
        }
        keptRows.append(row(isDry ? "new" : "kept", arrival, remark))
    }

    /// It is here already.
    mutating func stays(_ arrival: Arrival, _ comparison: Arrival.Comparison) {
        switch comparison {
        case .same:
            here += 1
            keptRows.append(row("here already", arrival, "what is here stays as it is"))
        case .unknown:
            here += 1
            keptRows.append(
                row("here already", arrival, "what is here stays as it is; its password cannot be read, to compare it"))
        case .other: leftOut(arrival, "it is here already with another password, which stays as it is")
        }
    }

    mutating func leftOut(_ arrival: Arrival, _ reason: String) {
        leaveOut(arrival.name, 1, reason, isLoss: true)
        leftOutRows.append(row("left out", arrival, reason))
    }

    mutating func note(_ finding: ImportFinding) {
        func row(_ result: String, _ remark: String) -> [JSONText] {
            [.text(result), .text(finding.label), .text(""), .text("\(finding.location)"), .text(remark)]
        }
        switch finding.matter {
        case .skipped(let reason):
            leaveOut(finding.label, 1, "\(reason)", isLoss: reason.isLoss)
            leftOutRows.append(row("left out", "\(reason)"))
        case .left(let part, let count):
            leaveOut(finding.label, count, "\(part)", isLoss: part.isLoss)
            leftOutRows.append(row("left out", "\(count): \(part)"))
        case .repaired(let repair): changedRows.append(row("changed", "\(repair)"))
        }
    }

    private mutating func leaveOut(_ name: String, _ count: Int, _ reason: String, isLoss: Bool) {
        leftOut += count
        if isLoss { missing += count }
        let index = places[reason] ?? reasons.count
        if index == reasons.count {
            reasons.append((reason, 0, []))
            places[reason] = index
        }
        reasons[index].count += count
        if !name.isEmpty, reasons[index].names.count <= ImportOutcome.mostNames { reasons[index].names.append(name) }
    }

    private func row(_ result: String, _ arrival: Arrival, _ remark: String) -> [JSONText] {
        [.text(result), .text(arrival.name), .text(arrival.account), .text("\(arrival.source)"), .text(remark)]
    }

    func print(_ form: OutputForm) {
        var listing = Listing([
            .init("RESULT", "result"), .init("NAME", "name"), .init("USER", "user"), .init("WHERE", "where"),
            .init("REMARK", "remark"),
        ])
        listing.rows = keptRows + changedRows + leftOutRows
        listing.print(form)
        let parts = kinds.count > 1 || kinds.first.map { $0.kind != "password" } ?? false
        let list = parts ? " (\(kinds.map { ImportOutcome.counted($0.count, $0.kind) }.joined(separator: ", ")))" : ""
        let changed = changedRows.isEmpty ? "" : ", \(changedRows.count) changed"
        Tool.say(
            "\(kept) \(isDry ? "would be kept" : "kept")\(list), \(here) here already\(changed), \(leftOut) left out (\(format.name))"
        )
        for (reason, count, names) in reasons {
            var shown = names.prefix(ImportOutcome.mostNames).map { PlainText.shown($0) }.joined(separator: ", ")
            if names.count > ImportOutcome.mostNames { shown += ", …" }
            Tool.say("left out, \(count): \(reason)\(shown.isEmpty ? "" : " (\(shown))")")
        }
    }

    private static func counted(_ count: Int, _ kind: String) -> String { "\(count) \(kind)\(count == 1 ? "" : "s")" }

    private static let mostNames = 5
}
