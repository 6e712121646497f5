// SPDX-License-Identifier: Apache-2.0

/// Puts the packets of one connection together again.
///
/// Packets of several messages may alternate; those of one come in order. When this throws, whoever sent the packet is
/// not ours: nothing that was unfinished is kept, and the connection is to be closed.
package struct FrameAssembler: ~Copyable, Sendable {
    private let kind: WireFrame.Kind
    private let mostMessages: Int
    private let mostBytes: Int
    private let room: MessageRoom.Share?
    private var unfinished: [UInt64: WireBuffer] = [:]
    /// What the unfinished messages will have when they are whole.
    private var announced = 0

    /// Takes messages of one kind, as each side of a connection gets one alone.
    ///
    /// At most `messages` of more than one packet are kept, that announce at most `bytes` together. One for which `room` has
    /// no place is read to its end and refused.
    package init(
        receiving kind: WireFrame.Kind, messages: Int = 8, bytes: Int = 2 * WireLimits.message,
        in room: MessageRoom.Share? = nil
    ) {
        self.room = room
        self.kind = kind
        mostMessages = messages
        mostBytes = bytes
    }

    /// Lends the message that a packet completes, with its number, or nil in its place when there was no room for it; nil
    /// when more has to come.
    ///
    /// A message of one packet is lent where the packet lies.
    package mutating func receive<Result>(
        _ packet: UnsafeRawBufferPointer, _ body: (UInt64, UnsafeRawBufferPointer?, MessageRoom.Place?) -> Result
    ) throws(WireError) -> Result? {
        let frame: WireFrame
        let buffer: WireBuffer?
        do throws(WireError) {
            frame = try unsafe WireFrame(decoding: packet)
            buffer = try self.buffer(for: frame)
        } catch {
            unfinished = [:]
            announced = 0
            throw error
        }
        let content = unsafe UnsafeRawBufferPointer(rebasing: packet[WireFrame.headerSize...])
        guard let buffer else { return unsafe body(frame.number, content, nil) }
        unsafe buffer.append(content)
        if frame.moreFollow { return nil }
        unfinished[frame.number] = nil
        announced -= frame.total
        if buffer.isGivenUp { return body(frame.number, nil, nil) }
        return unsafe buffer.withUnsafeBytes { bytes in unsafe body(frame.number, bytes, buffer.place) }
    }

    /// What a packet completes; nil when more has to come.
    package mutating func arrival(with packet: UnsafeRawBufferPointer) throws(WireError) -> WireArrival? {
        let kind = kind
        return try unsafe receive(packet) { (number, bytes, place) in
            do throws(WireError) {
                guard let bytes = unsafe bytes else { throw .noRoom }
                let message = try unsafe WireMessage(decoding: bytes)
                guard message.number == number, message.kind == kind else { throw .wrongPacket }
                return WireArrival(number: number, message: .success(message), size: bytes.count, place: place)
            } catch { return WireArrival(number: number, message: .failure(error), size: 0, place: place) }
        }
    }

    /// Where the bytes of a packet go; nil when it is a whole message.
    private mutating func buffer(for frame: WireFrame) throws(WireError) -> WireBuffer? {
        guard frame.kind == kind else { throw .wrongPacket }
        if let buffer = unfinished[frame.number] {
            guard buffer.total == frame.total, buffer.count == frame.offset else { throw .wrongPacket }
            return buffer
        }
        guard frame.offset == 0 else { throw .wrongPacket }
        guard frame.moreFollow else { return nil }
        guard unfinished.count < mostMessages, frame.total <= mostBytes - announced else { throw .tooMuchUnfinished }
        let buffer = WireBuffer(total: frame.total, in: room)
        unfinished[frame.number] = buffer
        announced += frame.total
        return buffer
    }
}

/// A message that came whole, or why it is none: its number is known, so that it can be answered either way.
package struct WireArrival: Sendable {
    package let number: UInt64
    package let message: Result<WireMessage, WireError>
    /// How many bytes it was.
    package let size: Int
    /// What a large one takes of the room there is, until nobody has this any more.
    private let place: MessageRoom.Place?

    init(number: UInt64, message: Result<WireMessage, WireError>, size: Int, place: MessageRoom.Place?) {
        self.size = size
        self.number = number
        self.message = message
        self.place = place
    }
}
