// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestProcesses
import Testing

/// The bytes that fixed keys give, made and opened here and by a second implementation.
@Suite("vectors of what devices exchange") struct SyncVectorTests {
    typealias Bytes = SyncVectors.Bytes

    @Test("cards are those bytes, and name their devices so")
    func cards() throws {
        for row in try SyncVectors.rows("card", as: SyncVectors.Device.self) {
            let card = try row.made().card
            #expect(try Bytes(card.encoded()) == row.bytes)
            #expect(try Bytes(card.id().bytes) == row.device)
            #expect(try Card(decoding: #require(row.bytes).array) == card)
        }
    }

    private struct RecordRow: Decodable {
        struct Entry: Decodable {
            let what: String
            let generation: UInt32
            let head: UInt64
            let nonce: Bytes
            let item: SyncVectors.Item?
            let name: Bytes
            let body: Bytes
        }

        let circle: Bytes
        let view: Bytes
        let keys: [SyncVectors.Key]
        let records: [Entry]
    }

    @Test("records of items are those bytes, and opened to what was put in")
    func records() throws {
        for row in try SyncVectors.rows("record", as: RecordRow.self) {
            let (all, view) = try SyncVectors.keyring(row.circle, row.view, row.keys)
            for entry in row.records {
                // An older record was sealed when its key was the newest.
                let keys = row.keys.filter { $0.generation <= entry.generation }
                let then = try SyncVectors.keyring(row.circle, row.view, keys).keys
                let name = try #require(SyncRecordID(entry.name.array))
                let address = SyncRecord.Address(view: view, id: name, head: entry.head)
                let opened = try SyncRecord.open(entry.body.array, at: address, all)
                guard let item = try entry.item?.made() else {
                    let body = try SyncRecord.sealVoid(at: address, nonce: entry.nonce.array, then)
                    #expect(Bytes(body) == entry.body, "\(entry.what)")
                    guard case .void = opened else {
                        Issue.record("\(entry.what)")
                        continue
                    }
                    continue
                }
                let sealed = try SyncRecord.seal(item, in: view, head: entry.head, nonce: entry.nonce.array, then)
                #expect(sealed.id == name && Bytes(sealed.body) == entry.body, "\(entry.what)")
                guard case .item(let found) = opened else {
                    Issue.record("\(entry.what)")
                    continue
                }
                #expect(found.attributes == item.attributes && found.itemClass == item.itemClass, "\(entry.what)")
                #expect(found.later == item.later && found.secretGeneration == item.secretGeneration)
                #expect(found.bytes == item.bytes, "\(entry.what)")
            }
        }
    }

    private struct ShareRow: Decodable {
        let circle: Bytes
        let view: Bytes
        let keys: [SyncVectors.Key]
        let sender: SyncVectors.Device
        let given: [Given]
        let root: Bytes

        struct Given: Decodable {
            let receiver: SyncVectors.Device
            let generations: [UInt32]
            let ephemeral: Bytes
            let body: Bytes
        }
    }

    @Test("shares are those bytes but for the signature, and opened by whom they are for")
    func shares() throws {
        for row in try SyncVectors.rows("share", as: ShareRow.self) {
            let (keys, view) = try SyncVectors.keyring(row.circle, row.view, row.keys)
            let sender = try row.sender.made()
            var given = GivenKeys(of: keys.circle)
            for one in row.given {
                let receiver = try one.receiver.made()
                for number in one.generations {
                    let key = try #require(keys.key(of: view, generation: number))
                    given.give(key, to: receiver.card, try receiver.card.id())
                }
            }
            // The signature is another one each time, and the vectors have the ephemeral keys in the order of the devices.
            let ephemeral = row.given.map(\.ephemeral)
            let made = try given.shares(by: sender) { (place) throws(CryptoError) in
                try P256.key(of: ephemeral[place].secret)
            } chance: { () throws(CircleError) in
                1
            }
            #expect(made.count == row.given.count)
            for (one, share) in zip(row.given, made) {
                #expect(try SyncVectorTests.unsigned(share.body) == SyncVectorTests.unsigned(one.body.array))
                let receiver = try one.receiver.made()
                let place = ShareBody(device: try receiver.card.id(), chance: 0, body: one.body.array)
                let opened = try ViewShare(decoding: place, of: keys.circle).open(as: receiver, from: sender.card) {
                    try? keys.key(of: $0.view, generation: $0.generation)?.commitment()
                }
                #expect(opened.map(\.generation) == one.generations)
                for theirs in opened {
                    let mine = try #require(keys.key(of: view, generation: theirs.generation)).firstHalf()
                    let theirs = theirs.firstHalf()
                    #expect(mine.withUnsafeBytes { Array($0) } == theirs.withUnsafeBytes { Array($0) })
                }
            }
        }
    }

    /// All of a share but the signature.
    private static func unsigned(_ body: [UInt8]) throws -> [[UInt8]] {
        guard case .array(let parts) = try PropertyList(decoding: body), parts.count == 4,
            case .data(let keys) = parts[1], case .data(let path) = parts[2], case .data(let signed) = parts[3]
        else { throw Trouble("no share") }
        return [keys, path, try SignedBody(decoding: signed).content]
    }

    private struct NameRow: Decodable {
        struct Entry: Decodable {
            let generation: UInt32
            let kind: String
            let about: Bytes
            let text: String
            let sealed: Bytes

            func thing() throws -> NamedThing {
                switch kind {
                case "d": .device(try #require(DeviceID(about.array)))
                case "i": .invite(about.array)
                default: .policy(try #require(SyncView(about.array)))
                }
            }
        }

        let circle: Bytes
        let view: Bytes
        let keys: [SyncVectors.Key]
        let names: [Entry]
    }

    @Test("sealed names are those bytes, and opened for what they name")
    func names() throws {
        for row in try SyncVectors.rows("name", as: NameRow.self) {
            let keys = try SyncVectors.keyring(row.circle, row.view, row.keys).keys
            for entry in row.names {
                #expect(try Bytes(keys.seal(Array(entry.text.utf8), of: entry.thing())) == entry.sealed)
                #expect(try keys.open(entry.sealed.array, of: entry.thing()) == Array(entry.text.utf8))
            }
        }
    }

    private struct HeadRow: Decodable {
        struct Record: Decodable {
            let name: Bytes
            let body: Bytes
        }

        struct Entry: Decodable {
            let records: [Record]
            let logNumber: UInt64
            let logHash: Bytes
            let generation: UInt32
            let chance: Int64
            let oldestTombstone: Int64
            let time: Int64
            let root: Bytes
            let content: Bytes
            let body: Bytes
        }

        let circle: Bytes
        let view: Bytes
        let author: SyncVectors.Device
        let heads: [Entry]
    }

    @Test("heads are those bytes, and their roots are over all records that there are then")
    func heads() throws {
        for row in try SyncVectors.rows("head", as: HeadRow.self) {
            let (circle, view) = (try #require(CircleID(row.circle.array)), try #require(SyncView(row.view.array)))
            let author = try row.author.made()
            var tree = try StateTree()
            var previous: [UInt8] = []
            for (number, entry) in zip(UInt64(1)..., row.heads) {
                var listing: [CircleHead.Entry] = []
                for record in entry.records {
                    let id = try #require(SyncRecordID(record.name.array))
                    let digest = try Digest.sha256(of: record.body.array)
                    try tree.set(SyncLeaf(id: id, head: number, digest: digest))
                    listing.append(CircleHead.Entry(id: id, digest: digest))
                }
                #expect(try Bytes(tree.root()) == entry.root)
                let head = CircleHead(
                    circle: circle, view: view, number: number, previous: previous, logNumber: entry.logNumber,
                    logHash: entry.logHash.array, generation: entry.generation, chance: entry.chance, entries: listing,
                    root: entry.root.array, oldestTombstone: entry.oldestTombstone, time: entry.time,
                    author: try author.card.id())
                #expect(try Bytes(head.encoded()) == entry.content)
                let signed = try SignedHead(decoding: entry.body.array, of: circle, view: view, number: number)
                #expect(try signed.head == head && signed.isSigned(by: author.card))
                previous = try head.hash()
            }
        }
    }

    private struct LogRow: Codable {
        struct Entry: Codable {
            let action: String
            let body: String
            /// What the log says after it.
            let membership: String
        }

        let circle: String
        let entries: [Entry]
    }

    /// Something of everything that a log says, by devices of `card.json`.
    @Test("a log is read to the memberships that those bytes are")
    func log() throws {
        if ProcessInfo.processInfo.environment["VECTORS"] == "record" { try SyncVectors.write([Self.made()], "entry") }
        for row in try SyncVectors.rows("entry", as: LogRow.self) {
            var log = CircleLog(circle: try #require(CircleID(Bytes(hexadecimal: row.circle).array)))
            for entry in row.entries {
                let body = ChainBody(number: log.next, body: Bytes(hexadecimal: entry.body).array)
                guard case .accepted? = try log.take([body]).first else {
                    Issue.record("\(entry.action)")
                    return
                }
                #expect(try Bytes(log.membership.encoded()).description == entry.membership, "\(entry.action)")
            }
        }
    }

    private static func made() throws -> LogRow {
        let devices = try SyncVectors.rows("card", as: SyncVectors.Device.self)
        let (owner, tpm, words) = (try devices[0].made(), try devices[1].made(), try devices[2].made())
        func bytes(_ first: UInt8, _ count: Int = 32) -> [UInt8] { (0..<count).map { first &+ UInt8($0) } }
        let (view, other) = (try #require(SyncView(bytes(32, 16))), try #require(SyncView(bytes(64, 16))))
        var (log, body) = try CircleLog.found(
            by: owner, named: bytes(1, 85), commitment: bytes(2), now: 800_000_000.5, chance: bytes(3, 16))
        var entries: [LogRow.Entry] = []
        func note(_ body: ChainBody) throws {
            let read = try LogEntry(decoding: SignedBody(decoding: body.body).content)
            let action = String(String(describing: read.action).prefix { $0 != "(" })
            entries.append(
                .init(
                    action: action, body: Bytes(body.body).description,
                    membership: try Bytes(log.membership.encoded()).description))
        }
        try note(body)
        let proof = try Membership.recoveryProof(of: words.card, in: log.circle)
        let roles = Roles(isOwner: true, isSponsor: true, views: [view: .writer, other: .reader])
        for action: LogAction in [
            .view(view, sealedPolicy: bytes(4, 85), commitment: bytes(5)),
            .view(other, sealedPolicy: bytes(6, 85), commitment: bytes(7)), .roles(try owner.card.id(), roles),
            .admit(tpm.card, .word(Roles(isOwner: true, views: [view: .writer]), sealedName: bytes(8, 85))),
            .recover(words.card, proof: try words.signature(of: Digest.sha256(of: proof))),
            .policy(other, sealedPolicy: bytes(9, 85)), .rekey(view, generation: 2, commitment: bytes(10)),
            .invite(Invite(id: bytes(11), roles: Roles(views: [view: .reader]), expiry: 800_086_400, sealedName: [])),
            .allow([Allowance(endorsementKey: bytes(12), roles: Roles(isSponsor: true), sealedName: bytes(13, 85))]),
            .withdraw(bytes(12)), .quorum(2), .erase(try tpm.card.id(), .circle), .quorum(1),
            .remove(try tpm.card.id()), .moved(sealedAddress: bytes(14, 85)),
        ] {
            body = try log.body(action, by: owner, now: 800_000_001)
            if log.membership.quorum > 1 {
                var signed = try SignedBody(decoding: body.body)
                try signed.sign(by: tpm)
                body = ChainBody(number: body.number, body: try signed.encoded())
            }
            #expect(try log.take([body]).count == 1)
            try note(body)
        }
        return LogRow(circle: Bytes(log.circle.bytes).description, entries: entries)
    }

    @Test("a second implementation, written from the document alone, makes and opens all of them")
    func secondReader() throws {
        let folder = try TestFolder()
        // Debian's own, which has python3-cryptography.
        let (ending, lines) = try HelperProcess.run(
            [SyncVectors.secondReader], environment: [:], in: folder, program: "/usr/bin/python3")
        #expect(ending == .exited(0))
        for kind in ["card", "record", "share", "name", "entry", "head"] {
            #expect(lines.contains { $0.hasPrefix("\(kind) ") }, "\(lines)")
        }
    }
}

extension SyncItem {
    fileprivate var bytes: [UInt8]? { secret?.withUnsafeBytes { Array($0) } }
}
