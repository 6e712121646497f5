// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import TestProcesses
import Testing

/// View keys on their way from one device to another.
@Suite("shares of view keys") struct ViewShareTests {
    @Test("the device it is for gets all keys that the log commits to, and both name and seal alike")
    func shared() throws {
        let bed = try Bed()
        let keys = [bed.key, try bed.key.next(secret: Bed.secret(4))]
        let share = try bed.read(bed.seal(keys))
        #expect(share.sender == (try bed.sender.card.id()) && share.keys == keys.map(\.name))
        let got = try share.open(as: bed.receiver, from: bed.sender.card) { name in
            try? keys.first { $0.name == name }?.commitment()
        }
        #expect(got.map(\.generation) == [1, 2] && got.allSatisfy(\.isOpen))
        for (got, key) in zip(got, keys) { #expect(try Bed.halves(of: got) == Bed.halves(of: key)) }
        // Of one key the log says otherwise, or nothing: the other is as good as it was.
        let first = try bed.key.commitment()
        for other in [first, nil] {
            let one = try share.open(as: bed.receiver, from: bed.sender.card) { $0.generation == 1 ? first : other }
            #expect(one.map(\.generation) == [1])
        }
    }

    @Test("the shares of a change have one signature, and each is read by itself", arguments: [2, 3, 5, 8, 33])
    func together(count: Int) throws {
        let bed = try Bed()
        let devices = try (0..<count).map { _ in try TestCircleDevice() }
        var given = GivenKeys(of: bed.circle)
        for device in devices { given.give(bed.key, to: device.card, try device.card.id()) }
        let shares = try given.shares(by: bed.sender) { () throws(CircleError) in 1 }
        #expect(shares.count == count && given.count == count)
        let commitment = try bed.key.commitment()
        for device in devices {
            let id = try device.card.id()
            let row = try #require(shares.first { $0.device == id })
            let share = try ViewShare(decoding: row, of: bed.circle)
            #expect(try share.open(as: device, from: bed.sender.card) { _ in commitment }.count == 1)
            // What is for one device is none for another, wherever it lies.
            let other = try #require(shares.first { $0.device != id })
            #expect(throws: CircleError.malformed) {
                try ViewShare(decoding: ShareBody(device: id, chance: 1, body: other.body), of: bed.circle)
            }
        }
    }

    @Test("more keys than a share has are several shares")
    func many() throws {
        let bed = try Bed()
        var key = bed.key
        var given = GivenKeys(of: bed.circle)
        for _ in 0..<4097 {
            given.give(key, to: bed.receiver.card, try bed.receiver.card.id())
            key = try key.next(secret: Bed.secret(5))
        }
        let shares = try given.shares(by: bed.sender) { () throws(CircleError) in 1 }
            .map { try ViewShare(decoding: $0, of: bed.circle) }
        #expect(shares.map(\.keys.count) == [4096, 1])
    }

    @Test("another device, another sender's card and another commitment open nothing")
    func strangers() throws {
        let bed = try Bed()
        let share = try bed.read(bed.seal([bed.key]))
        let stranger = try TestCircleDevice()
        let commitment = try bed.key.commitment()
        let refusal = CircleError.crypto(.authenticationFailed)
        #expect(throws: refusal) { try share.open(as: stranger, from: bed.sender.card) { _ in commitment } }
        #expect(throws: refusal) { try share.open(as: bed.receiver, from: stranger.card) { _ in commitment } }
        let other = try bed.key.next(secret: Bed.secret(4)).commitment()
        #expect(try share.open(as: bed.receiver, from: bed.sender.card) { _ in other }.isEmpty)
        // The same view key with other names is another key: the commitment has both.
        let elsewhere = try ViewKey(circle: bed.circle, view: bed.view, secret: Bed.secret(9))
        let (renamed, first) = (try elsewhere.next(secret: Bed.secret(4)), try bed.key.next(secret: Bed.secret(4)))
        #expect(try Bed.halves(of: renamed)[1] == Bed.halves(of: first)[1])
        #expect(try renamed.commitment() != first.commitment())
    }

    @Test("what a stranger re-signs is the stranger's, and what it puts under another's signature is nobody's")
    func resigned() throws {
        let bed = try Bed()
        let stranger = try TestCircleDevice()
        let parts = try Bed.parts(of: bed.seal([bed.key]))
        let signed = try SignedBody(decoding: parts[2])
        let resigned = try SignedBody(signed.content, by: stranger)
        #expect(throws: CircleError.malformed) {
            try bed.read(Bed.body([parts[0], parts[1], try resigned.encoded()]))
        }
        var both = signed
        try both.sign(by: stranger)
        #expect(throws: CircleError.malformed) { try bed.read(Bed.body([parts[0], parts[1], try both.encoded()])) }
        // Keys of its own, with any path at all.
        let own = try Bed.parts(of: bed.seal([try bed.key.next(secret: Bed.secret(4))], by: stranger))
        for path in [[], parts[1], [UInt8](repeating: 7, count: 32), [1]] {
            #expect(throws: CircleError.malformed) { try bed.read(Bed.body([own[0], path, parts[2]])) }
        }
    }

    @Test("at another place, of another circle, or with a byte changed, it is none")
    func everyByte() throws {
        let bed = try Bed()
        let body = try bed.seal([bed.key], andOthers: 2)
        let commitment = try bed.key.commitment()
        for place in body.indices {
            var changed = body
            changed[place] ^= 1
            #expect(throws: CircleError.self, "byte \(place)") {
                try bed.read(changed).open(as: bed.receiver, from: bed.sender.card) { _ in commitment }
            }
        }
        let circle = try #require(CircleID([UInt8](repeating: 9, count: 16)))
        let device = try bed.sender.card.id()
        #expect(throws: CircleError.malformed) { try bed.read(body, circle: circle) }
        #expect(throws: CircleError.malformed) { try bed.read(body, device: device) }
        #expect(throws: CircleError.malformed) { try bed.read(body + [0]) }
        #expect(throws: CircleError.malformed) { try bed.read([UInt8](repeating: 0x30, count: 1 << 20)) }
    }

    @Test("a locked device has nothing to share")
    func locked() throws {
        let bed = try Bed()
        let half = try ViewKey(
            circle: bed.circle, view: bed.view, generation: 1, first: bed.key.firstHalf(), second: nil)
        #expect(throws: CircleError.locked) { try bed.seal([half]) }
        #expect(throws: CircleError.locked) { try half.commitment() }
    }
}

private struct Bed {
    let circle: CircleID
    let view: SyncView
    let key: ViewKey
    let sender: TestCircleDevice
    let receiver: TestCircleDevice

    init() throws {
        circle = try #require(CircleID([UInt8](repeating: 1, count: 16)))
        view = try #require(SyncView([UInt8](repeating: 2, count: 16)))
        key = try ViewKey(circle: circle, view: view, secret: Bed.secret(3))
        sender = try TestCircleDevice()
        receiver = try TestCircleDevice()
    }

    static func secret(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { $0.copyBytes(from: [UInt8](repeating: byte, count: 32)) }
    }

    static func halves(of key: ViewKey) throws -> [[UInt8]] {
        let first = key.firstHalf()
        let second = try key.secondHalf()
        return [first.withUnsafeBytes { Array($0) }, second.withUnsafeBytes { Array($0) }]
    }

    /// A share of these keys, under one signature with those of others.
    func seal(_ keys: [ViewKey], andOthers count: Int = 0, by stranger: TestCircleDevice? = nil) throws -> [UInt8] {
        let id = try receiver.card.id()
        var given = GivenKeys(of: circle)
        for key in keys { given.give(key, to: receiver.card, id) }
        for _ in 0..<count {
            let other = try TestCircleDevice()
            given.give(key, to: other.card, try other.card.id())
        }
        let shares = try given.shares(by: stranger ?? sender) { () throws(CircleError) in 7 }
        return try #require(shares.first { $0.device == id }).body
    }

    /// Keys, path, and the signature over the root.
    static func parts(of body: [UInt8]) throws -> [[UInt8]] {
        guard case .array(let parts) = try PropertyList(decoding: body) else { throw Trouble("no share") }
        return parts.dropFirst().map { if case .data(let bytes) = $0 { bytes } else { [] } }
    }

    static func body(_ parts: [[UInt8]]) throws -> [UInt8] {
        try PropertyList.array([.string("llavero share")] + parts.map { .data($0) }).encoded()
    }

    func read(_ body: [UInt8], circle: CircleID? = nil, device: DeviceID? = nil) throws -> ViewShare {
        let row = ShareBody(device: try device ?? receiver.card.id(), chance: 7, body: body)
        return try ViewShare(decoding: row, of: circle ?? self.circle)
    }
}
