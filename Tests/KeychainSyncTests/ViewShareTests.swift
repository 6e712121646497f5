// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

/// View keys on their way from one device to another.
@Suite("shares of view keys") struct ViewShareTests {
    @Test("the device it is for gets the key that the log commits to, and both name and seal alike")
    func shared() throws {
        let bed = try Bed()
        for key in [bed.key, try bed.key.next(secret: Bed.secret(4))] {
            let share = try bed.read(bed.seal(key), generation: key.generation)
            #expect(share.sender == (try bed.sender.card.id()))
            let got = try share.open(as: bed.receiver, from: bed.sender.card, commitment: key.commitment())
            #expect(got.generation == key.generation && got.isOpen)
            #expect(try Bed.halves(of: got) == Bed.halves(of: key))
        }
    }

    @Test("another device, another sender's card and another commitment open nothing")
    func strangers() throws {
        let bed = try Bed()
        let share = try bed.read(bed.seal(bed.key))
        let stranger = try TestCircleDevice()
        let commitment = try bed.key.commitment()
        let refusal = CircleError.crypto(.authenticationFailed)
        #expect(throws: refusal) { try share.open(as: stranger, from: bed.sender.card, commitment: commitment) }
        #expect(throws: refusal) { try share.open(as: bed.receiver, from: stranger.card, commitment: commitment) }
        let other = try bed.key.next(secret: Bed.secret(4)).commitment()
        #expect(throws: refusal) { try share.open(as: bed.receiver, from: bed.sender.card, commitment: other) }
        // The same view key with other names is another key: the commitment has both.
        let elsewhere = try ViewKey(circle: bed.circle, view: bed.view, secret: Bed.secret(9))
        let (renamed, first) = (try elsewhere.next(secret: Bed.secret(4)), try bed.key.next(secret: Bed.secret(4)))
        #expect(try Bed.halves(of: renamed)[1] == Bed.halves(of: first)[1])
        #expect(try renamed.commitment() != first.commitment())
    }

    @Test("what a stranger re-signs is the stranger's")
    func resigned() throws {
        let bed = try Bed()
        let stranger = try TestCircleDevice()
        let body = try SignedBody(decoding: bed.seal(bed.key))
        let resigned = try SignedBody(body.content, by: stranger)
        #expect(throws: CircleError.malformed) { try bed.read(resigned.encoded()) }
        var both = body
        try both.sign(by: stranger)
        #expect(throws: CircleError.malformed) { try bed.read(both.encoded()) }
    }

    @Test("at another place, of another circle, or with a byte changed, it is none")
    func everyByte() throws {
        let bed = try Bed()
        let body = try bed.seal(bed.key)
        let commitment = try bed.key.commitment()
        for place in body.indices {
            var changed = body
            changed[place] ^= 1
            #expect(throws: CircleError.self, "byte \(place)") {
                try bed.read(changed).open(as: bed.receiver, from: bed.sender.card, commitment: commitment)
            }
        }
        let view = try #require(SyncView([UInt8](repeating: 9, count: 16)))
        let circle = try #require(CircleID([UInt8](repeating: 9, count: 16)))
        let device = try bed.sender.card.id()
        #expect(throws: CircleError.malformed) { try bed.read(body, generation: 2) }
        #expect(throws: CircleError.malformed) { try bed.read(body, view: view) }
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
        #expect(throws: CircleError.locked) { try bed.seal(half) }
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

    func seal(_ key: ViewKey) throws -> [UInt8] { try ViewShare.seal(key, to: receiver.card, by: sender) }

    func read(
        _ body: [UInt8], generation: UInt32 = 1, view: SyncView? = nil, circle: CircleID? = nil,
        device: DeviceID? = nil
    ) throws -> ViewShare {
        let row = ShareBody(
            view: view ?? self.view, generation: generation, device: try device ?? receiver.card.id(), chance: 7,
            body: body)
        return try ViewShare(decoding: row, of: circle ?? self.circle)
    }
}
