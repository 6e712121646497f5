// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import CTestSupport
internal import Foundation
internal import KeychainIdentity
internal import KeychainSystem
internal import TestProcesses

/// A server, and the processes that come to it.
final class Scene {
    let folder: TrustedFolder
    /// The client program: a file of this user in a place that nobody else can write to.
    let client: String
    private let listener: OwnedDescriptor
    private let control: OwnedDescriptor
    private var helpers: [HelperProcess] = []

    init() throws {
        folder = try TrustedFolder()
        client = try folder.copy(Scene.helper(), as: "client")
        listener = OwnedDescriptor(owning: try must(llv_peer_listen(folder.file("socket"), 0o777, 16)))
        control = OwnedDescriptor(owning: try must(llv_peer_listen(folder.file("control"), 0o777, 16)))
    }

    deinit {
        // All first: who is traced ends when the tracer does.
        for helper in helpers { kill(-helper.pid, SIGKILL) }
        for helper in helpers { _ = helper.wait() }
    }

    /// Starts the client in a role; `arguments` follow the sockets.
    func start(
        _ role: String, _ arguments: [String] = [], program: String? = nil, launcher: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        helpers.append(
            try HelperProcess(
                [role, folder.file("socket"), folder.file("control")] + arguments, environment: environment,
                output: folder.file("output-\(helpers.count)"), launcher: launcher, program: program ?? client))
    }

    /// The connection that comes next.
    func accept() throws -> OwnedDescriptor { try accept(from: listener) }

    /// Waits until the client says that it is ready.
    func awaitReady() throws {
        let line = try accept(from: control)
        guard llv_peer_wait(line.number, false, Scene.timeout) == 1 else { throw Silence() }
        var word = [UInt8](repeating: 0, count: 16)
        var packet = llv_peer_packet()
        guard llv_peer_receive(line.number, &word, word.count, false, &packet) == 5 else { throw Silence() }
    }

    /// Has another process of root's trace the process, until it is let go.
    func trace(_ pid: Int32) throws -> HelperProcess {
        let tracer = try HelperProcess(
            ["trace", folder.file("socket"), folder.file("control"), "\(pid)"], environment: [:],
            output: folder.file("tracer"), program: client)
        helpers.append(tracer)
        try awaitReady()
        return tracer
    }

    /// Waits for the end of the client started last.
    func awaitEnd() -> HelperProcess.Ending {
        helpers.removeLast().wait()
    }

    /// Starts a client in a role, and does the handshake with it.
    func peer(
        _ role: String, _ arguments: [String] = [], program: String? = nil, launcher: [String] = [],
        environment: [String: String] = [:]
    ) throws -> Peer {
        try start(role, arguments, program: program, launcher: launcher, environment: environment)
        return try Scene.handshake(try accept())
    }

    static func handshake(_ socket: OwnedDescriptor) throws -> Peer {
        try Handshake.accept(socket, largestPacket: packetSize, milliseconds: timeout)
    }

    /// Whether the process that connected is told from one that got its number before we looked.
    static let kernelKeepsHandles: Bool = {
        var ends: [Int32] = [-1, -1]
        var isExact = false
        guard llv_peer_pair(&ends) == 0 else { return false }
        let (ours, theirs) = (OwnedDescriptor(owning: ends[0]), OwnedDescriptor(owning: ends[1]))
        let handle = llv_peer_open_process(ours.number, getpid(), &isExact)
        if handle >= 0 { close(handle) }
        return isExact && theirs.number >= 0
    }()

    static let packetSize = 1024
    static let timeout = EventLimit.milliseconds

    private func accept(from listener: OwnedDescriptor) throws -> OwnedDescriptor {
        guard llv_peer_wait(listener.number, false, Scene.timeout) == 1 else { throw Silence() }
        return OwnedDescriptor(owning: try must(llv_peer_accept(listener.number)))
    }

    /// The helper's file, beside the bundle that this code was loaded from.
    private static func helper() throws -> String {
        guard let file = llt_image_path() else { throw POSIXError(.ENOENT) }
        let folder = URL(fileURLWithPath: String(cString: file)).deletingLastPathComponent()
        return folder.appendingPathComponent("llavero-peer-helper").path
    }
}

/// Nobody said anything in time.
struct Silence: Error {}

/// A result that is no errno.
func must(_ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -result) ?? .EIO) }
    return result
}

extension Peer {
    /// The next packet as text; nil at the end.
    func text() throws -> String? {
        guard llv_peer_wait(socket.number, false, Scene.timeout) == 1 else { throw Silence() }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Scene.packetSize, alignment: 1)
        defer { room.deallocate() }
        switch try receive(into: room, waits: false) {
        case .packet(let count): return String(decoding: room[..<count], as: UTF8.self)
        case .nothing: throw Silence()
        case .hungUp: return nil
        }
    }
}

extension Peer {
    func say(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends one packet, without waiting for the peer to read.
    func send(_ bytes: [UInt8]) throws {
        let failure = llv_peer_send(socket.number, bytes, bytes.count, false)
        guard failure != -EAGAIN else { throw PeerError.congested }
        guard failure == 0 else { throw PeerError.system(-failure) }
    }

    /// Ends the connection while the peer is still known.
    func hangUp() { shutdown(socket.number, Int32(SHUT_RDWR)) }
}
