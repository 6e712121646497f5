// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest
package import KeychainSync
package import KeychainSyncPostgres
package import KeychainSystem

/// A circle that lives on another server now.
package enum CircleMove {
    /// Why a machine does not follow; a sentence for a person.
    package struct MoveRefusal: Error {
        package let why: String
        fileprivate(set) var remedy = ""

        package var text: String { remedy.isEmpty ? why : "\(CircleWords.ended(why)) \(remedy)" }
    }

    // MARK: Whether this machine is there

    /// The entry that moved the circle, if this machine is where it goes on: at the server that the entry names, or where a person had
    /// it go on because nobody was there.
    ///
    /// Another entry behind it says anew where the circle is.
    package static func arrival(
        of circle: LocalCircle, in session: any KeychainSession
    ) throws(KeychainError) -> UInt64? {
        guard let moved = circle.state.log.membership.moved, let server = try CircleServer.stored(in: session) else {
            return nil
        }
        if isThere(server, moved.sealedAddress, circle) { return moved.number }
        let stays = try CircleItems(session).secret(CircleServer.staysName)
        return stays.map { unsafe $0.withUnsafeBytes { bytes in unsafe Array(bytes) } } == mark(moved.number)
            ? moved.number : nil
    }

    private static func isThere(_ server: CircleServer, _ sealed: [UInt8], _ circle: LocalCircle) -> Bool {
        guard let text = circle.address(in: sealed), let address = try? ServerAddress(text) else { return false }
        return server.address.isSamePlace(as: address)
    }

    /// Has this machine go on at the server that the keychain has, although the log names another one: what a person decides.
    ///
    /// That server has to have this machine's tip of the log. Whoever is at the other one does not see what is written here.
    package static func stay(
        at server: CircleServer, _ circle: LocalCircle, in session: any KeychainSession
    ) throws(CircleFailure) -> Bool {
        let log = circle.state.log
        guard let moved = log.membership.moved, log.tip.number > 0 else { return false }
        let reply = try CircleFailure.ofServer { () throws(CircleServerError) in
            try server.transport(log.circle).perform(.chain(.log, behind: log.tip.number - 1, limit: 1))
        }
        guard case .bodies(let bodies) = reply, let body = bodies.first,
            try CircleFailure.ofCircle({ () throws(CircleError) in try log.isTip(body) })
        else { return false }
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).keep(
                SecretValue(copying: mark(moved.number)), as: CircleServer.staysName, .afterFirstUnlock)
        }
        return true
    }

    private static func mark(_ number: UInt64) -> [UInt8] { Array("\(number)".utf8) }

    // MARK: Other places

    /// The server that the log names, which has all that this machine has of the circle and takes this machine's own role.
    ///
    /// By TLS no server is told a password. At a socket, whoever listens there could ask for it, so it gets none.
    package static func server(
        _ sealed: [UInt8], of circle: LocalCircle, from before: CircleServer?,
        cancellation: Cancellation = Cancellation()
    ) throws(MoveRefusal) -> (server: CircleServer, transport: PostgresTransport) {
        return try server(try named(sealed, of: circle), of: circle.state.log, from: before, cancellation: cancellation)
    }

    /// The server that an entry names, with this machine's own role there, before anybody asked it.
    package static func place(
        _ sealed: [UInt8], of circle: LocalCircle, from before: CircleServer
    ) throws(MoveRefusal) -> CircleServer { try place(try named(sealed, of: circle), from: before) }

    private static func named(_ sealed: [UInt8], of circle: LocalCircle) throws(MoveRefusal) -> String {
        guard let named = circle.address(in: sealed) else {
            throw MoveRefusal(
                why: "the circle has moved, and the key that says where is not here",
                remedy: "`llavero circle server ADDRESS` sets where it is")
        }
        return named
    }

    private static func place(_ named: String, from before: CircleServer?) throws(MoveRefusal) -> CircleServer {
        do throws(AddressRefusal) {
            let address = try ServerAddress(named)
            let isTold = if case .socket = address.proof { true } else { false }
            return try CircleServer(
                before.map { $0.address.moved(to: address).description } ?? named,
                password: isTold ? nil : before?.password)
        } catch {
            throw MoveRefusal(
                why: "the circle has moved to an address that cannot be used: \(error.description)", remedy: remedy)
        }
    }

    /// The same by its address, for whoever knows a log.
    package static func server(
        _ named: String, of log: CircleLog, from before: CircleServer?, cancellation: Cancellation = Cancellation()
    ) throws(MoveRefusal) -> (server: CircleServer, transport: PostgresTransport) {
        let server = try place(named, from: before)
        let text = server.text
        let transport = server.transport(log.circle, cancellation: cancellation)
        let newest: UInt64
        do throws(CircleServerError) { newest = try CircleMove.newest(on: transport) } catch {
            throw MoveRefusal(
                why:
                    "the circle has moved to \(text), which does not take this machine: \(CircleWords.sentence(error))",
                remedy: remedy)
        }
        guard newest >= log.tip.number else {
            throw MoveRefusal(
                why: "the circle has moved to \(text), and that server does not have all of it yet", remedy: remedy)
        }
        return (server, transport)
    }

    /// Refuses a place that nobody could go on at, before the log names it: one that does not answer or does not let this machine
    /// write, or that lacks of the log what `heal` could not put back there.
    package static func check(
        _ server: CircleServer, for circle: LocalCircle, instead before: PostgresTransport,
        in session: any KeychainSession
    ) throws(MoveRefusal) {
        let log = circle.state.log
        let transport = server.transport(log.circle)
        func refusal(_ why: String) -> MoveRefusal { MoveRefusal(why: "nothing was moved: \(why)") }
        func refused(_ why: String) -> MoveRefusal {
            refusal("\(server.text) does not take this machine: \(why)")
        }
        let (newest, body): (UInt64, ChainBody?)
        let unread: Bool
        do throws(CircleServerError) {
            newest = try CircleMove.newest(on: transport)
            unread = try lacksUnread(transport, for: circle, than: before)
            let reply = try transport.perform(.chain(.log, behind: max(1, newest) - 1, limit: 1))
            guard case .bodies(let bodies) = reply else { throw .broken("an answer to another question") }
            body = bodies.first
        } catch { throw refused(CircleWords.sentence(error)) }
        do throws(CircleFailure) {
            // Whether it may write: this is none of the messages of those who join, and nobody reads it.
            var mail = try CircleMail(joining: log.circle, on: transport)
            try mail.post([0])
        } catch {
            switch error {
            case .server(let error): throw refused(CircleWords.sentence(error))
            case .circle(let error): throw refusal(CircleWords.sentence(error))
            case .keychain(let error): throw refusal(error.description)
            }
        }
        guard newest > 0 else {
            throw refusal(
                "\(server.text) has nothing of the circle; copy the rows there first, as SyncOperations.md says")
        }
        guard !unread else {
            throw refusal(
                "\(server.text) lacks what was written last in a view that this machine does not read, and could not put back; "
                    + "copy the rows as they are now"
            )
        }
        guard newest <= log.last else { throw refusal("\(server.text) has more of the log than its server of now") }
        // Of old entries this machine does not know any more what they were.
        if let known = log.hash(at: newest), let body, (try? CircleLog.place(of: body))?.hash != known {
            throw refusal("\(server.text) has another history of this circle")
        }
        guard (try? remembers(circle, behind: newest, in: session)) ?? false else {
            throw refusal(
                "\(server.text) lacks entries of the log, and this machine does not remember all of it; copy the rows as they are now"
            )
        }
    }

    /// Whether a place lacks heads of views that this machine does not read: those it has not.
    private static func lacksUnread(
        _ transport: PostgresTransport, for circle: LocalCircle, than before: PostgresTransport
    ) throws(CircleServerError) -> Bool {
        let membership = circle.state.log.membership
        let own = (try? circle.device.card.id()).flatMap { membership.member($0) }
        let views = membership.views.keys.filter { view in own.map { !membership.reads($0, view) } ?? true }
        guard !views.isEmpty else { return false }
        let question = CircleRequest.newest(views.map { .heads($0) })
        guard case .newest(let there) = try transport.perform(question),
            case .newest(let here) = try before.perform(question), there.count == here.count
        else { throw .broken("an answer to another question") }
        return zip(there, here).contains { $0.number < $1.number }
    }

    /// Whether the keychain remembers all entries of the log behind a number: one says where the one before it is.
    private static func remembers(
        _ circle: LocalCircle, behind number: UInt64, in session: any KeychainSession
    ) throws(KeychainError) -> Bool {
        let log = circle.state.log
        guard let names = log.membership.namesView else { return false }
        var (wanted, before): (UInt64, UInt64?) = (log.tip.number, nil)
        while wanted > number {
            let reply = try session.perform(.sync(.heads(of: names, before: before, limit: mostAtOnce)))
            guard case .sync(.heads(let heads)) = reply, let last = heads.last else { return false }
            for head in heads where head.number <= wanted && wanted > number {
                guard head.number == wanted, let signed = try? SignedBody(decoding: head.body),
                    let entry = try? LogEntry(decoding: signed.content)
                else { return false }
                wanted = entry.previous.number
            }
            before = last.number
        }
        return true
    }

    private static let mostAtOnce = 100
    private static let remedy =
        "`llavero circle server ADDRESS` sets another address or password, or the place where the circle still is"

    private static func newest(on transport: PostgresTransport) throws(CircleServerError) -> UInt64 {
        guard case .newest(let found) = try transport.perform(.newest([.log])) else {
            throw .broken("an answer to another question")
        }
        return found.first?.number ?? 0
    }
}
