// SPDX-License-Identifier: Apache-2.0

import CPeer
import Foundation
import KeychainIdentity
import KeychainModel
import KeychainRequest
import KeychainSystem
import KeychainTransport
import KeychainWire
import Synchronization

/// A user who takes from a daemon all that one user can get, in the ways that are named, until nobody holds its input open any more.
///
/// It says `ready` when each of them has begun, and at the end what came of it.
final class HostileUser: Sendable {
    private let path: String
    private let over = Atomic(false)
    private let counts = Mutex<[String: Int]>([:])
    private var isOver: Bool { over.load(ordering: .relaxed) }

    /// The daemon's socket, and the ways.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count > 1 else { return 64 }
        let user = HostileUser(arguments[0])
        for way in arguments.dropFirst() {
            guard user.begin(way) else { return 64 }
        }
        print("ready")
        fflush(nil)
        _ = try? FileHandle.standardInput.readToEnd()
        user.over.store(true, ordering: .relaxed)
        let counts = user.counts.withLock { $0 }
        print(counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
        return 0
    }

    private init(_ path: String) { self.path = path }

    /// Begins a way on threads of its own, and returns when it has been tried once.
    private func begin(_ way: String) -> Bool {
        switch way {
        case "passcodes":
            guard makeFloodedKeychain() else { return false }
            start(100) { try self.verify() }
        case "keys": start(4) { try self.makeKeyAndLeave() }
        case "messages": start(8) { try self.sendSlowly() }
        case "keychains": start(2) { try self.makeKeychain() }
        case "places": start(1) { try self.takePlaces() }
        case "seats": start(2) { try self.sitAnywhere() }
        default: return false
        }
        while counts.withLock({ $0[way] == nil }) { usleep(1000) }
        return true
    }

    private func start(_ threads: Int, _ round: @escaping @Sendable () throws -> Void) {
        for _ in 0..<threads {
            Thread.detachNewThread {
                while !self.isOver {
                    // Whatever a daemon does to stop it, it tries again.
                    if (try? round()) == nil { usleep(20_000) }
                }
            }
        }
    }

    private func count(_ what: String) { counts.withLock { $0[what, default: 0] += 1 } }

    private static var passcode: Passcode? {
        Array("1234".utf8).withUnsafeBytes { Passcode(copying: $0) }
    }

    /// A keychain whose passcode is known: trying it is never wrong, and so never delayed.
    private func makeFloodedKeychain() -> Bool {
        guard let connection = try? HostileConnection(path), let passcode = Self.passcode else { return false }
        let choice = KeychainChoice(.named("flooded"), claimsPasswords: false, makesIt: false)
        return (try? connection.ask(.choose(choice))) != nil && (try? connection.ask(.make(passcode))) != nil
    }

    private func verify() throws {
        guard let passcode = Self.passcode else { return }
        let connection = try HostileConnection(path)
        _ = try connection.ask(.choose(KeychainChoice(.named("flooded"), claimsPasswords: false, makesIt: false)))
        while !isOver {
            guard let reply = try connection.ask(.keybag(.verify(passcode))) else { return }
            if case .failure = reply { count("refused") } else { count("passcodes") }
        }
    }

    private func makeKeyAndLeave() throws {
        let connection = try HostileConnection(path)
        var attributes = AttributeList()
        attributes[.label] = .string("hostile")
        let item = AddRequest(
            itemClass: .key, attributes: attributes, group: .everyGroupOfCaller, protection: .byClassAndGroup,
            isSynchronizable: false, isTombstone: false, secret: nil, returning: [], origin: .caller)
        try connection.tell(
            .generateKey(
                GenerateKeyRequest(
                    type: 42, bits: [4096, 16_384].randomElement() ?? 4096, place: .software, key: item, publicKey: nil)
            ))
        count("keys")
        usleep(useconds_t.random(in: 10_000...2_000_000))
    }

    /// Announces the largest message, and sends as little of it as keeps the connection alive; one in four sends much first.
    private func sendSlowly() throws {
        let connection = try HostileConnection(path)
        let total = WireLimits.message
        let hurry = Int.random(in: 0..<4) == 0 ? 900 : 1
        var offset = 0
        while offset < total, !isOver {
            let count = min(total - offset, WireFrame.largestContent)
            let header = HostileUser.header(total: total, offset: offset)
            guard connection.send(header + [UInt8](repeating: 0, count: count)) else { return }
            offset += count
            if offset == count { self.count("messages") }
            if offset > hurry * WireFrame.largestContent { usleep(1_000_000) }
        }
    }

    private static func header(total: Int, offset: Int) -> [UInt8] {
        let more: UInt8 = total - offset > WireFrame.largestContent ? 1 : 0
        let sizes = [total, offset].flatMap { size in [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) } }
        return [0x4C, WireVersion.current, 1, more] + sizes + [0, 0, 0, 0, 0, 0, 0, 1]
    }

    private func makeKeychain() throws {
        let connection = try HostileConnection(path)
        let name = "h\(UInt32.random(in: 0 ... .max))"
        _ = try connection.ask(.choose(KeychainChoice(.named(name), claimsPasswords: false, makesIt: false)))
        let reply = try connection.ask(.make(nil))
        count("keychains")
        if case .failure? = reply {
            count("full")
            usleep(20_000)
        }
    }

    /// As many connections as one process may have, kept until it is enough, and one more again and again.
    private func takePlaces() throws {
        var kept: [HostileConnection] = []
        while !isOver {
            if let connection = try? HostileConnection(path) {
                kept.append(connection)
                count("places")
            } else {
                count("noPlace")
                usleep(5000)
            }
        }
    }

    private func sitAnywhere() throws {
        // It has been tried, whether the daemon took it or hung up.
        defer {
            count("seats")
            usleep(20_000)
        }
        let connection = try HostileConnection(path)
        let values = ["../../../dev/shm/x", "/tmp/evil", ":99", "\u{202E}", String(repeating: "x", count: 4000)]
        let variables = ClientTerminal.names.map {
            ClientTerminal.Variable(name: $0, value: values.randomElement() ?? "")
        }
        guard let terminal = ClientTerminal(variables) else { return }
        _ = try connection.ask(.sit(terminal))
        // Nothing that is asked of a person there is to be answered.
        _ = try connection.ask(.means)
    }
}

/// A connection that has answered the handshake, over which anything goes.
private final class HostileConnection {
    private let socket: OwnedDescriptor
    private let pipe: MessagePipe
    private var number: UInt64 = 0

    init(_ path: String) throws {
        let number = llv_peer_connect(path)
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -number) ?? .EIO) }
        socket = OwnedDescriptor(owning: number)
        pipe = MessagePipe(socket, receiving: .reply)
        try HandshakeAnswer.give(over: socket, milliseconds: 900_000)
    }

    func tell(_ call: WireCall) throws {
        number += 1
        try pipe.send(WireMessage(number: number, .call(call)), Self.pace)
    }

    /// nil when the daemon hung up.
    func ask(_ call: WireCall) throws -> WireReply? {
        try tell(call)
        let arrival = try pipe.receive(Self.pace) { (buffer, waits) throws(PeerError) in
            var packet = llv_peer_packet()
            guard let start = buffer.baseAddress else { throw .malformed }
            let count = llv_peer_receive(self.socket.number, start, buffer.count, waits, &packet)
            if count == -Int64(EAGAIN) { return .nothing }
            return count > 0 ? .packet(Int(count)) : .hungUp
        }
        guard case .success(let message)? = arrival?.message, case .reply(let reply) = message.content else {
            return nil
        }
        return reply
    }

    func send(_ packet: [UInt8]) -> Bool { llv_peer_send(socket.number, packet, packet.count, true) == 0 }

    private static let pace = MessagePace(packet: 900_000, message: -1)
}
