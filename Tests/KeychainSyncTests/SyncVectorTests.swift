// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
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
        let generation: UInt32
        let sender: SyncVectors.Device
        let receiver: SyncVectors.Device
        let ephemeral: Bytes
        let content: Bytes
        let body: Bytes
    }

    @Test("shares are those bytes but for the signature, and opened by whom they are for")
    func shares() throws {
        for row in try SyncVectors.rows("share", as: ShareRow.self) {
            let (keys, view) = try SyncVectors.keyring(row.circle, row.view, row.keys)
            let key = try #require(keys.key(of: view, generation: row.generation))
            let (sender, receiver) = (try row.sender.made(), try row.receiver.made())
            let body = try ViewShare.seal(
                key, to: receiver.card, by: sender, ephemeral: P256.key(of: row.ephemeral.secret))
            #expect(try Bytes(SignedBody(decoding: body).content) == row.content)
            let place = ShareBody(
                view: view, generation: row.generation, device: try receiver.card.id(), chance: 0,
                body: row.body.array)
            let opened = try ViewShare(decoding: place, of: keys.circle)
                .open(as: receiver, from: sender.card, commitment: key.commitment())
            let mine = key.firstHalf()
            let theirs = opened.firstHalf()
            #expect(mine.withUnsafeBytes { Array($0) } == theirs.withUnsafeBytes { Array($0) })
        }
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

    @Test("a second implementation, written from the document alone, makes and opens all of them")
    func secondReader() throws {
        let folder = try TestFolder()
        // Debian's own, which has python3-cryptography.
        let (ending, lines) = try HelperProcess.run(
            [SyncVectors.secondReader], environment: [:], in: folder, program: "/usr/bin/python3")
        #expect(ending == .exited(0))
        for kind in ["card", "record", "share", "name"] {
            #expect(lines.contains { $0.hasPrefix("\(kind) ") }, "\(lines)")
        }
    }
}

extension SyncItem {
    fileprivate var bytes: [UInt8]? { secret?.withUnsafeBytes { Array($0) } }
}
