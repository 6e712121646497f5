// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainSync

/// A box of a circle's on its server.
///
/// Anyone may write into it, as much as the database takes. So only the newest of each role are read, and no message has a place
/// that another one could take: its number is drawn.
package struct CircleMail {
    private let box: MailBox
    private let server: any CircleTransport
    /// The numbers of what was read.
    private var read: Set<UInt64> = []

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

    /// What came since the last time, in the order in which it came.
    package mutating func next() throws(CircleFailure) -> [[UInt8]] {
        let bodies = try newest()
        defer { read.formUnion(bodies.map(\.number)) }
        return bodies.filter { !read.contains($0.number) }.map(\.body)
    }

    /// What lies there, in the order in which it came, each with the server's word for the role that wrote it.
    package func newest() throws(CircleFailure) -> [MailBody] {
        let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
            try server.perform(.newestMail(box, each: CircleMail.each))
        }
        guard case .mail(let bodies) = reply else { throw .server(.broken("an answer to another question")) }
        return bodies.filter { $0.body.count <= CircleLimit.messageSize }
    }

    /// Puts a message there; it is no news to who wrote it.
    package mutating func post(_ message: [UInt8]) throws(CircleFailure) {
        for _ in 0..<CircleMail.mostAttempts {
            let drawn = try CircleFailure.ofCircle { () throws(CircleError) in try CircleRandom.number() }
            let number = UInt64(drawn & .max) | 1
            var insertion = CircleInsertion()
            insertion.mail = [MailBody(box: box, number: number, body: message)]
            do throws(CircleServerError) {
                _ = try server.perform(.insert(insertion))
                read.insert(number)
                return
            } catch { guard error == .taken else { throw .server(error) } }
        }
        throw .server(.taken)
    }

    /// Messages of one role.
    private static let each = 64
    private static let mostAttempts = 3
}
