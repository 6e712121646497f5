// SPDX-License-Identifier: Apache-2.0

package import KeychainSync

/// The log of a circle as the server has it, read from its beginning and verified.
package struct CircleHistory: Sendable {
    package enum Line: Sendable {
        case entry(LogEntry)
        /// Something at this number that counts for nobody, put there by this role.
        case junk(number: UInt64, who: String)
    }

    package let lines: [Line]
    /// What it led to.
    package let log: CircleLog

    /// When its newest entry was made, as the entries say.
    var newest: Int64 {
        lines.reduce(0) { newest, line in if case .entry(let entry) = line { max(newest, entry.time) } else { newest } }
    }

    package init(of circle: CircleID, on server: any CircleTransport) throws(CircleFailure) {
        var log = CircleLog(circle: circle)
        var lines: [Line] = []
        while true {
            let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
                try server.perform(.chain(.log, behind: log.last, limit: CircleHistory.part))
            }
            guard case .bodies(let bodies) = reply else { throw .server(.broken("an answer to another question")) }
            let before = log.last
            for event in try CircleFailure.ofCircle({ () throws(CircleError) in try log.take(bodies) }) {
                switch event {
                case .accepted(let entry): lines.append(.entry(entry))
                case .junk(let number, let who): lines.append(.junk(number: number, who: who))
                case .fork(let number, _), .later(let number):
                    // From here on the server has another history than members signed, or one of a later version, unless owners have
                    // passed over it.
                    let body = bodies.first { $0.number == number }
                    guard let passed = try CircleHistory.pass(number, body, in: log, on: server) else {
                        throw .circle(.malformed)
                    }
                    lines.append(.junk(number: number, who: body?.who ?? ""))
                    log = passed
                }
            }
            // Fewer than were asked for come also where they are large.
            if log.last == before { break }
        }
        (self.log, self.lines) = (log, lines)
    }

    /// The log at the first snapshot behind an entry that follows no history, or is of a later version, if owners of then vouch for that
    /// snapshot and left the entry out.
    ///
    /// What came between the two is in the log, and in no line.
    private static func pass(
        _ number: UInt64, _ body: ChainBody?, in log: CircleLog, on server: any CircleTransport
    ) throws(CircleFailure) -> CircleLog? {
        let box = try CircleFailure.ofCircle { () throws(CircleError) in try log.snapshots() }
        let start = CircleLog.mailNumber(ofSnapshotAt: number)
        let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
            try server.perform(.mail(box, behind: start, limit: 64))
        }
        guard case .mail(let mail) = reply else { throw .server(.broken("an answer to another question")) }
        let entry = try CircleFailure.ofCircle { () throws(CircleError) in
            try body.flatMap { (body) throws(CircleError) in try CircleLog.place(of: body) }
        }
        // Those of one entry lie together.
        for one in mail.indices where one == 0 || mail[one - 1].number >> 4 != mail[one].number >> 4 {
            let bodies = mail[one...].prefix { $0.number >> 4 == mail[one].number >> 4 }.map(\.body)
            var (jump, came) = (
                try CircleFailure.ofCircle { () throws(CircleError) in
                    try LogJump(from: log, over: bodies, leavingOut: entry)
                },
                [ChainBody]()
            )
            while true {
                let step = try CircleFailure.ofCircle { () throws(CircleError) in try jump.take(came) }
                if case .arrived(let log) = step { return log }
                guard case .needs(let numbers) = step else { break }
                let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
                    try server.perform(.bodies(.log, numbers))
                }
                guard case .bodies(let bodies) = reply else {
                    throw .server(.broken("an answer to another question"))
                }
                came = bodies
            }
        }
        return nil
    }

    private static let part = 500
}
