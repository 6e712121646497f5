// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed
import Testing

@Suite struct FrameTests {
    /// A reply with a secret so large that it takes several packets.
    static func reply(_ number: UInt64, _ size: Int, _ seed: inout Seed) -> WireMessage {
        let start = seed.next()
        let secret = SecretValue(copying: (0..<size).map { UInt8(truncatingIfNeeded: start &+ UInt64($0 / 7)) })
        return WireMessage(number: number, .reply(.secret(secret)))
    }

    static func packets(_ message: WireMessage) throws -> [[UInt8]] {
        let bytes = try message.bytes()
        return try FrameSplitter(message, total: bytes.count).map { frame in
            var header = [UInt8](repeating: 0, count: WireFrame.headerSize)
            header.withUnsafeMutableBytes { frame.write(to: $0) }
            return header + bytes[frame.range]
        }
    }

    /// A call that is one packet.
    static func packet() throws -> [UInt8] {
        try #require(packets(WireMessage(number: 1, .call(.means))).first)
    }

    static func message(
        _ packet: [UInt8], _ assembler: inout FrameAssembler
    ) throws(WireError) -> WireMessage? {
        do {
            return try packet.withUnsafeBytes { try assembler.arrival(with: $0) }?.message.get()
        } catch let error as WireError { throw error } catch { throw .malformed }
    }

    static func refusal(_ packet: [UInt8], _ assembler: inout FrameAssembler) -> WireError? {
        do throws(WireError) {
            _ = try message(packet, &assembler)
            return nil
        } catch { return error }
    }

    @Test(
        "a message of any size arrives in packets that a socket takes",
        arguments: [0, 65_000, 65_516, 65_536, 131_000, 300_000, 2_000_000])
    func sizes(size: Int) throws {
        var seed = Seed(for: "FrameTests.sizes \(size)")
        let message = Self.reply(5, size, &seed)
        var assembler = FrameAssembler(receiving: .reply)
        let packets = try Self.packets(message)
        #expect(packets.allSatisfy { $0.count <= 65_536 })
        for packet in packets.dropLast() { #expect(try Self.message(packet, &assembler) == nil) }
        let last = try #require(packets.last)
        let arrived = try #require(try Self.message(last, &assembler))
        #expect(try arrived.bytes() == message.bytes())
    }

    @Test("packets of several messages may alternate")
    func alternating() throws {
        var seed = Seed(for: "FrameTests.alternating")
        let messages = (0..<5).map { Self.reply($0, 100_000 + 50_000 * Int($0), &seed) }
        var waiting = try messages.map { try Self.packets($0) }
        var assembler = FrameAssembler(receiving: .reply)
        var arrived: [UInt64: [UInt8]] = [:]
        while let index = waiting.indices.filter({ !waiting[$0].isEmpty }).randomElement(using: &seed) {
            if let message = try Self.message(waiting[index].removeFirst(), &assembler) {
                arrived[message.number] = try message.bytes()
            }
        }
        for message in messages { #expect(try arrived[message.number] == message.bytes()) }
    }

    @Test("a packet out of order, twice, or of another message is refused")
    func order() throws {
        var seed = Seed(for: "FrameTests.order")
        let packets = try Self.packets(Self.reply(1, 200_000, &seed))
        let longer = try Self.packets(Self.reply(1, 250_000, &seed))
        for (first, second) in [(packets[0], packets[2]), (packets[0], packets[0]), (packets[0], longer[1])] {
            var assembler = FrameAssembler(receiving: .reply)
            #expect(try Self.message(first, &assembler) == nil)
            #expect(Self.refusal(second, &assembler) == .wrongPacket)
            // Nothing is kept after that.
            #expect(Self.refusal(packets[1], &assembler) == .wrongPacket)
        }
        var assembler = FrameAssembler(receiving: .reply)
        #expect(Self.refusal(packets[1], &assembler) == .wrongPacket)
    }

    @Test("a side takes one kind of message alone, and under its own number")
    func kinds() throws {
        let packet = try Self.packet()
        var calls = FrameAssembler(receiving: .call)
        var replies = FrameAssembler(receiving: .reply)
        #expect(try Self.message(packet, &calls) != nil)
        #expect(Self.refusal(packet, &replies) == .wrongPacket)
        var disguised = packet
        disguised[2] = 2
        #expect(Self.refusal(disguised, &replies) == .wrongPacket)
        var renumbered = packet
        renumbered[19] ^= 1
        #expect(Self.refusal(renumbered, &calls) == .wrongPacket)
    }

    @Test("what is no message in whole packets has a number, and others come after it")
    func noMessage() throws {
        var assembler = FrameAssembler(receiving: .call)
        var packet = try Self.packet()
        packet[25] ^= 1
        let arrival = try packet.withUnsafeBytes { try assembler.arrival(with: $0) }
        #expect(arrival?.number == 1)
        #expect(throws: WireError.self) { try arrival?.message.get() }
        #expect(try Self.message(Self.packet(), &assembler) != nil)
    }

    @Test("a packet with any other header is refused", arguments: 0..<12)
    func header(index: Int) throws {
        let packet = try Self.packet()
        for difference in 1...UInt8.max {
            var changed = packet
            changed[index] ^= difference
            var assembler = FrameAssembler(receiving: .call)
            #expect(Self.refusal(changed, &assembler) != nil)
        }
    }

    @Test("a packet that is too long, too short or not full is refused")
    func length() throws {
        var seed = Seed(for: "FrameTests.length")
        let packets = try Self.packets(Self.reply(1, 100_000, &seed))
        for packet in packets {
            for changed in [packet + [0], Array(packet.dropLast()), Array(packet[..<19]), Array(packet[..<20]), []] {
                var assembler = FrameAssembler(receiving: .reply)
                #expect(Self.refusal(changed, &assembler) == .wrongPacket)
            }
        }
    }

    @Test("more unfinished messages, or larger ones, than are kept are refused")
    func bounds() throws {
        var seed = Seed(for: "FrameTests.bounds")
        let packets = try (0..<4).map { try Self.packets(Self.reply($0, 100_000, &seed)) }
        var few = FrameAssembler(receiving: .reply, messages: 3)
        for packet in packets[..<3] { #expect(try Self.message(packet[0], &few) == nil) }
        #expect(Self.refusal(packets[3][0], &few) == .tooMuchUnfinished)
        var small = FrameAssembler(receiving: .reply, bytes: 250_000)
        for packet in packets[..<2] { #expect(try Self.message(packet[0], &small) == nil) }
        #expect(try Self.message(packets[0][1], &small) != nil)
        #expect(try Self.message(packets[2][0], &small) == nil)
        #expect(Self.refusal(packets[3][0], &small) == .tooMuchUnfinished)
    }

    @Test("nothing larger than a message may be is sent or announced")
    func tooLarge() throws {
        let message = WireMessage(number: 1, .call(.means))
        #expect(throws: WireError.tooLarge) { _ = try FrameSplitter(message, total: WireLimits.message + 1) }
        let packet = [0x4C, 1, 1, 1, 4, 0, 0, 1] + [UInt8](repeating: 0, count: 65_528)
        var assembler = FrameAssembler(receiving: .call)
        #expect(Self.refusal(packet, &assembler) == .tooLarge)
        let zeros = SecretValue(copying: [UInt8](repeating: 0, count: WireLimits.message))
        let secret = WireMessage(number: 1, .reply(.secret(zeros)))
        #expect(throws: WireError.tooLarge) { try secret.bytes() }
    }
}
