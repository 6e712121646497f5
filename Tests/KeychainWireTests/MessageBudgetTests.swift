// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainWire
import TestSeed
import Testing

@Suite struct MessageBudgetTests {
    /// Gives an assembler packets of an unfinished message.
    private func take(_ packets: some Sequence<[UInt8]>, _ assembler: inout FrameAssembler) throws {
        for packet in packets { #expect(try FrameTests.message(packet, &assembler) == nil) }
    }

    @Test("large messages of all connections share one room, and small ones need none")
    func shared() throws {
        var seed = Seed(for: "MessageBudgetTests.shared")
        let large = try FrameTests.packets(FrameTests.reply(1, 3 << 20, &seed))
        let small = try FrameTests.packets(FrameTests.reply(2, 200_000, &seed))
        let budget = MessageBudget(bytes: 7 << 20, ofUser: 7 << 20).share(of: 1)
        var first = FrameAssembler(receiving: .reply, in: budget)
        var second = FrameAssembler(receiving: .reply, in: budget)
        var third = FrameAssembler(receiving: .reply, in: budget)
        try take(large.dropLast(), &first)
        try take(large.dropLast(), &second)
        // What there is no room for is read to its end and refused under its number; the connection goes on.
        try take(large.dropLast(), &third)
        #expect(FrameTests.refusal(large[large.count - 1], &third) == .noRoom)
        for packet in small.dropLast() { #expect(try FrameTests.message(packet, &third) == nil) }
        #expect(try FrameTests.message(small[small.count - 1], &third) != nil)
        // One that is whole, and that nobody has any more, makes room; so does one that is given up.
        #expect(try FrameTests.message(large[large.count - 1], &first) != nil)
        try take(large.dropLast(), &third)
        #expect(try FrameTests.message(large[large.count - 1], &third) != nil)
        try take(large.dropLast(), &third)
        #expect(FrameTests.refusal(small[1], &second) == .wrongPacket)
        try take(large.dropLast(), &first)
        #expect(try FrameTests.message(large[large.count - 1], &first) != nil)
        #expect(try FrameTests.message(large[large.count - 1], &third) != nil)
    }

    @Test("what was announced takes no room, and what has come does")
    func received() throws {
        var seed = Seed(for: "MessageBudgetTests.received")
        let huge = try FrameTests.packets(FrameTests.reply(1, 60 << 20, &seed))
        let large = try FrameTests.packets(FrameTests.reply(2, 3 << 20, &seed))
        let budget = MessageBudget(bytes: 8 << 20, ofUser: 8 << 20).share(of: 1)
        // Each announces 60 MiB, and sends one packet.
        for _ in 0..<100 {
            var slow = FrameAssembler(receiving: .reply, in: budget)
            try take(huge.prefix(1), &slow)
            var other = FrameAssembler(receiving: .reply, in: budget)
            try take(large.dropLast(), &other)
            #expect(try FrameTests.message(large[large.count - 1], &other) != nil)
        }
        var one = FrameAssembler(receiving: .reply, in: budget)
        try take(huge.prefix(100), &one)
        var other = FrameAssembler(receiving: .reply, in: budget)
        try take(large.dropLast(), &other)
        #expect(FrameTests.refusal(large[large.count - 1], &other) == .noRoom)
    }

    @Test("who has some of the room leaves as much to those who have none, so nobody comes too late")
    func newcomers() {
        let budget = MessageBudget(bytes: 512 << 20, ofUser: 128 << 20)
        var places: [MessageBudget.Reservation] = []
        for user in UInt32(0)..<8 {
            let share = budget.share(of: user)
            while let place = share.place(for: 4 << 20) { places.append(place) }
            #expect(places.count <= 127)
        }
        // After eight who take all that they can get.
        #expect(budget.share(of: 100).place(for: 2 << 20) != nil)
    }

    @Test("an answer is counted while it is made, once")
    func growing() throws {
        let share = MessageBudget(bytes: 512 << 20, ofUser: 128 << 20).share(of: 1)
        let place = share.place()
        for megabytes in 1...128 { #expect(place.grow(to: megabytes << 20)) }
        #expect(!place.grow(to: 129 << 20))
        #expect(share.place(for: 2 << 20) == nil)
    }

    @Test("one user has a share, and the rest is for others")
    func share() throws {
        var seed = Seed(for: "MessageBudgetTests.share")
        let large = try FrameTests.packets(FrameTests.reply(1, 3 << 20, &seed))
        let budget = MessageBudget(bytes: 20 << 20, ofUser: 7 << 20)
        let hostile = budget.share(of: 1)
        var first = FrameAssembler(receiving: .reply, in: hostile)
        var second = FrameAssembler(receiving: .reply, in: hostile)
        var third = FrameAssembler(receiving: .reply, in: hostile)
        try take(large.dropLast(), &first)
        try take(large.dropLast(), &second)
        try take(large.dropLast(), &third)
        #expect(FrameTests.refusal(large[large.count - 1], &third) == .noRoom)
        var other = FrameAssembler(receiving: .reply, in: budget.share(of: 2))
        try take(large.dropLast(), &other)
        #expect(try FrameTests.message(large[large.count - 1], &other) != nil)
        // What is sent counts as well.
        let place = budget.share(of: 2).place(for: 7 << 20)
        #expect(place != nil)
        #expect(budget.share(of: 2).place(for: 2 << 20) == nil)
        #expect(budget.share(of: 2).place(for: 1 << 20) != nil)
        withExtendedLifetime(place) {}
    }

    @Test("why there is no room is said so that a person can do something")
    func words() {
        let error = KeychainError(.noRoom as WireError)
        #expect(error.reason == .notAvailable)
        #expect(error.text.contains("try again"))
    }
}
