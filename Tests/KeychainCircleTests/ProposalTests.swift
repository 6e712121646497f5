// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainConnection
import KeychainModel
import KeychainRequest
import KeychainSync
import Synchronization
import TestCircles
import Testing

/// What an owner proposes and another one signs, of a keychain that is used by a tool and a daemon at once.
@Suite struct ProposalTests {
    /// A box of letters, and what happens before one is put there.
    private final class Letters: CircleTransport {
        private let letters = Mutex<[MailBody]>([])
        private let looks = Mutex(0)
        private let before: @Sendable () -> Void

        init(before: @escaping @Sendable () -> Void = {}) { self.before = before }

        var read: Int { looks.withLock { $0 } }
        var all: [MailBody] { letters.withLock { $0 } }

        func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
            switch request {
            case .insert(let insertion):
                before()
                letters.withLock { $0 += insertion.mail }
                return .done
            case .newestMail:
                looks.withLock { $0 += 1 }
                return .mail(all)
            default: throw .broken("no other question is asked")
            }
        }
    }

    private let keychain: TestKeychain
    private let session: any KeychainSession
    private let own: DeviceKeys
    private let other: TestCircleDevice
    /// Two owners, who both have to sign.
    private let log: CircleLog

    init() throws {
        keychain = try TestKeychain()
        session = try keychain.host.session(for: CircleItems.caller)
        own = try DeviceKeys.make(in: session, of: .software)
        other = try TestCircleDevice()
        let hash = [UInt8](repeating: 1, count: 32)
        var log = try CircleLog.found(
            by: own, named: [1], commitment: hash, now: 1000,
            chance: [UInt8](repeating: 1, count: Founding.chanceSize)
        ).log
        for action in [.admit(other.card, .word(Roles(isOwner: true), sealedName: [2])), .quorum(2)] as [LogAction] {
            _ = try log.take([log.body(action, by: own, now: 1000)])
        }
        self.log = log
        try LocalCircle.begin(CircleState(device: own.card.id(), log: log), [], in: session)
    }

    /// What the daemon does after each round.
    private func complete(on server: Letters) throws -> CircleProposal? {
        let circle = try LocalCircle.open(in: session)
        return try CircleProposal.complete(for: #require(circle), on: server, session)
    }

    @Test("a daemon that looks for what is complete while something is being proposed does not forget it")
    func whilePosted() throws {
        let looked = Mutex<CircleProposal??>(nil)
        let (session, empty) = (session, Letters())
        let server = Letters {
            // The tool has noted that it proposes, and the letter is not there yet.
            let found = try? LocalCircle.open(in: session).flatMap {
                try CircleProposal.complete(for: $0, on: empty, session)
            }
            looked.withLock { $0 = .some(found) }
        }
        let body = try log.body(.quorum(1), by: own, now: 1000).body
        try CircleProposal.post(body, in: log, on: server, session)
        #expect(looked.withLock { $0 } != nil && empty.read == 1)
        #expect(try complete(on: server) == nil)
        let letter = try #require(server.all.first)
        let twice = try log.signed(letter.body, by: other)
        let signed = try #require(twice)
        let both = Letters()
        var insertion = CircleInsertion()
        insertion.mail = [letter, MailBody(box: letter.box, number: 1, body: signed.body)]
        _ = try both.perform(.insert(insertion))
        let complete = try complete(on: both)
        let found = try #require(complete)
        #expect(found.signers == [try own.card.id(), try other.card.id()])
    }

    @Test("what was proposed for a number that the log has passed is forgotten, and the box not read any more")
    func passed() throws {
        let server = Letters()
        try CircleProposal.post(log.body(.quorum(1), by: own, now: 1000).body, in: log, on: server, session)
        #expect(try complete(on: server) == nil && server.read == 1)
        var further = log
        _ = try further.take([ChainBody(number: log.next, body: [1])])
        // Also when the keychain is put back to where that number is free.
        for known in [further, log] {
            _ = try session.perform(.sync(.end))
            try LocalCircle.begin(CircleState(device: own.card.id(), log: known), [], in: session)
            #expect(try complete(on: server) == nil && server.read == 1)
        }
    }
}
