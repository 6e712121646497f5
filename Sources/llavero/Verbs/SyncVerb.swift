// SPDX-License-Identifier: Apache-2.0

internal import KeychainSync
internal import KeychainTools

/// `llavero sync`.
enum SyncVerb: Verb {
    static let name = "sync"
    static let summary = "exchanges items with the other machines of the circle, once"
    static let help = """
        usage: llavero sync [--once] [--allow-deletions] [--keychain NAME] [--quiet]

        Fetches what other machines of the circle changed, and sends what changed here. Of an item that is here twice, shared and of this
        machine alone, the shared one stays if both say the same; it names those that differ. A daemon does so by itself; where none runs, a
        timer or a person runs this. It ends with 1 where an alarm keeps the machine from a part of the circle,
        and where an item is too large to be shared: one has at most 1048576 bytes (1 MiB), with its name and other attributes.

          --once              one exchange, which is what it does in any case
          --allow-deletions   also where more than fifty items and a fifth of all would be deleted; a snapshot is made first
          --keychain NAME     another keychain, by name or path
          --quiet             prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let tool = try CircleTool(options)
        let report = try tool.round(deletions: options.has("--allow-deletions") ? .snapshot : .wait)
        if try !tool.isAdmitted() {
            if let refusal = try tool.tokenRefusal() {
                throw .failure("\(refusal). `llavero circle leave` ends this machine's part, and it joins anew")
            }
            Tool.say("no member of the circle has admitted this machine yet")
        }
        let tooLarge = report.keptBack > 0 ? try tool.unsent().tooLarge : []
        let obstacle = CircleReach(of: try tool.local()).obstacle.map { ", for \($0)" } ?? ""
        let (got, keptBack) = (report.received, report.keptBack - tooLarge.count)
        let (lackKey, locked) = (report.waitingForKeys, report.waiting - report.waitingForKeys)
        options.tell(
            "sent \(report.sent); added \(got.added), changed \(got.changed), removed \(got.removed)"
                + (locked > 0 ? "; \(locked) wait until the keychain is unlocked" : "")
                + (lackKey > 0
                    ? "; \(lackKey) wait for a key that another member gives within six hours, by its `llavero sync` or daemon"
                    : "")
                + (keptBack > 0 ? "; \(keptBack) stay here\(obstacle)" : ""))
        CircleDoubles.settle(in: tool.keychain, options)
        // What a daemon received before is nowhere counted.
        let mayHaveReturned = got.added + got.removed > 0 || tool.keychain.hasDaemon
        // What came back is the circle's at once: the others are without it.
        if report.alarms.isEmpty, report.waiting == 0, mayHaveReturned, CircleReturns.settle(in: tool.keychain, options)
        {
            try tool.round()
        }
        for item in tooLarge { Tool.say(item.sentence) }
        guard tooLarge.isEmpty || !report.alarms.isEmpty else {
            throw .failure("so \(CircleReports.count(tooLarge.count, "item")) did not go to the circle")
        }
        guard report.alarms.isEmpty else {
            throw .failure("so a part of the circle is not in step here; `llavero circle status` shows it again")
        }
    }
}
