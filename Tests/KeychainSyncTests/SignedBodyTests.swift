// SPDX-License-Identifier: Apache-2.0

import KeychainSync
import TestCircles
import Testing

@Suite struct SignedBodyTests {
    @Test("each device's signature is found, in one order whoever signed first, and no other's")
    func several() throws {
        let (one, two, three) = (try TestCircleDevice(), try TestCircleDevice(), try TestCircleDevice())
        var body = SignedBody([1, 2, 3])
        try body.sign(by: one)
        try body.sign(by: two)
        try body.sign(by: one)
        let read = try SignedBody(decoding: body.encoded())
        #expect(read == body && read.signatures.count == 2)
        #expect(try read.isSigned(by: one.card) && read.isSigned(by: two.card))
        #expect(try !read.isSigned(by: three.card))
        let names = read.signatures.map(\.device.bytes)
        #expect(names[0].lexicographicallyPrecedes(names[1]))
    }

    @Test("a changed byte makes it unreadable, other content, or unsigned")
    func everyByte() throws {
        let device = try TestCircleDevice()
        let body = try SignedBody([1, 2, 3], by: device)
        let bytes = try body.encoded()
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            guard let read = try? SignedBody(decoding: changed) else { continue }
            #expect(try !read.isSigned(by: device.card), "byte \(place)")
        }
        #expect(throws: CircleError.malformed) { try SignedBody(decoding: bytes + [0]) }
        #expect(throws: CircleError.malformed) { try SignedBody(decoding: Array(bytes.dropLast())) }
    }
}
