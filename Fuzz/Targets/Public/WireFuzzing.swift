// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainWire

/// What comes over the daemon's socket: a message, and a packet of one.
internal enum WireFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let message = bytes.withUnsafeBytes({ try? WireMessage(decoding: $0) }) else { return .refused }
        try promise(encoded(message) == bytes, "a message is written as it was read")
        return .accepted
    }

    private static func encoded(_ message: WireMessage) -> [UInt8]? {
        do { return try message.encoded().array } catch { return nil }
    }

    static func feedPacket(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var assembler = FrameAssembler(receiving: .call)
        let arrival = bytes.withUnsafeBytes { packet -> WireArrival? in try? assembler.arrival(with: packet) }
        return arrival == nil ? .refused : .accepted
    }
}
