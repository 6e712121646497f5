// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainRequest
import KeychainSync
import TestCircles
import TestSeed
import Testing

@Suite struct HeadTests {
    @Test("a head is read back as it was signed, at its own place alone")
    func bytes() throws {
        var seed = Seed(for: "HeadTests")
        let device = try TestCircleDevice()
        let head = try makeHead(of: device, entries: 3, &seed)
        let body = try head.signed(by: device)
        let read = try SignedHead(decoding: body, of: head.circle, view: head.view, number: head.number)
        #expect(read.head == head)
        #expect(try read.hash == head.hash())
        #expect(try read.isSigned(by: device.card))
        #expect(try !read.isSigned(by: TestCircleDevice().card))

        let otherView = try #require(SyncView(bytes(16, &seed)))
        let otherCircle = try #require(CircleID(bytes(16, &seed)))
        #expect(throws: CircleError.malformed) {
            try SignedHead(decoding: body, of: head.circle, view: head.view, number: head.number + 1)
        }
        #expect(throws: CircleError.malformed) {
            try SignedHead(decoding: body, of: head.circle, view: otherView, number: head.number)
        }
        #expect(throws: CircleError.malformed) {
            try SignedHead(decoding: body, of: otherCircle, view: head.view, number: head.number)
        }
    }

    @Test("a byte more, less or other is no head of that author's")
    func changedBytes() throws {
        var seed = Seed(for: "HeadTests.changedBytes")
        let device = try TestCircleDevice()
        let head = try makeHead(of: device, entries: 2, &seed)
        let body = try head.signed(by: device)
        func isRead(_ bytes: [UInt8]) -> Bool {
            guard let read = try? SignedHead(decoding: bytes, of: head.circle, view: head.view, number: head.number)
            else { return false }
            return (try? read.isSigned(by: device.card)) == true
        }
        #expect(isRead(body))
        #expect(!isRead(body + [0]))
        #expect(!isRead(Array(body.dropLast())))
        for place in body.indices {
            var other = body
            other[place] ^= 1
            #expect(!isRead(other), "byte \(place)")
        }
    }

    @Test("a listing names each record once, in order")
    func listing() throws {
        var seed = Seed(for: "HeadTests.listing")
        let device = try TestCircleDevice()
        let head = try makeHead(of: device, entries: 2, &seed)
        guard case .array(var parts) = try PropertyList(decoding: head.encoded()), case .data(let listing) = parts[9]
        else { throw CircleError.malformed }
        #expect(listing.count == 96)
        for other in [Array(listing[48...] + listing[..<48]), Array(listing[..<48] + listing[..<48]), [1] + listing] {
            parts[9] = .data(other)
            let bytes = try PropertyList.array(parts).encoded()
            #expect(throws: CircleError.malformed) { try CircleHead(decoding: bytes) }
        }
    }

    private func bytes(_ count: Int, _ seed: inout Seed) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: seed.next()) }
    }

    private func makeHead(of device: TestCircleDevice, entries: Int, _ seed: inout Seed) throws -> CircleHead {
        try CircleHead(
            circle: #require(CircleID(bytes(16, &seed))), view: #require(SyncView(bytes(16, &seed))), number: 7,
            previous: bytes(32, &seed), logNumber: 3, logHash: bytes(32, &seed), generation: 2, chance: -5,
            entries: (0..<entries).map { _ in
                try CircleHead.Entry(id: #require(SyncRecordID(bytes(16, &seed))), digest: bytes(32, &seed))
            }, root: bytes(32, &seed), oldestTombstone: 0, time: 817_000_000, author: device.card.id())
    }
}
