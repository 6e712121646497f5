// SPDX-License-Identifier: Apache-2.0

/// What stands before the bytes of each packet.
///
/// A message goes over a socket that keeps packets apart and in order. All packets of a message but the last are full.
/// As bytes, numbers most significant first: `L`, version, kind, 1 when more follow and else 0, total and offset (four
/// bytes each), number of the request (eight).
package struct WireFrame: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        case call = 1
        case reply = 2
    }

    package let kind: Kind
    /// The number of the message.
    package let number: UInt64
    /// The size of the message.
    package let total: Int
    /// Where in it the bytes of this packet belong.
    package let offset: Int
    package let moreFollow: Bool

    package static let headerSize = 20
    package static let largestPacket = 65_536
    package static let largestContent = largestPacket - headerSize

    /// How many bytes of the message the packet has.
    package var contentSize: Int { min(total - offset, WireFrame.largestContent) }

    /// The part of a message that begins at `offset`, which is inside it.
    init(_ kind: Kind, number: UInt64, total: Int, offset: Int) {
        self.kind = kind
        self.number = number
        self.total = total
        self.offset = offset
        moreFollow = total - offset > WireFrame.largestContent
    }

    /// Reads what a packet begins with, and refuses a packet that says of itself what is not so.
    package init(decoding packet: UnsafeRawBufferPointer) throws(WireError) {
        guard packet.count >= WireFrame.headerSize, packet.count <= WireFrame.largestPacket,
            unsafe packet[0] == WireFrame.magic
        else { throw .wrongPacket }
        guard unsafe packet[1] == WireVersion.current else { throw .wrongVersion }
        guard let kind = unsafe Kind(rawValue: packet[2]), unsafe packet[3] <= 1 else { throw .unknownNumber }
        let total = unsafe Int(WireFrame.number(packet[4..<8]))
        let offset = unsafe Int(WireFrame.number(packet[8..<12]))
        guard total <= WireLimits.message else { throw .tooLarge }
        guard offset < total else { throw .wrongPacket }
        unsafe self.init(kind, number: WireFrame.number(packet[12..<20]), total: total, offset: offset)
        guard unsafe moreFollow == (packet[3] == 1), packet.count == WireFrame.headerSize + contentSize else {
            throw .wrongPacket
        }
    }

    /// Writes the header into `memory`, which has that many bytes or more.
    package func write(to memory: UnsafeMutableRawBufferPointer) {
        precondition(memory.count >= WireFrame.headerSize, "there is no room for the header of a packet")
        unsafe memory[0] = WireFrame.magic
        unsafe memory[1] = WireVersion.current
        unsafe memory[2] = kind.rawValue
        unsafe memory[3] = moreFollow ? 1 : 0
        let size = UInt64(total) << 32 | UInt64(offset)
        for index in 0..<8 {
            unsafe memory[4 + index] = UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * index))
            unsafe memory[12 + index] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * index))
        }
    }

    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// `L`.
    private static let magic: UInt8 = 0x4C
}

/// The packets of one message, in the order in which they are to be sent.
///
/// Each says what its header is and which bytes of the message come behind it, so that both can be sent from where they
/// are.
package struct FrameSplitter: Sequence, IteratorProtocol, Sendable {
    private let kind: WireFrame.Kind
    private let number: UInt64
    private let total: Int
    private var offset = 0

    /// The packets of an encoded message of `total` bytes; `.tooLarge` when no receiver would accept it.
    package init(_ message: WireMessage, total: Int) throws(WireError) {
        guard total <= WireLimits.message else { throw .tooLarge }
        number = message.number
        kind = message.kind
        self.total = total
    }

    package mutating func next() -> WireFrame? {
        guard offset < total else { return nil }
        let frame = WireFrame(kind, number: number, total: total, offset: offset)
        offset += frame.contentSize
        return frame
    }
}

extension WireFrame {
    /// Which bytes of the message the packet has.
    package var range: Range<Int> { offset..<offset + contentSize }
}

extension WireMessage {
    package var kind: WireFrame.Kind {
        switch content {
        case .call: .call
        case .reply: .reply
        }
    }
}
