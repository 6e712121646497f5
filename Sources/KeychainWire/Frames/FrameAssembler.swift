// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Puts the packets of one connection together again.
///
/// Packets of several messages may alternate; those of one come in order. When this throws, the sender of the packet is
/// not ours: nothing that was unfinished is kept, and the connection is to be closed.
package struct FrameAssembler: ~Copyable, Sendable {
    private let kind: WireFrame.Kind
    private let mostMessages: Int
    private let mostBytes: Int
    private let budget: MessageBudget.Share?
    private var unfinished: [UInt64: WireBuffer] = [:]
    /// What the unfinished messages will have when they are whole.
    private var announced = 0

    /// Takes messages of one kind, as each side of a connection gets one alone.
    ///
    /// At most `messages` of more than one packet are kept, that announce at most `bytes` together. One for which `budget` has
    /// no place is read to its end and refused.
    package init(
        receiving kind: WireFrame.Kind, messages: Int = 8, bytes: Int = 2 * WireLimits.message,
        in budget: MessageBudget.Share? = nil
    ) {
        self.budget = budget
        self.kind = kind
        mostMessages = messages
        mostBytes = bytes
    }

    /// Lends the message that a packet completes, with its number, or nil in its place when the budget was used up; nil
    /// when more has to come.
    ///
    /// A message of one packet is lent where the packet lies.
    package mutating func receive<Result>(
        _ packet: UnsafeRawBufferPointer,
        _ body: (UInt64, UnsafeRawBufferPointer?, MessageBudget.Reservation?) -> Result
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
        let buffer = WireBuffer(total: frame.total, in: budget)
        unfinished[frame.number] = buffer
        announced += frame.total
        return buffer
    }
}

/// A message that came whole, or why it is invalid: its number is known, so that it can be answered either way.
package struct WireArrival: Sendable {
    package let number: UInt64
    package let message: Result<WireMessage, WireError>
    /// How many bytes it was.
    package let size: Int
    /// A large one's share of the budget, for the lifetime of this object.
    private let place: MessageBudget.Reservation?

    init(number: UInt64, message: Result<WireMessage, WireError>, size: Int, place: MessageBudget.Reservation?) {
        self.size = size
        self.number = number
        self.message = message
        self.place = place
    }
}

/// Bytes of a message of which not all are here: they may be secrets, so they are wiped wherever they were.
///
/// It grows with what comes, not with what was announced. When the budget is used up, it keeps nothing and only counts.
// Sendable: the one assembler that made it has the only reference, and an assembler cannot be copied.
@safe
final class WireBuffer: @unchecked Sendable {
    // Safe: `count` bytes of `capacity` are written, and nothing outside is touched.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    let total: Int
    /// The message's share of the budget; nil when it needs none, or the budget was used up.
    private(set) var place: MessageBudget.Reservation?
    /// Whether the budget was used up, and nothing is kept.
    private(set) var isGivenUp = false

    /// Room for a message of `total` bytes, to be.
    init(total: Int, in share: MessageBudget.Share?) {
        place = share?.place(for: 0)
        self.total = total
        capacity = min(total, 2 * WireFrame.largestContent)
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { release() }

    /// Appends what is not more than still belongs to the message.
    func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= total - count, "a packet is longer than its message")
        if place?.grow(to: count + bytes.count) == false { giveUp() }
        guard !isGivenUp else {
            count += bytes.count
            return
        }
        if capacity - count < bytes.count { grow(to: min(total, max(2 * capacity, count + bytes.count))) }
        unsafe UnsafeMutableRawBufferPointer(start: memory + count, count: bytes.count).copyMemory(from: bytes)
        count += bytes.count
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    private func grow(to newCapacity: Int) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
        unsafe larger.copyMemory(from: memory, byteCount: count)
        release()
        unsafe memory = larger
        capacity = newCapacity
    }

    private func giveUp() {
        release()
        unsafe memory = .allocate(byteCount: 1, alignment: 16)
        (capacity, place, isGivenUp) = (0, nil, true)
    }

    private func release() {
        unsafe llv_wipe(memory, min(count, capacity))
        unsafe memory.deallocate()
    }
}
