// SPDX-License-Identifier: Apache-2.0

import KeychainWire
import TestSeed
import Testing

@Suite struct MessageRoomTests {
    @Test("large messages of all connections share one room, and small ones need none")
    func shared() throws {
        var seed = Seed(for: "MessageRoomTests.shared")
        let large = try FrameTests.packets(FrameTests.reply(1, 3 << 20, &seed))
        let small = try FrameTests.packets(FrameTests.reply(2, 200_000, &seed))
        let room = MessageRoom(bytes: 7 << 20)
        var first = FrameAssembler(receiving: .reply, in: room)
        var second = FrameAssembler(receiving: .reply, in: room)
        var third = FrameAssembler(receiving: .reply, in: room)
        #expect(try FrameTests.message(large[0], &first) == nil)
        #expect(try FrameTests.message(large[0], &second) == nil)
        #expect(FrameTests.refusal(large[0], &third) == .tooMuchUnfinished)
        for packet in small.dropLast() { #expect(try FrameTests.message(packet, &third) == nil) }
        #expect(try FrameTests.message(small[small.count - 1], &third) != nil)
        // One that is whole, and that nobody has any more, makes room; so does one that is given up.
        for packet in large[1...].dropLast() { #expect(try FrameTests.message(packet, &first) == nil) }
        #expect(try FrameTests.message(large[large.count - 1], &first) != nil)
        #expect(try FrameTests.message(large[0], &third) == nil)
        #expect(FrameTests.refusal(large[0], &first) == .tooMuchUnfinished)
        #expect(FrameTests.refusal(small[1], &second) == .wrongPacket)
        #expect(try FrameTests.message(large[0], &first) == nil)
    }
}
