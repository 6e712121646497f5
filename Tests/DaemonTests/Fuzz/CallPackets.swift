// SPDX-License-Identifier: Apache-2.0

internal import KeychainWire

/// The packets of a call whose bytes need not be any.
enum CallPackets {
    /// Those of a message, with headers that say what is so.
    static func of(_ message: [UInt8]) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        var offset = 0
        repeat {
            let count = min(message.count - offset, WireFrame.largestContent)
            let header = header(of: message, total: message.count, offset: offset)
            packets.append(header + message[offset..<offset + count])
            offset += count
        } while offset < message.count
        return packets
    }

    /// The first packet of a message that is announced to be longer than it ever becomes.
    static func half(of message: [UInt8]) -> [UInt8] {
        let content = [UInt8](repeating: 0, count: WireFrame.largestContent)
        return header(of: message, total: 2 * content.count, offset: 0) + content
    }

    private static func header(of message: [UInt8], total: Int, offset: Int) -> [UInt8] {
        let more: UInt8 = total - offset > WireFrame.largestContent ? 1 : 0
        let sizes = [total, offset].flatMap { size in [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) } }
        // Of the number that the message says itself, where it says one.
        return [0x4C, WireVersion.current, 1, more] + sizes + number(of: message)
    }

    private static func number(of message: [UInt8]) -> [UInt8] {
        guard case .branch(_, let parts)? = ElementTree.parse(message[...])?.0, parts.count > 1,
            case .leaf(0x02, let bytes) = parts[1], bytes.count <= 8, let first = bytes.first
        else { return [0, 0, 0, 0, 0, 0, 0, 1] }
        return [UInt8](repeating: first & 0x80 == 0 ? 0 : 0xFF, count: 8 - bytes.count) + bytes
    }
}
