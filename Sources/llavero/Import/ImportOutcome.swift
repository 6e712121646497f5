// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainTools

/// The result of an import: kept items, then changed ones, then those left out.
struct ImportOutcome {
    private var keptRows: [[JSONText]] = []
    private var changedRows: [[JSONText]] = []
    private var leftOutRows: [[JSONText]] = []
    /// How many of each kind were imported, in order of appearance.
    private var kinds: [(kind: String, count: Int)] = []
    private(set) var kept = 0
    private var here = 0
    private var reread = 0
    /// How many became what the source says.
    private(set) var updated = 0
    private var leftOut = 0
    /// How many of the items left out may be a loss.
    private(set) var missing = 0
    private var reasons = Reasons()
    private var changes = Reasons()
    /// What was imported before, and changed here.
    private var changesHere = Reasons()
    /// What was removed here, and is kept again.
    private var again = Reasons()
    /// What was imported before, and is not in the source any more.
    private var gone = Reasons()
    /// What the source is.
    private let format: String
    private let isDry: Bool

    init(_ format: String, isDry: Bool) { (self.format, self.isDry) = (format, isDry) }

    /// How many there were for each reason, with the first names.
    private struct Reasons {
        private(set) var all: [(reason: String, count: Int, names: [String])] = []
        private var places: [String: Int] = [:]

        mutating func add(_ name: String, _ count: Int, _ reason: String) {
            let index = places[reason] ?? all.count
            if index == all.count {
                all.append((reason, 0, []))
                places[reason] = index
            }
            all[index].count += count
            if !name.isEmpty, all[index].names.count <= mostNames { all[index].names.append(name) }
        }

        func say(_ what: String) {
            for (reason, count, names) in all {
                var shown = names.prefix(mostNames).map { PlainText.shown($0) }.joined(separator: ", ")
                if names.count > mostNames { shown += ", …" }
                Tool.say("\(what), \(count): \(reason)\(shown.isEmpty ? "" : " (\(shown))")")
            }
        }
    }

    /// An entry as the report names it.
    struct Line {
        let name: String
        let account: String
        let source: String
    }

    mutating func kept(_ arrival: Arrival, _ remark: String) { kept(arrival.line, arrival.kind, remark) }

    /// `kind` is in the singular.
    mutating func kept(_ line: Line, _ kind: String, _ remark: String) {
        kept += 1
        if let index = kinds.firstIndex(where: { $0.kind == kind }) {
            kinds[index].count += 1
        } else {
            kinds.append((kind, 1))
        }
        keptRows.append(row(isDry ? "new" : "kept", line, remark))
    }

    /// It was imported or added before, and removed on a day.
    mutating func isAgain(_ arrival: Arrival, since day: String) {
        let remark = "it was removed here on \(day), and \(isDry ? "would be" : "is") here again"
        kept(arrival, remark)
        again.add(arrival.name, 1, remark)
    }

    /// What it was imported as before has another name here now.
    mutating func isAgain(_ arrival: Arrival, beside now: ToolItem) {
        let name = PlainText.shown(now.name)
        let remark = "it was renamed here to \(name), and \(isDry ? "would be" : "is") here under both names"
        kept(arrival, remark)
        again.add(arrival.name, 1, "it was renamed here, and \(isDry ? "would be" : "is") here under both names")
    }

    /// Another item stays beside it, which an earlier version made of the same entry.
    mutating func isBeside(_ arrival: Arrival) {
        let remark = "what an earlier version made of it was changed here since, and stays beside it"
        kept(arrival, remark)
        again.add(arrival.name, 1, remark)
    }

    mutating func stays(_ line: Line, _ remark: String) {
        here += 1
        keptRows.append(row("here already", line, remark))
    }

    /// Kept, and not all of it.
    mutating func changed(_ line: Line, _ remark: String) {
        changedRows.append(row("changed", line, remark))
        changes.add(line.name, 1, remark)
    }

    /// An item that an import by another choice made became what this one says.
    mutating func reread(_ arrival: Arrival, _ remark: String) {
        reread += 1
        keptRows.append(row("corrected", arrival.line, remark))
    }

    /// An item became what its source says now.
    mutating func updated(_ arrival: Arrival) {
        updated += 1
        keptRows.append(row("updated", arrival.line, "`llavero history` lists what it was"))
    }

    /// It was imported from the source, which has it no more.
    mutating func isGone(_ item: ToolItem, calledBefore earlier: String? = nil) {
        let remark =
            earlier == nil
            ? "the source has it no more; it stays here until `llavero remove`"
            : "it was renamed here, and the source has it under its old name"
        keptRows.append(row("here alone", Line(name: item.name, account: item.account, source: ""), remark))
        gone.add(item.name, 1, remark)
    }

    /// It is stored already; `option` is one that would take what the source has, unless that has it more than once.
    mutating func stays(
        _ arrival: Arrival, _ comparison: Arrival.Comparison, option: String?, isRepeated: Bool = false
    ) {
        switch comparison {
        case .same: stays(arrival.line, "the stored item is unchanged")
        case .unknown:
            stays(arrival.line, "the stored item is unchanged; its \(arrival.value) cannot be read for comparison")
        case .other where isRepeated:
            leftOut(
                arrival,
                "the source has it more than once, and the keychain with another \(arrival.value), which is unchanged; `llavero add` under another name keeps this one, too"
            )
        case .other:
            let edit = arrival.isFurther ? "`llavero edit` changes it here" : "`llavero edit NAME` changes it here"
            let way =
                option.map { "\(edit), \($0) takes what the source has" }
                ?? (arrival.isFurther ? edit : "\(edit), or `llavero remove NAME` and this import once more")
            leftOut(arrival, "the keychain has it with another \(arrival.value), which is unchanged; \(way)")
        }
    }

    /// An item of its name is stored, which is not the one that an import would make of it now.
    ///
    /// Where that has all that the entry says, it got more here; else either may be the newer, or they are two.
    mutating func stays(
        _ arrival: Arrival, asNamesake comparison: Arrival.Comparison, _ isOfPlace: Bool, option: String?
    ) {
        switch comparison {
        case .same where isOfPlace:
            stays(arrival.line, "it has more here, or was changed here since, and stays as it is")
            changesHere.add(arrival.name, 1, "the items stay as they are here")
        case .same:
            let way = option.map { "; \($0) takes what the source has" } ?? ""
            leftOut(arrival, "the keychain has that name with another user or URL, which is unchanged\(way)")
        case .unknown:
            leftOut(arrival, "the keychain has that name with a password that cannot be read for comparison")
        case .other: stays(arrival, comparison, option: option)
        }
    }

    mutating func leftOut(_ arrival: Arrival, _ reason: String) { leftOut(arrival.line, reason) }

    /// `count` is more than one where nothing is known of each.
    mutating func leftOut(_ line: Line, count: Int = 1, _ reason: String, isLoss: Bool = true) {
        leaveOut(line.name, count, reason, isLoss: isLoss)
        leftOutRows.append(row("left out", line, count == 1 ? reason : "\(count): \(reason)"))
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
        case .repaired(let repair):
            changedRows.append(row("changed", "\(repair)"))
            changes.add(finding.label, 1, "\(repair)")
        }
    }

    private mutating func leaveOut(_ name: String, _ count: Int, _ reason: String, isLoss: Bool) {
        leftOut += count
        if isLoss { missing += count }
        reasons.add(name, count, reason)
    }

    private func row(_ result: String, _ line: Line, _ remark: String) -> [JSONText] {
        [.text(result), .text(line.name), .text(line.account), .text(line.source), .text(remark)]
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
        let updates = updated == 0 ? "" : ", \(updated) \(isDry ? "would be updated" : "updated")"
        let corrected = reread == 0 ? "" : ", \(reread) \(isDry ? "would be corrected" : "corrected")"
        let changed = changedRows.isEmpty ? "" : ", \(changedRows.count) changed"
        Tool.say(
            "\(kept) \(isDry ? "would be kept" : "kept")\(list)\(updates)\(corrected), \(here) here already\(changed), \(leftOut) left out (\(format))"
        )
        changes.say("changed")
        again.say(isDry ? "new" : "kept")
        changesHere.say("here already, changed since")
        gone.say("here alone")
        reasons.say("left out")
    }

    private static func counted(_ count: Int, _ kind: String) -> String { "\(count) \(kind)\(count == 1 ? "" : "s")" }

    private static let mostNames = 5
}

extension Arrival {
    var line: ImportOutcome.Line {
        ImportOutcome.Line(name: name, account: account, source: "\(source)")
    }

    /// What its secret is, for remarks.
    fileprivate var value: String { isFurther ? "value" : "password" }
}
