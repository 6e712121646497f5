// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestSeed
import Testing

/// Records of items: what one device seals another opens, at its place alone.
@Suite("records of items") struct RecordTests {
    @Test("what was sealed is opened: secrets, none, tombstones, and all attributes", arguments: ["ak", "ck", "dk"])
    func roundTrip(accessible: String) throws {
        var bed = try Bed()
        for secret in [[], [7], [UInt8](repeating: 9, count: 5000)] as [[UInt8]] {
            try bed.check(bed.item(accessible: accessible, secret: secret))
        }
        try bed.check(bed.item(accessible: accessible, secret: nil))
        try bed.check(bed.tombstone(accessible: accessible))
        var internet = AttributeList()
        internet[.server] = .string("example.org")
        internet[.port] = .number(443)
        internet[.protocol] = .string("htps")
        internet[.path] = .data([0xFF, 0])
        internet[.modificationDate] = .date(800_000_000.123456)
        try bed.check(bed.item(.internetPassword, internet, accessible: accessible))
    }

    @Test("ak is sealed under the key of class A, ck and dk under that of class C")
    func classes() throws {
        var bed = try Bed()
        let found = try ["ak", "ck", "dk"].map { protection in
            try SyncRecord.header(of: bed.seal(bed.item(accessible: protection)).body).keyClass
        }
        #expect(found == [.a, .c, .c])
    }

    @Test("a locked device seals and opens class C, and neither with class A; it knows the names of both")
    func locked() throws {
        var bed = try Bed()
        let (a, c) = (bed.item(accessible: "ak"), bed.item(accessible: "ck"))
        let (sealedA, sealedC) = (try bed.seal(a), try bed.seal(c))
        let open = bed.keys
        let key = try #require(open.newest(of: bed.view))
        var locked = ViewKeyring(circle: bed.circle)
        try locked.insert(
            ViewKey(
                circle: bed.circle, view: bed.view, generation: 1, first: key.firstHalf(), second: nil))
        #expect(open.isOpen && !locked.isOpen)
        bed.keys = locked
        #expect(try bed.open(sealedC).item.isSame(as: c))
        #expect(throws: CircleError.locked) { try bed.open(sealedA) }
        #expect(throws: CircleError.locked) { try bed.seal(a) }
        #expect(try SyncRecord.id(of: a, in: bed.view, locked) == sealedA.id)
        let sealedThere = try bed.seal(c)
        // Unlocked, the two halves are one key again, and replace the one half.
        let whole = try ViewKey(
            circle: bed.circle, view: bed.view, generation: 1, first: key.firstHalf(), second: key.secondHalf())
        #expect(locked.insert(whole) && locked.isOpen && !locked.insert(whole))
        bed.keys = locked
        #expect(try bed.open(sealedA).item.isSame(as: a))
        #expect(try bed.open(sealedThere).item.isSame(as: c))
        #expect(try whole.commitment() == key.commitment())
    }

    @Test("halves of two keys are no key")
    func halves() throws {
        let bed = try Bed()
        let key = try #require(bed.keys.newest(of: bed.view))
        let other = try key.next(secret: Bed.secret(8))
        #expect(throws: CircleError.malformed) {
            try ViewKey(
                circle: bed.circle, view: bed.view, generation: 1, first: key.firstHalf(), second: other.secondHalf())
        }
        #expect(try ViewKey.commitment(toFirst: Bed.secret(3)) == key.commitment())
    }

    @Test("each byte of a record counts, and its end")
    func everyByte() throws {
        var bed = try Bed()
        let sealed = try bed.seal(bed.item(secret: [1, 2, 3]))
        for place in sealed.body.indices {
            var changed = sealed.body
            changed[place] ^= 1
            #expect(throws: CircleError.self, "byte \(place)") { try bed.open((sealed.id, changed)) }
        }
        for count in 0..<sealed.body.count {
            #expect(throws: CircleError.self, "\(count) bytes") {
                try bed.open((sealed.id, Array(sealed.body[..<count])))
            }
        }
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.open((sealed.id, sealed.body + [0])) }
        // Its class and its generation are among what is authenticated.
        var other = sealed.body
        other[1] = SyncRecord.KeyClass.c.rawValue
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.open((sealed.id, other)) }
        bed.keys.insert(try #require(bed.keys.newest(of: bed.view)).next(secret: Bed.secret(9)))
        other = sealed.body
        other[5] = 2
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.open((sealed.id, other)) }
        other[5] = 3
        #expect(throws: CircleError.missingKey) { try bed.open((sealed.id, other)) }
    }

    @Test("at another name, head, view or circle it does not open")
    func places() throws {
        var bed = try Bed()
        let sealed = try bed.seal(bed.item())
        var otherID = sealed.id.bytes
        otherID[15] ^= 1
        let id = try #require(SyncRecordID(otherID))
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.open((id, sealed.body)) }
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.open(sealed, head: bed.head + 1) }
        // Another view or circle, though by mistake of the same key.
        var elsewhere = try Bed(view: 77)
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try elsewhere.open(sealed) }
        #expect(throws: CircleError.missingKey) { try bed.open(sealed, view: elsewhere.view) }
        elsewhere = try Bed(circle: 78)
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try elsewhere.open(sealed) }
        #expect(!bed.keys.insert(try #require(elsewhere.keys.newest(of: elsewhere.view))))
    }

    @Test("one item has one name on two devices and in all generations, and each part of what it is changes it")
    func names() throws {
        var (one, two) = (try Bed(), try Bed())
        two.keys.insert(try #require(two.keys.newest(of: two.view)).next(secret: Bed.secret(4)))
        var changed = AttributeList()
        changed[.label] = .string("another label")
        changed[.modificationDate] = .date(1)
        let id = try one.seal(one.item()).id
        #expect(try two.seal(two.item(.genericPassword, changed, accessible: "ck", secret: nil)).id == id)
        #expect(try one.seal(one.tombstone()).id == id)
        // Text and its bytes are one account, as they are in the keychain.
        #expect(try one.id(.account, .data(Array("me".utf8))) == id)
        for (attribute, value) in [
            (.account, .string("you")), (.service, .string("other")), (.accessGroup, .string("another.group")),
            (.viewHint, .string("hint")), (.account, .string("")),
        ] as [(Attribute, AttributeValue)] {
            #expect(try one.id(attribute, value) != id, "\(attribute)")
        }
        let internet = try one.id(.account, .string("me"), of: .internetPassword)
        #expect(internet != id)
        var seen = [internet]
        for (attribute, value) in [
            (.account, .string("you")), (.server, .string("s")), (.securityDomain, .string("s")),
            (.protocol, .number(7)), (.authenticationType, .string("s")), (.port, .number(80)),
            (.port, .string("080")), (.path, .string("s")), (.accessGroup, .string("s")), (.viewHint, .string("s")),
        ] as [(Attribute, AttributeValue)] {
            let id = try one.id(attribute, value, of: .internetPassword)
            #expect(!seen.contains(id), "\(attribute)")
            seen.append(id)
        }
        // What is absent is its default.
        #expect(try one.id(.port, .number(0), of: .internetPassword) == internet)
    }

    @Test(
        "what is not shared is not sealed: other protection, rules, tokens, certificates, no group, not synchronizable")
    func refused() throws {
        var bed = try Bed()
        for protection in ["aku", "cku", "dku", "akpu", ""] {
            #expect(throws: CircleError.malformed) { try bed.seal(bed.item(accessible: protection)) }
        }
        for (attribute, value) in [
            (.accessControl, .data([1])), (.tokenID, .string("t")), (.synchronizable, .number(0)),
            (.accessGroup, .string("")), (.tombstone, .number(1)), (.port, .number(1)), (.label, .date(1)),
        ] as [(Attribute, AttributeValue)] {
            var attributes = AttributeList()
            attributes[attribute] = value
            #expect(throws: CircleError.malformed, "\(attribute)") {
                try bed.seal(bed.item(.genericPassword, attributes, secret: [1]))
            }
        }
        for itemClass in [ItemClass.certificate, .key] {
            let item = SyncItem(itemClass: itemClass, attributes: bed.item().attributes, secret: nil)
            #expect(throws: CircleError.malformed) { try bed.seal(item) }
        }
        #expect(throws: CircleError.malformed) { try bed.seal(bed.item(), nonce: [1, 2, 3]) }
    }

    @Test("up to a MiB, padded: its length is one of few")
    func sizes() throws {
        var bed = try Bed()
        let empty = try bed.seal(bed.item(secret: [])).body.count
        #expect(empty == 38 + 512)
        let overhead = try (0..<512).first { count in
            try bed.seal(bed.item(secret: [UInt8](repeating: 1, count: count))).body.count > empty
        }
        let room = try #require(overhead)
        // So long is all but the secret.
        let head = 512 - room + 1
        let largest = Padding.largest - head
        let most = try bed.seal(bed.item(secret: [UInt8](repeating: 1, count: largest)))
        #expect(most.body.count == SyncRecord.largest)
        #expect(try bed.open(most).item.secret?.count == largest)
        #expect(throws: CircleError.malformed) {
            try bed.seal(bed.item(secret: [UInt8](repeating: 1, count: largest + 1)))
        }
        #expect(throws: CircleError.malformed) { try bed.open((most.id, most.body + [0])) }
    }

    @Test("what later versions know of an item goes out as it came, and so does its secret's generation")
    func later() throws {
        var bed = try Bed()
        var item = bed.item()
        item.later = [1, 2, 3, 0]
        let first = try bed.seal(item)
        let opened = try bed.open(first).item
        #expect(opened.later == [1, 2, 3, 0] && opened.secretGeneration == 1)
        bed.keys.insert(try #require(bed.keys.newest(of: bed.view)).next(secret: Bed.secret(5)))
        let again = try bed.open(bed.seal(opened)).item
        #expect(again.later == [1, 2, 3, 0] && again.secretGeneration == 1)
        // A new secret is first sealed under the newest key.
        let fresh = try bed.seal(bed.item())
        #expect(try SyncRecord.header(of: fresh.body).generation == 2)
        #expect(try bed.open(fresh).item.secretGeneration == 2)
        // None is of a generation to come.
        item.secretGeneration = 3
        #expect(throws: CircleError.malformed) { try bed.seal(item) }
        // What was forgotten opens no more.
        bed.keys.forget(bed.view, below: 2)
        #expect(throws: CircleError.missingKey) { try bed.open(first) }
        #expect(bed.keys.generations(of: bed.view) == [2])
    }

    @Test("what a device works out for itself is not in a record")
    func own() throws {
        var bed = try Bed()
        var attributes = AttributeList()
        attributes[.digest] = .data([UInt8](repeating: 3, count: 20))
        attributes[.multiUser] = .emptyData
        let with = try bed.seal(bed.item(.genericPassword, attributes), nonce: [UInt8](repeating: 1, count: 16))
        let without = try bed.seal(bed.item(), nonce: [UInt8](repeating: 1, count: 16))
        #expect(with == without)
    }

    @Test("a void record says no more than that there is none")
    func void() throws {
        var bed = try Bed()
        let id = try bed.seal(bed.item()).id
        let address = SyncRecord.Address(view: bed.view, id: id, head: bed.head)
        let body = try SyncRecord.sealVoid(at: address, nonce: bed.nonce(), bed.keys)
        guard case .void = try SyncRecord.open(body, at: address, bed.keys) else {
            Issue.record("an item")
            return
        }
        #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.open((id, body), head: bed.head + 1) }
    }

    @Test("names of devices and views: opened for what they name, as long as few, and only with the circle's key")
    func sealedNames() throws {
        var bed = try Bed()
        let names = try #require(bed.circle.names)
        let device = NamedThing.device(try #require(DeviceID([UInt8](repeating: 1, count: 16))))
        let other = NamedThing.device(try #require(DeviceID([UInt8](repeating: 2, count: 16))))
        #expect(throws: CircleError.missingKey) { try bed.keys.seal([1], of: device) }
        bed.keys.insert(try ViewKey(circle: bed.circle, view: names, secret: Bed.secret(6)))
        let text = Array("Ana's laptop".utf8)
        let sealed = try bed.keys.seal(text, of: device)
        #expect(try bed.keys.open(sealed, of: device) == text)
        #expect(try bed.keys.seal(text, of: device) == sealed)
        #expect(try bed.keys.seal([], of: device).count == sealed.count)
        for thing in [other, .invite([UInt8](repeating: 1, count: 16)), .policy(bed.view)] {
            #expect(throws: CircleError.crypto(.authenticationFailed)) { try bed.keys.open(sealed, of: thing) }
            #expect(try bed.keys.seal(text, of: thing) != sealed)
        }
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: CircleError.self, "byte \(place)") { try bed.keys.open(changed, of: device) }
            #expect(throws: CircleError.self) { try bed.keys.open(Array(sealed[..<place]), of: device) }
        }
        for count in [60, 61, 1000, 100_000] {
            let text = [UInt8](repeating: 65, count: count)
            #expect(try bed.keys.open(bed.keys.seal(text, of: .policy(bed.view)), of: .policy(bed.view)) == text)
        }
        #expect(throws: CircleError.malformed) {
            try bed.keys.seal([UInt8](repeating: 65, count: Padding.largest), of: device)
        }
    }
}

/// A view with its key, and items for it.
private struct Bed {
    let circle: CircleID
    let view: SyncView
    let head: UInt64 = 5
    var keys: ViewKeyring
    private var random: Seed

    init(circle: UInt8 = 1, view: UInt8 = 2) throws {
        random = Seed(for: "records")
        self.circle = try #require(CircleID([UInt8](repeating: circle, count: 16)))
        self.view = try #require(SyncView([UInt8](repeating: view, count: 16)))
        keys = ViewKeyring(circle: self.circle)
        try keys.insert(ViewKey(circle: self.circle, view: self.view, secret: Bed.secret(3)))
    }

    static func secret(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { $0.copyBytes(from: [UInt8](repeating: byte, count: 32)) }
    }

    func item(
        _ itemClass: ItemClass = .genericPassword, _ more: AttributeList = AttributeList(), accessible: String = "ak",
        secret: [UInt8]? = Array("secret".utf8)
    ) -> SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string("me")
        if itemClass == .genericPassword { attributes[.service] = .string("there") }
        attributes[.accessGroup] = .string("group")
        attributes[.accessible] = .string(accessible)
        attributes[.synchronizable] = .number(1)
        attributes[.tombstone] = .number(0)
        attributes[.creationDate] = .date(700_000_000)
        attributes[.modificationDate] = .date(700_000_000.25)
        for entry in more.entries { attributes[entry.attribute] = entry.value }
        return SyncItem(
            itemClass: itemClass, attributes: attributes, secret: secret.map { SecretValue(copying: $0) })
    }

    func tombstone(accessible: String = "ak") -> SyncItem {
        var attributes = AttributeList()
        attributes[.tombstone] = .number(1)
        return item(.genericPassword, attributes, accessible: accessible, secret: nil)
    }

    mutating func nonce() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) } }

    mutating func seal(_ item: SyncItem, nonce: [UInt8]? = nil) throws -> (id: SyncRecordID, body: [UInt8]) {
        try SyncRecord.seal(item, in: view, head: head, nonce: nonce ?? self.nonce(), keys)
    }

    func open(
        _ sealed: (id: SyncRecordID, body: [UInt8]), head: UInt64? = nil, view: SyncView? = nil
    ) throws -> (item: SyncItem, id: SyncRecordID) {
        let address = SyncRecord.Address(view: view ?? self.view, id: sealed.id, head: head ?? self.head)
        guard case .item(let item) = try SyncRecord.open(sealed.body, at: address, keys) else {
            throw CircleError.malformed
        }
        return (item, sealed.id)
    }

    func id(
        _ attribute: Attribute, _ value: AttributeValue, of itemClass: ItemClass = .genericPassword
    ) throws -> SyncRecordID {
        var attributes = AttributeList()
        attributes[attribute] = value
        return try SyncRecord.id(of: item(itemClass, attributes), in: view, keys)
    }

    /// Sealed, opened, and the same; what is sealed shows nothing of it.
    mutating func check(_ item: SyncItem) throws {
        let sealed = try seal(item)
        let opened = try open(sealed).item
        #expect(opened.isSame(as: item))
        #expect(try SyncRecord.id(of: item, in: view, keys) == sealed.id)
        #expect(try seal(item).body != sealed.body)
        let needle = Array("group".utf8)
        #expect(!sealed.body.indices.dropLast(5).contains { Array(sealed.body[$0..<$0 + 5]) == needle })
    }
}

extension SyncItem {
    fileprivate func isSame(as other: SyncItem) -> Bool {
        guard itemClass == other.itemClass, attributes == other.attributes, later == other.later else { return false }
        switch (secret, other.secret) {
        case (nil, nil): return true
        case (let mine?, let theirs?): return mine.isEqualInConstantTime(to: theirs)
        default: return false
        }
    }
}
