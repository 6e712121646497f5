// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainAuthentication
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// `llavero audit`.
enum AuditVerb: Verb {
    static let name = "audit"
    static let summary = "prints or verifies the audit log"
    static let help = """
        usage: llavero audit [--keychain NAME] [--after N] [--item NAME] [--secrets] [--json]
               llavero audit --verify [--keychain NAME] [--json]

        Prints the operations on the keychain: when, by which program, which operation, on which items, and the result. A daemon
        shows its log only to programs that may administer the keys.

          --keychain NAME   the log of another keychain, by name or path
          --after N         begins after record N
          --item NAME       only operations on that item and what belongs to it; by its identifier, id:…, also of one that is gone
          --secrets         only operations by which a program got secrets
          --verify          verifies the chain of records instead; ends with 1 when it was changed, cut or reordered
          --json            an object on a line for each record, or one for the verdict
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let after = try options.number("--after", in: 0...Int64.max, "a record number")
        let isPart = after != nil || options.value("--item") != nil || options.has("--secrets")
        guard !options.has("--verify") || !isPart else {
            throw .usage("--verify cannot be used with --after, --item and --secrets: it verifies the whole log")
        }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        if options.has("--verify") {
            try verify(keychain, asJSON: options.has("--json"))
        } else {
            let chosen = try AuditChoice(options, in: keychain)
            try list(keychain, after: after ?? 0, chosen, asJSON: options.has("--json"))
        }
    }

    private static func list(
        _ keychain: ToolKeychain, after: Int64, _ chosen: AuditChoice, asJSON: Bool
    ) throws(CommandError) {
        var (last, chosen) = (after, chosen)
        // Reading may itself be recorded, so the output ends at the last record that existed at the start.
        while true {
            guard
                case .page(let page) = try keychain.audit(
                    .records(after: last, atMost: AuditPage.mostRecords))
            else { throw ToolKeychain.otherReply }
            for record in page.records.flatMap({ chosen.take($0) }) {
                print(asJSON ? JSONText.object(AuditText.members(of: record)).line : AuditText.line(of: record))
            }
            if let end = page.records.last { last = end.number }
            guard page.isLast || page.records.isEmpty else { continue }
            fflush(nil)
            if !page.isIntact {
                // An empty answer would be one of a log in which nothing was recorded.
                guard last != 0 else { throw .notFound(none) }
                Tool.say("the audit log was modified or damaged; --verify shows where")
            }
            return
        }
    }

    private static func verify(_ keychain: ToolKeychain, asJSON: Bool) throws(CommandError) {
        guard case .verdict(let verdict) = try keychain.audit(.verdict) else { throw ToolKeychain.otherReply }
        if asJSON {
            print(JSONText.object(AuditText.members(of: verdict)).line)
        } else {
            for finding in verdict.findings { print(AuditText.line(of: finding)) }
            let more = verdict.findingCount - Int64(verdict.findings.count)
            if more > 0 { print("and \(more) more") }
            print("records: \(verdict.records)")
            print("verdict: \(verdict.isIntact ? "intact" : "broken")")
        }
        fflush(nil)
        if !verdict.isIntact {
            throw .failure(verdict.records == 0 ? none : "the audit log was modified or damaged")
        }
    }

    private static let none = "there is no audit log, or it was removed; only llaverod writes one"
}

/// The records that somebody wants to see: all, or those about an item, or by which a program got secrets.
private struct AuditChoice {
    private let items: Set<PersistentID>?
    private let isOfSecrets: Bool
    /// The entry before, for its items may go on in the next records.
    private var entry: (record: AuditRecord, isTaken: Bool)?

    init(_ options: Options, in keychain: ToolKeychain) throws(CommandError) {
        isOfSecrets = options.has("--secrets")
        guard let text = options.value("--item") else {
            items = nil
            return
        }
        let name = ItemName(text)
        if let id = name.identified {
            items = [id]
            return
        }
        let item = try name.item(in: Keychains(named: KeychainNames.name(of: keychain.place)), .everything)
        let all = [item] + (try item.furtherItems().map(\.item))
        items = Set(all.compactMap(\.persistentID))
    }

    /// The records to print, now that this one was read.
    mutating func take(_ record: AuditRecord) -> [AuditRecord] {
        guard items != nil || isOfSecrets else { return [record] }
        switch record.content {
        case .entry(let entry):
            let isTaken = (!isOfSecrets || entry.operation == .findSecrets) && isAbout(entry.items)
            self.entry = (record, isTaken)
            return isTaken ? [record] : []
        case .moreItems(let more):
            guard let (first, wasTaken) = entry else { return [] }
            if wasTaken { return [record] }
            guard case .entry(let entry) = first.content, !isOfSecrets || entry.operation == .findSecrets, isAbout(more)
            else { return [] }
            self.entry = (first, true)
            return [first, record]
        case .opening, .lost, .seal: return []
        }
    }

    private func isAbout(_ some: [AuditedItem]) -> Bool {
        items.map { items in some.contains { items.contains($0.persistentID) } } ?? true
    }
}

/// Records and findings of an audit log, for people and for programs.
enum AuditText {
    static func line(of record: AuditRecord) -> String {
        let head = "\(record.number) \(time(record.time))"
        switch record.content {
        case .opening(let opening): return "\(head) file \(opening.file) begins: \(opening.cause.words)"
        case .entry(let entry): return "\(head) \(sentence(entry))" + lines(of: entry.items)
        case .moreItems(let items): return "\(head) more items" + lines(of: items)
        case .lost(let count, let reason): return "\(head) \(count) entries could not be written (\(reason))"
        case .seal(let records): return "\(head) the file ends with its \(records) records"
        }
    }

    static func line(of finding: AuditVerdict.Irregularity) -> String {
        let place = [finding.file.map { "file \($0)" }, finding.record.map { "record \($0)" }].compactMap(\.self)
        let kind = finding.isAlarming ? "broken" : "remark"
        let text = finding.text.shown(bytes: 2000)
        return "\(kind): \(text)\(place.isEmpty ? "" : " (\(place.joined(separator: ", ")))")"
    }

    static func members(of verdict: AuditVerdict) -> [(String, JSONText)] {
        let findings = verdict.findings.map { finding in
            JSONText.object([
                ("alarming", .boolean(finding.isAlarming)), ("file", .optional(finding.file)),
                ("record", .optional(finding.record)), ("text", .text(finding.text)),
            ])
        }
        return [
            ("intact", .boolean(verdict.isIntact)), ("records", .number(verdict.records)),
            ("lost", .number(verdict.lost)), ("finding-count", .number(verdict.findingCount)),
            ("findings", .list(findings)),
        ]
    }

    static func members(of record: AuditRecord) -> [(String, JSONText)] {
        let head: [(String, JSONText)] = [("record", .number(record.number)), ("time", .text(time(record.time)))]
        switch record.content {
        case .opening(let opening):
            return head + [
                ("kind", .text("opening")), ("file", .number(Int64(opening.file))),
                ("cause", .text("\(opening.cause)")),
            ]
        case .entry(let entry): return head + [("kind", .text("entry"))] + members(of: entry)
        case .moreItems(let items): return head + [("kind", .text("more-items")), ("items", list(of: items))]
        case .lost(let count, let reason):
            return head + [("kind", .text("lost")), ("count", .number(count)), ("reason", .number(reason))]
        case .seal(let records): return head + [("kind", .text("seal")), ("records", .number(records))]
        }
    }

    private static func members(of entry: AuditEntry) -> [(String, JSONText)] {
        var members: [(String, JSONText)] = [("operation", .text("\(entry.operation)"))]
        if let program = entry.program {
            members += [
                ("user", .number(Int64(program.user))), ("process", .number(Int64(program.process))),
                ("program", .optional(program.image)), ("known-by", .optional(program.level.map { "\($0)" })),
            ]
        }
        members += [
            ("class", .optional(name(of: entry.queriedClass))), ("group", .optional(name(of: entry.groups))),
            ("outcome", .text(outcome(entry))), ("count", .optional(entry.count)), ("items", list(of: entry.items)),
        ]
        return members
    }

    private static func list(of items: [AuditedItem]) -> JSONText {
        .list(
            items.map { item in
                .object([
                    ("class", .optional(name(of: .stored(item.itemClass)))), ("id", .text(identifier(item))),
                    ("reference", .text(reference(item))),
                    ("group", .optional(name(of: item.group))),
                ])
            })
    }

    private static func sentence(_ entry: AuditEntry) -> String {
        var text = "\(entry.operation)"
        if let name = name(of: entry.queriedClass) { text += " \(name)" }
        if let group = name(of: entry.groups) { text += " in \(group.shown(bytes: 300))" }
        if let count = entry.count {
            let isOfDevices = [.admitDevice, .removeDevice].contains(entry.operation)
            text += ", \(count) \(isOfDevices ? "device" : "item")\(count == 1 ? "" : "s")"
        }
        text += ": \(outcome(entry))"
        guard let program = entry.program else { return text + "; by the daemon" }
        let image = program.image?.shown(bytes: 4200) ?? "a program that could not be identified"
        let level = program.level.map { ", known by \($0)" } ?? ""
        return text + "; by \(image) (process \(program.process), user \(program.user)\(level))"
    }

    private static func lines(of items: [AuditedItem]) -> String {
        items.map { item in
            let group = name(of: item.group).map { " in \($0.shown(bytes: 300))" } ?? ""
            return "\n    \(name(of: .stored(item.itemClass)) ?? "") id:\(reference(item))\(group)"
        }.joined()
    }

    /// As `llavero show` prints it, and `get` takes it.
    private static func identifier(_ item: AuditedItem) -> String {
        PersistentReference.item(item.itemClass, item.persistentID).identifier
    }

    /// What `kSecValuePersistentRef` takes, in hexadecimal.
    private static func reference(_ item: AuditedItem) -> String {
        Hexadecimal.digits(of: PersistentReference.item(item.itemClass, item.persistentID).bytes)
    }

    private static func outcome(_ entry: AuditEntry) -> String {
        switch entry.outcome {
        case .done: "done"
        case .failed(let reason): "\(reason)"
        }
    }

    private static func name(of queriedClass: QueriedClass?) -> String? {
        switch queriedClass {
        case nil: nil
        case .identity: "idnt"
        case .stored(.genericPassword): "genp"
        case .stored(.internetPassword): "inet"
        case .stored(.certificate): "cert"
        case .stored(.key): "keys"
        }
    }

    private static func name(of group: AuditedGroup) -> String? {
        switch group {
        case .named(let group): group.name
        case .unknown: nil
        case .everyOfProgram: "every group of the program"
        case .tooLong: "a group whose name is too long"
        }
    }

    /// Microseconds since 2001, as ISO 8601 writes them in UTC.
    private static func time(_ microseconds: Int64) -> String {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Before 2001 the rest is negative.
        let part = rest < 0 ? rest + 1_000_000 : rest
        return UTCTime(secondsSince2001: seconds - (rest < 0 ? 1 : 0)).text(microseconds: Int(part))
    }
}
