// SPDX-License-Identifier: Apache-2.0

/// Puts the packets of one connection together again.
///
/// Packets of several messages may alternate; those of one come in order. When this throws, whoever sent the packet is
/// not ours: nothing that was unfinished is kept, and the connection is to be closed.
package struct FrameAssembler: ~Copyable, Sendable {
    private let kind: WireFrame.Kind
    private let mostMessages: Int
    private let mostBytes: Int
    private var unfinished: [UInt64: WireBuffer] = [:]
    /// What the unfinished messages will have when they are whole.
    private var announced = 0

    /// Takes messages of one kind, as each side of a connection gets one alone.
    ///
    /// At most `messages` of more than one packet are kept, that announce at most `bytes` together.
    package init(receiving kind: WireFrame.Kind, messages: Int = 8, bytes: Int = 2 * WireLimits.message) {
        self.kind = kind
        mostMessages = messages
        mostBytes = bytes
    }

    /// Lends the message that a packet completes, with its number; nil when more has to come.
    ///
    /// A message of one packet is lent where the packet lies.
    package mutating func receive<Result, Failure: Error>(
        _ packet: UnsafeRawBufferPointer,
        _ body: (UInt64, UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(FrameFailure<Failure>) -> Result? {
        let frame: WireFrame
        let buffer: WireBuffer?
        let content: UnsafeRawBufferPointer
        do throws(WireError) {
            frame = try unsafe WireFrame(decoding: packet)
            unsafe content = unsafe UnsafeRawBufferPointer(rebasing: packet[WireFrame.headerSize...])
            buffer = try self.buffer(for: frame)
        } catch {
            unfinished = [:]
            announced = 0
            throw .frame(error)
        }
        do throws(Failure) {
            guard let buffer else { return try unsafe body(frame.number, content) }
            unsafe buffer.append(content)
            if frame.moreFollow { return nil }
            unfinished[frame.number] = nil
            announced -= frame.total
            return try unsafe buffer.withUnsafeBytes { (bytes) throws(Failure) in
                try unsafe body(frame.number, bytes)
            }
        } catch { throw .message(error) }
    }

    /// The message that a packet completes; nil when more has to come.
    package mutating func message(from packet: UnsafeRawBufferPointer) throws(WireError) -> WireMessage? {
        let kind = kind
        do throws(FrameFailure<WireError>) {
            return try unsafe receive(packet) { (number, bytes) throws(WireError) in
                let message = try unsafe WireMessage(decoding: bytes)
                guard message.number == number, message.kind == kind else { throw .wrongPacket }
                return message
            }
        } catch {
            switch error {
            case .frame(let error), .message(let error): throw error
            }
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
        let buffer = WireBuffer(total: frame.total)
        unfinished[frame.number] = buffer
        announced += frame.total
        return buffer
    }
}

/// Whose fault it was: the packets', after which nothing more can be read, or that of one message.
package enum FrameFailure<Failure: Error>: Error {
    case frame(WireError)
    case message(Failure)
}
