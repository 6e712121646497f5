// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle list`, `log`, `rotate-list`.
enum CircleReports {
    static func list(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        do throws(CommandError) { try tool.round(.look) } catch { Tool.say(error.description) }
        let circle = try tool.local()
        let own = try? circle.device.card.id()
        let names = CircleNames(of: circle)
        var listing = Listing([
            .init("NAME", "name"), .init("DEVICE", "device"), .init("MAY", "role"), .init("KEYS", "keys"),
            .init("LAST HEARD OF", "seen"),
        ])
        let heard = try tool.doing { () throws(CircleFailure) in try circle.lastHeardOf(in: tool.session) }
        let members = circle.state.log.membership.members.filter { $0.value.isPresent }
        for (id, member) in members.sorted(by: { $0.value.admittedAt < $1.value.admittedAt }) {
            let seen = id == own ? "this machine" : heard[id].map(CircleWords.day) ?? ""
            listing.rows.append([
                .text(names.member(id)), .text(Hexadecimal.digits(of: id.bytes)), .text(names.rights(member)),
                .text(place(member.card.kind)), .text(seen),
            ])
        }
        listing.print(form)
    }

    static func log(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        let circle = try tool.local()
        let transport = try tool.server().transport(circle.state.log.circle)
        var listing = Listing([
            .init("NUMBER", "number"), .init("WHEN", "time"), .init("WHO", "author"), .init("DID", "action"),
        ])
        // Read anew from the first entry: what is kept here is what it led to.
        let entries = try tool.doing { () throws(CircleFailure) in
            try CircleHistory(of: circle.state.log.circle, on: transport).lines
        }
        let names = CircleNames(of: circle)
        for line in entries {
            switch line {
            case .entry(let entry):
                listing.rows.append([
                    .number(Int64(clamping: entry.number)), .text(CircleWords.day(entry.time)),
                    .text(names.member(entry.author)), .text(names.did(entry.action)),
                ])
            case .junk(let number, let who):
                listing.rows.append([
                    .number(Int64(clamping: number)), .text(""), .text("role \(who)"),
                    .text("nothing: it counts for nobody"),
                ])
            }
        }
        listing.print(form)
    }

    static func rotateList(_ word: String, _ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        let circle = try tool.local()
        let device = try CircleNames(of: circle).device(word, present: false)
        let report = try tool.round(.listToRotate(device))
        // Who lost the right to read a view has left that view.
        if let member = try tool.local().state.log.membership.member(device), member.lastGenerations.isEmpty {
            throw .failure(
                "\(PlainText.shown(word)) is still a member, and reads what it may; remove it first: `llavero circle remove \(ShellWord.quoted(PlainText.shown(word)))`"
            )
        }
        var listing = Listing([
            .init("SERVICE", "service"), .init("USER", "user"), .init("LABEL", "label"), .init("GROUP", "group"),
        ])
        for item in report.toRotate {
            let label = text(item.attributes[.label])
            let service = text(item.attributes[.service] ?? item.attributes[.server])
            // A field or a code says by its label which item it is of.
            let isPart = form == .people && service.begins(with: FurtherItem.service)
            listing.rows.append([
                .text(isPart ? label : service), .text(text(item.attributes[.account])), .text(label),
                .text(text(item.attributes[.accessGroup])),
            ])
        }
        listing.print(form)
        if form == .people {
            Tool.say(
                report.toRotate.isEmpty
                    ? "every secret that it could read was changed since"
                    : "change \(count(report.toRotate.count, "secret")): that device could read \(report.toRotate.count == 1 ? "it" : "them")"
            )
            // The circle has nothing of it any more.
            Tool.say("what was removed, or is kept on one machine alone by now, is not listed: it could read that, too")
        }
    }

    static func place(_ kind: Card.Kind) -> String {
        switch kind {
        case .software: "in a file"
        case .tpm: "in its TPM"
        case .words: "on paper"
        }
    }

    private static func text(_ value: AttributeValue?) -> String {
        guard case .string(let text)? = value else { return "" }
        return text
    }

    static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
}
