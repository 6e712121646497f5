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
                // From here on the server has another history than members signed.
                case .fork, .later: throw .circle(.malformed)
                }
            }
            // Fewer than were asked for come also where they are large.
            if log.last == before { break }
        }
        (self.log, self.lines) = (log, lines)
    }

    private static let part = 500
}
