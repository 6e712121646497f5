// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainTools

/// `llavero audit`.
enum AuditVerb: Verb {
    static let name = "audit"
    static let summary = "prints the audit log, or examines it"
    static let help = """
        usage: llavero audit [--keychain NAME] [--after N] [--json]
               llavero audit --verify [--keychain NAME] [--json]

        Prints what was done with the keychain: when, by whom, what, with which items, and what became of it. A daemon that has
        the keychain shows its log only to programs that may administer the keys.

          --keychain NAME   the log of another keychain, by its name or its path
          --after N         begins behind record N
          --verify          examines the chain of records instead; ends with 1 when somebody changed, cut or reordered it
          --json            an object on a line for each record, or one for the verdict
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let after = try options.number("--after", in: 0...Int64.max, "the number of a record")
        guard !options.has("--verify") || after == nil else { throw .usage("--verify examines the whole log") }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        if options.has("--verify") {
            try verify(keychain, asJSON: options.has("--json"))
        } else {
            try list(keychain, after: after ?? 0, asJSON: options.has("--json"))
        }
    }

    private static func list(_ keychain: ToolKeychain, after: Int64, asJSON: Bool) throws(CommandError) {
        var last = after
        // Each question may be recorded itself, so what comes is bounded by what was there at the first.
        while true {
            guard
                case .page(let page) = try keychain.audit(
                    .records(after: last, atMost: AuditPage.mostRecords))
            else { throw ToolKeychain.otherReply }
            for record in page.records {
                print(asJSON ? JSONText.object(AuditText.members(of: record)).line : AuditText.line(of: record))
            }
            if let end = page.records.last { last = end.number }
            guard page.isLast || page.records.isEmpty else { continue }
            fflush(nil)
            if !page.isIntact {
                Tool.say(
                    last == 0
                        ? "there is no audit log, or nothing is left of it; only llaverod keeps one"
                        : "the log is not as it was written; --verify says what is wrong")
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
        if !verdict.isIntact { throw .failure("the audit log is not as it was written") }
    }
}
