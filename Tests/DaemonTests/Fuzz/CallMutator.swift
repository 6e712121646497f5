// SPDX-License-Identifier: Apache-2.0

internal import KeychainWire
internal import TestSeed

/// Calls that nobody made, out of such as were recorded.
struct CallMutator {
    /// Packets to send, and whether their headers are right, so that there is an answer.
    struct Mutant {
        let packets: [[UInt8]]
        let isFramed: Bool
    }

    /// A recorded call: the elements of its head, and the secrets behind it.
    private struct Call {
        let head: ElementTree
        let secrets: [UInt8]
    }

    private let calls: [Call]
    private var seed: Seed

    init(_ recorded: [[UInt8]], _ seed: Seed) {
        calls = recorded.compactMap { bytes in
            ElementTree.parse(bytes[...]).map { Call(head: $0, secrets: Array(bytes.dropFirst($1))) }
        }
        self.seed = seed
    }

    mutating func next() -> Mutant {
        let call = seed.pick(calls)
        switch seed.next() % 16 {
        case 0: return raw(call)
        case 1, 2: return framed(bytesChanged(call.head.encoded + call.secrets))
        case 3...10:
            // Parts of other calls in the places that they have there: these get furthest.
            var head = call.head
            for _ in 0...seed.next() % 4 { head = crossed(head, with: seed.pick(calls).head) }
            if seed.oneIn(4) { head = elementChanged(head) }
            return framed(head.encoded + call.secrets)
        default:
            var head = call.head
            var secrets = call.secrets
            for _ in 0...seed.next() % 2 { head = elementChanged(head) }
            if seed.oneIn(8) { secrets = bytesChanged(secrets) }
            return framed(head.encoded + secrets)
        }
    }

    /// Exchanges, drops, doubles, moves or changes one element, and leaves all others whole.
    private mutating func elementChanged(_ head: ElementTree) -> ElementTree {
        // Not the whole, nor what every message begins with: its version, its number and its kind.
        guard head.count > 5 else { return head }
        let index = 4 + Int(seed.next() % UInt64(head.count - 4))
        let other = seed.pick(calls).head
        let changed: [ElementTree]
        switch seed.next() % 8 {
        case 0: changed = head.replacing(index) { _ in [] }
        case 1: changed = head.replacing(index) { [$0, $0] }
        case 2, 3:
            // An element of the same kind of this call or of another one.
            let wanted = head[index].map(CallMutator.tag)
            let source = seed.oneIn(2) ? other : head
            let places = (0..<source.count).filter { source[$0].map(CallMutator.tag) == wanted }
            guard !places.isEmpty, let element = source[seed.pick(places)] else { return head }
            changed = head.replacing(index) { _ in [element] }
        case 4:
            guard let element = other[Int(seed.next() % UInt64(other.count))] else { return head }
            changed = head.replacing(index) { [element, $0] }
        default:
            guard let element = head[index] else { return head }
            let replacement = changedLeaf(element)
            changed = head.replacing(index) { _ in [replacement] }
        }
        return changed.first ?? head
    }

    /// The elements of one with one of the other's in the same place, as deep in it as both go together.
    private mutating func crossed(_ one: ElementTree, with other: ElementTree) -> ElementTree {
        guard case .branch(let tag, var children) = one, case .branch(_, let others) = other,
            !children.isEmpty, !others.isEmpty
        else { return CallMutator.tag(one) == CallMutator.tag(other) || seed.oneIn(4) ? other : one }
        if children.count != others.count, seed.oneIn(3) { return other }
        let index = Int(seed.next() % UInt64(min(children.count, others.count)))
        children[index] = seed.oneIn(6) ? others[index] : crossed(children[index], with: others[index])
        return .branch(tag: tag, children)
    }

    private static func tag(_ element: ElementTree) -> UInt8 {
        switch element {
        case .leaf(let tag, _), .branch(let tag, _): tag
        }
    }

    private mutating func changedLeaf(_ element: ElementTree) -> ElementTree {
        switch element {
        case .branch(let tag, let children): return .branch(tag: tag, children.shuffled(using: &seed))
        case .leaf(WireBytes.number, _):
            let numbers: [[UInt8]] = [
                [0], [1], [2], [3], [4], [5], [0xFF], [0x7F], [0x00, 0x80], [0x10, 0x00], [0x7F, 0xFF, 0xFF, 0xFF],
                [0x80, 0, 0, 0, 0, 0, 0, 0], [UInt8(seed.next() % 0x80)],
            ]
            return .leaf(tag: WireBytes.number, seed.pick(numbers))
        case .leaf(WireBytes.boolean, _): return .leaf(tag: WireBytes.boolean, [seed.oneIn(2) ? 1 : 0])
        case .leaf(let tag, let content):
            switch seed.next() % 4 {
            case 0: return .leaf(tag: tag, [])
            case 1: return .leaf(tag: tag, content + content)
            case 2:
                // What it is stays what it is: letters stay letters.
                let letters = content.map { byte in seed.oneIn(4) ? 0x20 + UInt8(seed.next() % 0x5F) : byte }
                return .leaf(tag: tag, letters)
            default: return .leaf(tag: tag, bytesChanged(content))
            }
        }
    }

    private enum WireBytes {
        static let boolean: UInt8 = 0x01
        static let number: UInt8 = 0x02
        static let data: UInt8 = 0x04
        static let string: UInt8 = 0x0C
    }

    /// Flips bits, cuts, doubles or moves parts, or puts a part of another call there.
    private mutating func bytesChanged(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [UInt8(seed.next() & 0xFF)] }
        var bytes = bytes
        let start = Int(seed.next() % UInt64(bytes.count))
        let end = start + Int(seed.next() % UInt64(min(bytes.count - start, 64) + 1))
        switch seed.next() % 6 {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: end)
        case 2: bytes = Array(bytes[..<start])
        case 3:
            let other = seed.pick(calls).head.encoded
            let from = Int(seed.next() % UInt64(other.count))
            bytes.replaceSubrange(start..<end, with: other[from..<min(other.count, from + end - start)])
        default:
            for _ in 0...seed.next() % 4 {
                bytes[Int(seed.next() % UInt64(bytes.count))] ^= 1 << UInt8(seed.next() % 8)
            }
        }
        return bytes
    }

    /// The packets of a message, with headers that say what is so.
    private func framed(_ message: [UInt8]) -> Mutant {
        Mutant(packets: CallPackets.of(message), isFramed: !message.isEmpty)
    }

    /// Packets whose headers are changed too, or which come doubled or in another order.
    private mutating func raw(_ call: Call) -> Mutant {
        var packets = framed(call.head.encoded + call.secrets).packets
        let other = seed.pick(calls)
        switch seed.next() % 4 {
        case 0: packets += framed(other.head.encoded + other.secrets).packets.shuffled(using: &seed)
        case 1: packets = packets.map { Array($0.prefix(20)) + bytesChanged(Array($0.dropFirst(20))) }
        default:
            packets = packets.map { packet in
                var header = Array(packet.prefix(20))
                for _ in 0...seed.next() % 3 { header[Int(seed.next() % 20)] = UInt8(seed.next() & 0xFF) }
                return header + packet.dropFirst(20)
            }
        }
        return Mutant(packets: packets.filter { !$0.isEmpty }, isFramed: false)
    }
}
