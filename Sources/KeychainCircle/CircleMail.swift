// SPDX-License-Identifier: Apache-2.0

package import KeychainSync

/// A box of a circle's on its server, read and written in order.
package struct CircleMail {
    private let box: MailBox
    private let server: any CircleTransport
    /// The number of the last message that was read.
    private var last: UInt64 = 0

    package init(joining circle: CircleID, on server: any CircleTransport) throws(CircleFailure) {
        box = try CircleFailure.ofCircle { () throws(CircleError) in try JoiningMail.box(of: circle) }
        self.server = server
    }

    /// Where machines say that they destroyed what they were told to.
    package init(receiptsOf circle: CircleID, on server: any CircleTransport) throws(CircleFailure) {
        box = try CircleFailure.ofCircle { () throws(CircleError) in try ErasureReceipt.box(of: circle) }
        self.server = server
    }

    /// Where what more owners have to sign waits for them.
    package init(proposalsOf log: CircleLog, on server: any CircleTransport) throws(CircleFailure) {
        box = try CircleFailure.ofCircle { () throws(CircleError) in try log.proposals() }
        self.server = server
    }

    /// What came since the last time.
    package mutating func next() throws(CircleFailure) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        while true {
            let (box, last) = (box, last)
            let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
                try server.perform(.mail(box, behind: last, limit: CircleMail.part))
            }
            guard case .mail(let bodies) = reply else { throw .server(.broken("an answer to another question")) }
            for body in bodies {
                guard body.number > self.last else { throw .server(.broken("mail that is not in order")) }
                // Behind a gap it takes no number that anybody would come to: the greatest one, put there by whoever may
                // write, would else be the last of the box. Only what the keeper removed is missing before the first.
                guard body.number == self.last + 1 || self.last == 0 && body.number <= CircleMail.greatestFirst else {
                    return messages
                }
                self.last = body.number
                // What is larger is no message, and whoever may write could fill the memory of all with it.
                if body.body.count <= CircleMail.largest { messages.append(body.body) }
            }
            // Fewer than were asked for come also where they are large.
            if bodies.isEmpty { return messages }
        }
    }

    /// Puts a message behind all others.
    package mutating func post(_ message: [UInt8]) throws(CircleFailure) {
        for _ in 0..<CircleMail.mostAttempts {
            _ = try next()
            var insertion = CircleInsertion()
            insertion.mail = [MailBody(box: box, number: last + 1, body: message)]
            do throws(CircleServerError) {
                _ = try server.perform(.insert(insertion))
                return
            } catch { guard error == .taken else { throw .server(error) } }
        }
        throw .server(.taken)
    }

    private static let part = 100
    private static let largest = 1 << 16
    private static let greatestFirst: UInt64 = 1 << 40
    private static let mostAttempts = 20
}
