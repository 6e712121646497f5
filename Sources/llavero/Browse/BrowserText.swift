// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainBrowser
internal import KeychainCircle
internal import KeychainImports
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// What the tools say, as lines of the browser's views.
enum BrowserText {
    // MARK: Items

    static func details(of item: ToolItem) throws(CommandError) -> [BrowserField] {
        let all = fields(of: item)
        var further: [BrowserField] = []
        for part in try item.furtherItems() {
            let text =
                switch part.kind {
                case .code: "o shows it"
                case .notes: "f lists it"
                case .field, .attachment: part.name
                }
            // A note that is shown is called `note`.
            further.append(BrowserField(part.kind == .notes ? "secret note" : part.kind.word, text))
        }
        // What people look for comes first; on a small screen the rest is below its end.
        return all.filter { isFirst($0.name) } + further + all.filter { !isFirst($0.name) }
    }

    private static func isFirst(_ name: String) -> Bool {
        ["name", "kind", "url", "user", "note", "tags", "expires", "expired", "damaged"].contains(name)
            || name.hasPrefix("field ")
    }

    /// What `show` says of an item, a line for each field that is shown.
    private static func fields(of item: ToolItem) -> [BrowserField] {
        ItemDetails(item).members.flatMap { name, value -> [BrowserField] in
            guard name != "fields" else {
                return item.properties.fields.map { BrowserField("field \($0.name)", $0.value) }
            }
            // A note has lines; the browser takes out what acts on a terminal.
            if case .text(let text) = value { return [BrowserField(name, text)] }
            guard case .list(let values) = value else { return [BrowserField(name, PlainText.shown(value))] }
            return [BrowserField(name, values.map { PlainText.shown($0) }.joined(separator: ", "))]
        }
    }

    /// What a key is, and where it lives.
    static func facts(of item: ToolItem) -> [String] {
        let kind = KeyType(name: item.text(.type)).map { "\($0)".uppercased() } ?? item.text(.type)
        let half =
            switch item.attributes[.keyClass] {
            case .number(0)?, .string("0")?: "public"
            case .number(1)?, .string("1")?: "private"
            case .number(2)?, .string("2")?: "symmetric"
            default: ""
            }
        return ["\(kind) \(item.text(.keySizeInBits)) \(half)", home(of: item)]
    }

    private static func home(of item: ToolItem) -> String {
        if !item.text(.tokenID).isEmpty {
            let kind = try? item.keychain.state().enclave.kind
            return kind == .tpm ? "in the TPM" : "in the software enclave"
        }
        // What was not said when it was stored does not bind.
        let isOpen = item.attributes[.isExtractable].map(AttributeText.isTrue) ?? true
        let stays = !isOpen || AttributeText.isTrue(item.attributes[.isSensitive])
        guard item.attributes[.keyClass] != .number(0), item.attributes[.keyClass] != .string("0") else {
            return "in the keychain"
        }
        return stays ? "in the keychain, stays" : "in the keychain"
    }

    static func entry(for past: PastItem) -> BrowserEntry {
        BrowserEntry(
            number: Int(clamping: past.version.number),
            cells: [
                minute(past.version.until), past.isRemoval ? "removed" : "changed",
                "version \(past.version.number): \(past.item.title)",
            ])
    }

    static func removedEntry(for past: PastItem, _ index: Int) -> BrowserEntry {
        let item = past.item
        return BrowserEntry(
            number: index,
            cells: [item.title, minute(past.version.until), item.kind, KeychainNames.name(of: item.keychain.place)],
            fields: [BrowserField("removed", minute(past.version.until))] + fields(of: item))
    }

    private static func minute(_ seconds: Double) -> String {
        String(PastItem.time(seconds).prefix(16)).replacing("T", with: " ")
    }

    // MARK: Circle

    static func circle(of keychains: [ToolKeychain]) throws(CommandError) -> BrowserEvent {
        var (entries, notes): ([BrowserEntry], [String]) = ([], [])
        for keychain in keychains {
            let tool = try CircleTool(of: keychain)
            guard try tool.isInCircle else { continue }
            let circle = try tool.local()
            let (state, names) = (circle.state, CircleNames(of: circle))
            let own = try? circle.device.card.id()
            let heard = try tool.doing { () throws(CircleFailure) in try circle.lastHeardOf(in: tool.session) }
            if keychains.count > 1 { entries.append(.heading(keychain.shownName)) }
            for alarm in state.alarms {
                let text = CircleWords.sentence(alarm, names.chain, names.member)
                entries.append(
                    BrowserEntry(
                        number: nil, cells: ["ALARM", text], style: .danger,
                        fields: [BrowserField("alarm", text), BrowserField("do", "\(alarm.remedy)")]))
            }
            let members = state.log.membership.members.filter { $0.value.isPresent }
            for (id, member) in members.sorted(by: { $0.value.admittedAt < $1.value.admittedAt }) {
                let name = names.member(id)
                let isOwn = id == own
                let seen = isOwn ? "this machine" : heard[id].map(CircleWords.day) ?? ""
                let (role, keys) = (names.rights(member), CircleReports.place(member.card.kind))
                entries.append(
                    BrowserEntry(
                        number: nil, cells: [name, role, keys, seen], style: isOwn ? .strong : .plain,
                        fields: [
                            BrowserField("device", Hexadecimal.digits(of: id.bytes)), BrowserField("may", role),
                            BrowserField("keys", keys), BrowserField("last heard of", seen),
                        ]))
            }
            let pulled = state.views.values.map(\.pulled).min() ?? 0
            notes.append(
                "circle \(Hexadecimal.digits(of: state.log.circle.bytes).prefix(8))…, "
                    + (pulled == 0 ? "server not asked yet" : "as of \(CircleWords.day(pulled))"))
        }
        return .entries(
            .circle, columns: ["NAME", "MAY", "KEYS", "LAST HEARD OF"], entries,
            note: notes.isEmpty ? "in no circle; `llavero circle create` founds one" : notes.joined(separator: "; "))
    }

    // MARK: Audit

    /// The last records, the newest first, under their days.
    static func audit(of keychains: [ToolKeychain]) throws(CommandError) -> BrowserEvent {
        var (entries, notes): ([BrowserEntry], [String]) = ([], [])
        for keychain in keychains {
            guard case .verdict(let verdict) = try keychain.audit(.verdict) else { throw ToolKeychain.otherReply }
            if keychains.count > 1 { entries.append(.heading(keychain.shownName)) }
            guard verdict.records > 0 else {
                notes.append("no audit log; only llaverod writes one")
                continue
            }
            notes.append(
                verdict.isIntact
                    ? "intact, \(verdict.records) records" : "CHANGED OR DAMAGED: `llavero audit --verify` shows where")
            guard
                case .page(let page) = try keychain.audit(
                    .records(after: max(0, verdict.records - mostRecords), atMost: mostRecords))
            else { throw ToolKeychain.otherReply }
            var day = ""
            for record in page.records.reversed() {
                let members = AuditText.members(of: record)
                let time = members.first { $0.0 == "time" }.map { PlainText.shown($0.1) } ?? ""
                if day != time.prefix(10) {
                    day = String(time.prefix(10))
                    entries.append(.heading(day))
                }
                entries.append(entry(for: record, String(time.dropFirst(11).prefix(8)), members))
            }
        }
        return .entries(
            .audit, columns: ["TIME", "WHAT", "PROGRAM", "RESULT"], entries, note: notes.joined(separator: "; "))
    }

    private static func entry(
        for record: AuditRecord, _ time: String, _ members: [(String, JSONText)]
    ) -> BrowserEntry {
        let fields = members.filter { if case .null = $0.1 { false } else { true } }
            .map { BrowserField($0, PlainText.shown($1)) }
        var (what, program, outcome, style) = ("", "", "", ScreenStyle.plain)
        switch record.content {
        case .entry(let entry):
            what = "\(entry.operation)" + (entry.count.map { ", \($0) item\($0 == 1 ? "" : "s")" } ?? "")
            program =
                entry.program?.image?.split(separator: "/").last.map(String.init)
                ?? (entry.program == nil ? "llaverod" : "?")
            if case .failed(let reason) = entry.outcome {
                (outcome, style) = ("\(reason)", .warning)
            } else {
                outcome = "done"
            }
        case .opening(let opening):
            what = "a file begins: \(opening.cause.words)"
            style = opening.cause == .first || opening.cause == .rotation ? .faint : .danger
        case .moreItems: (what, style) = ("more items", .faint)
        case .lost(let count, _): (what, style) = ("\(count) entries were lost", .danger)
        case .seal: (what, style) = ("a file ends", .faint)
        }
        return BrowserEntry(
            number: Int(clamping: record.number), cells: [time, what, program, outcome], style: style, fields: fields)
    }

    private static let mostRecords: Int64 = 2000

    // MARK: Doctor

    static func doctor(_ findings: [Diagnosis]) -> BrowserEvent {
        let rank: [Diagnosis.Grade] = [.wrong, .advice, .good]
        let sorted = rank.flatMap { grade in findings.filter { $0.grade == grade } }
        let entries = sorted.enumerated().map { index, finding in
            let style: ScreenStyle =
                switch finding.grade {
                case .good: .faint
                case .advice: .plain
                case .wrong: .danger
                }
            var fields = [BrowserField("finding", finding.text)]
            if let fix = finding.fix { fields.append(BrowserField("do", fix)) }
            return BrowserEntry(
                number: index,
                cells: [finding.grade == .good ? "ok" : finding.grade.rawValue, finding.subject, finding.text],
                style: style, fields: fields, command: finding.fix.map { DoctorCommand.words(of: $0) } ?? [])
        }
        let count = findings.count { $0.grade == .wrong }
        return .entries(
            .doctor, columns: ["GRADE", "ABOUT", "FINDING"], entries,
            note: "\(count) wrong, \(findings.count { $0.grade == .advice }) to improve; a does what is proposed")
    }
}
