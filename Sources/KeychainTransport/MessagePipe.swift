// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CPeer
internal import Glibc
package import KeychainIdentity
internal import KeychainModel
package import KeychainSystem
package import KeychainWire

/// Messages over a socket that keeps packets apart; one thread sends and receives.
package final class MessagePipe {
    /// What comes next, from an allowed sender; waits for it for ever, or not at all.
    package typealias Receive = (UnsafeMutableRawBufferPointer, _ waits: Bool) throws(PeerError) -> Peer.Received

    private let socket: OwnedDescriptor
    private let memory = PacketMemory()
    private var assembler: FrameAssembler
    private var shortWait = ShortWait()
    private let budget: MessageBudget.Share?

    /// Large messages, in both directions, find a place in `budget` or are refused; none of several packets is received that is
    /// larger than `largest`.
    package init(
        _ socket: OwnedDescriptor, receiving kind: WireFrame.Kind, largest: Int = WireLimits.message,
        in budget: MessageBudget.Share? = nil
    ) {
        self.socket = socket
        self.budget = budget
        assembler = FrameAssembler(receiving: kind, messages: 1, bytes: largest, in: budget)
    }

    /// Sends a whole message; a receiver that does not read it in time is given up.
    ///
    /// It is counted in `place`, where it has one.
    package func send(
        _ message: WireMessage, _ pace: MessagePace, in place: MessageBudget.Reservation? = nil
    ) throws(TransportError) {
        let bytes = try encoded(message)
        // A slow reader keeps all of it here.
        let place = place ?? budget?.place()
        guard place?.grow(to: bytes.count) ?? true else { throw .message(.noRoom) }
        defer { withExtendedLifetime(place) {} }
        let frames: FrameSplitter
        do throws(WireError) { frames = try FrameSplitter(message, total: bytes.count) } catch { throw .message(error) }
        let deadline = Instant(inMilliseconds: pace.message)
        for frame in frames { try send(frame, of: bytes, deadline.remaining(atMost: pace.packet)) }
        WireTrace.sent(message, size: bytes.count)
    }

    private func encoded(_ message: WireMessage) throws(TransportError) -> SecretBytes {
        do throws(WireError) { return try message.encoded() } catch { throw .message(error) }
    }

    private func send(
        _ frame: WireFrame, of bytes: borrowing SecretBytes, _ milliseconds: Int32
    ) throws(TransportError) {
        try unsafe bytes.withUnsafeBytes { (bytes) throws(TransportError) in
            try unsafe memory.lend { (packet, used) throws(TransportError) in
                used = WireFrame.headerSize + frame.range.count
                unsafe frame.write(to: packet)
                unsafe UnsafeMutableRawBufferPointer(rebasing: packet[WireFrame.headerSize..<used])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[frame.range]))
                try unsafe send(UnsafeRawBufferPointer(rebasing: packet[..<used]), milliseconds)
            }
        }
    }

    private func send(_ packet: UnsafeRawBufferPointer, _ milliseconds: Int32) throws(TransportError) {
        guard let start = packet.baseAddress else { throw .connection(.malformed) }
        while true {
            let result = unsafe llv_peer_send(socket.number, start, packet.count, false)
            if result == 0 { return }
            guard result == -EAGAIN else {
                throw .connection(result == -EPIPE || result == -ECONNRESET ? .hungUp : .system(-result))
            }
            let ready = llv_peer_wait(socket.number, true, milliseconds)
            guard ready > 0 else { throw .connection(ready == 0 ? .congested : .system(-ready)) }
        }
    }

    /// The next whole message, or what is wrong with it; nil when the other side hung up between two.
    ///
    /// The first packet may take `idle` milliseconds, for ever when negative; from then on `pace` counts.
    package func receive(
        idle: Int32 = -1, _ pace: MessagePace, _ receive: Receive
    ) throws(TransportError) -> WireArrival? {
        var deadline: Instant?
        while true {
            let timeout = deadline?.remaining(atMost: pace.packet) ?? idle
            // Who has all the time asks for the packet at once: one call of the system less for every message.
            let waits = timeout < 0
            if !waits {
                let ready = llv_peer_wait(socket.number, false, timeout)
                guard ready > 0 else { throw .connection(ready == 0 ? .timedOut : .system(-ready)) }
            }
            let outcome = unsafe memory.lend { (packet, used) -> Result<WireArrival?, TransportError>? in
                do throws(PeerError) {
                    var received = Peer.Received.nothing
                    if waits {
                        _ = try shortWait.sees { () throws(PeerError) in
                            received = try unsafe receive(packet, false)
                            return received != .nothing
                        }
                    }
                    if received == .nothing { received = try unsafe receive(packet, waits) }
                    switch received {
                    case .nothing: return nil
                    case .hungUp:
                        used = 0
                        return .success(nil)
                    case .packet(let count): used = count
                    }
                } catch { return .failure(.connection(error)) }
                do throws(WireError) {
                    let arrival = try unsafe assembler.arrival(
                        with: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(packet)[..<used]))
                    return arrival.map { .success($0) }
                } catch { return .failure(.message(error)) }
            }
            if let outcome {
                let arrival = try outcome.get()
                if let arrival { WireTrace.received(arrival) }
                return arrival
            }
            // Of the whole message: who sends it byte by byte is no sooner to be waited for.
            if deadline == nil { deadline = Instant(inMilliseconds: pace.message) }
        }
    }
}

@available(*, unavailable)
extension MessagePipe: Sendable {}

/// How many milliseconds a message may take that was begun; for ever when negative.
package struct MessagePace: Sendable {
    /// Each of its packets.
    package var packet: Int32
    /// All of it.
    package var message: Int32

    package init(packet: Int32, message: Int32) {
        self.packet = packet
        self.message = message
    }
}

/// Why a message did not come, or did not go.
package enum TransportError: Error, Sendable, Equatable {
    /// The connection is of no use any more.
    case connection(PeerError)
    /// The bytes of a message are not a message of either side, or there are no bytes.
    case message(WireError)
}

/// Room for one packet, which may have secrets in it: wiped after each, and at the end.
// Not shared: one thread reads or writes with it.
@safe
package final class PacketMemory {
    // Safe: allocated here, of that size, and freed with its last reference.
    private let memory: UnsafeMutableRawPointer
    private let size = WireFrame.largestPacket

    package init() { unsafe memory = .allocate(byteCount: size, alignment: 16) }

    deinit {
        unsafe llv_wipe(memory, size)
        unsafe memory.deallocate()
    }

    /// Lends the whole of it; afterwards, as many bytes are wiped as `body` says it used.
    func lend<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer, inout Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var used = size
        defer { unsafe llv_wipe(memory, used) }
        return try unsafe body(UnsafeMutableRawBufferPointer(start: memory, count: size), &used)
    }
}

@available(*, unavailable)
extension PacketMemory: Sendable {}

/// Whether to look for the next packet a few times before going to sleep for it.
///
/// A processor that has gone to sleep takes longer to wake than a call takes to be answered, and a call wakes two. So both sides
/// stay awake for as long as an answer usually takes, but only while that is worth it: each time that nothing came, it is
/// not tried for twice as many packets as the time before. With one processor, who waits would keep the other from answering.
struct ShortWait {
    /// How many packets to wait asleep for before the next try, and after it if it is in vain.
    private var pause = 0
    private var nextPause = 1

    private static let isWorthIt = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
    /// Nanoseconds awake, and nanoseconds after which another thread must have had the processor meanwhile.
    private static let longest: UInt64 = 100_000
    private static let longestTurn: UInt64 = 12_000
    private static let longestPause = 64

    /// Asks `arrives` again and again, for a short time; false when nothing came, or it is not the time to try.
    mutating func sees<Failure: Error>(_ arrives: () throws(Failure) -> Bool) throws(Failure) -> Bool {
        guard ShortWait.isWorthIt else { return false }
        guard pause == 0 else {
            pause -= 1
            return false
        }
        let start = now
        var last = start
        repeat {
            if try arrives() {
                nextPause = 1
                return true
            }
            // Other runnable threads go first. If there are any, sleeping costs nothing, and staying awake does.
            sched_yield()
            let next = now
            guard next - last < ShortWait.longestTurn else { break }
            last = next
        } while last - start < ShortWait.longest
        pause = nextPause
        nextPause = min(nextPause * 2, ShortWait.longestPause)
        return false
    }

    private var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
