// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainSync
internal import KeychainTools

/// `llavero circle quorum`, `proposals`, `sign`: what owners do together.
enum CircleProposals {
    static func quorum(_ word: String, _ options: Options) throws(CommandError) {
        guard let count = Int(word), count >= 1, count <= SignedBody.mostSignatures else {
            throw .usage("circle quorum takes a number from 1 to \(SignedBody.mostSignatures)")
        }
        let tool = try CircleTool(options)
        try tool.round()
        let membership = try tool.local().state.log.membership
        guard count != membership.quorum else { return options.tell("that is so already") }
        guard count <= membership.owners.count else {
            throw .failure(
                "the circle has \(CircleReports.count(membership.owners.count, "owner")); `llavero circle role DEVICE owner` makes another one"
            )
        }
        try tool.round(.change([.quorum(count)]))
        options.tell(
            count == 1
                ? "each owner does alone again what owners do"
                : "from now on \(count) owners sign what owners do; the first proposes it, `llavero circle sign` on the others' machines signs"
        )
    }

    static func proposals(_ options: Options) throws(CommandError) {
        let form = try OutputForm(options)
        let tool = try CircleTool(options)
        try tool.round(.look)
        let circle = try tool.local()
        let names = CircleNames(of: circle)
        var listing = Listing([
            .init("PROPOSAL", "proposal"), .init("WHEN", "time"), .init("WHO", "author"), .init("WOULD", "action"),
            .init("SIGNED BY", "signers"), .init("WANTED", "wanted"),
        ])
        for proposal in try tool.proposals(circle) {
            let signers = proposal.signers.map { names.member($0) }.sorted()
            listing.rows.append([
                .text(proposal.name), .text(CircleWords.day(proposal.entry.time)),
                .text(names.member(proposal.entry.author)), .text(names.proposed(proposal.entry.action)),
                form == .json ? .list(signers.map { .text($0) }) : .text(signers.joined(separator: ", ")),
                .number(Int64(circle.state.log.membership.quorum)),
            ])
        }
        listing.print(form)
        if form == .people, listing.rows.isEmpty { Tool.say("nothing waits for signatures") }
    }

    static func sign(_ word: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let proposals = try tool.proposals(circle).filter { $0.name == word.lowercased() }
        guard let proposal = proposals.first else {
            throw .notFound(
                "no proposal \(PlainText.shown(word)) waits; `llavero circle proposals` shows those that do, each for as long as nothing else enters the log"
            )
        }
        guard proposals.count == 1 else { throw .ambiguous("several proposals begin so; give more of it") }
        let text = CircleNames(of: circle).proposed(proposal.entry.action)
        if case .moved(let sealed) = proposal.entry.action {
            try CircleChanges.sign(proposal, movingTo: sealed, tool, options)
        } else {
            try tool.sign(proposal)
        }
        options.tell("signed, and done: \(PlainText.shown(text))")
    }
}

extension CircleTool {
    func proposals(_ circle: LocalCircle) throws(CommandError) -> [CircleProposal] {
        let transport = try server().transport(circle.state.log.circle)
        return try doing { () throws(CircleFailure) in try CircleProposal.all(in: circle.state.log, on: transport) }
    }

    /// Signs a proposal, and does it where that was the last signature; else it says what it waits for.
    func sign(_ proposal: CircleProposal) throws(CommandError) { try round(.sign(proposal.body)) }

    /// Puts what more owners have to sign where they find it; the text says how it goes on.
    func propose(_ body: [UInt8]) throws(CommandError) -> String {
        let circle = try local()
        let log = circle.state.log
        let transport = try server().transport(log.circle)
        try doing { () throws(CircleFailure) in
            try CircleProposal.post(body, in: log, on: transport, session)
        }
        let (name, count) = try CircleTool.making { () throws(CircleError) in
            guard let entry = try log.proposed(body) else { throw .refused(.noRight) }
            return (try CircleProposal.name(of: entry), try log.owners(whoSigned: body).count)
        }
        return
            "not done yet, but proposed, with \(count) of \(CircleReports.count(log.membership.quorum, "signature")): another owner signs it with `llavero circle sign \(name)`"
    }
}
