// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import KeychainBus
internal import KeychainRequest
internal import KeychainSystem

/// A connection on the bus that uses the service, as far as the bus and the kernel say who it is.
package struct BusClient: Sendable {
    /// Its unique name, which no later connection is given.
    package let name: String
    /// The process that connected; nil where the bus does not say.
    package let process: Int32?
    package let user: UInt32?
    /// What was last seen of that process: held as long as somebody has the client, and no longer.
    let lastSeen = ForkSafeMutex<BusProcess?>(nil)

    package init(name: String, process: Int32?, user: UInt32?) {
        self.name = name
        self.process = process
        self.user = user
    }
}

extension BusClient {
    /// The display and the language that the client's process was started with; what is not of the shape that such a value has
    /// is left out, for a dialog is shown by them.
    package var surroundings: [(String, String)] {
        guard let process else { return [] }
        var bytes = [UInt8](repeating: 0, count: BusClient.longestEnvironment)
        let room = bytes.count
        let count = unsafe llv_peer_read_process_file(process, "environ", &bytes, room)
        guard count > 0, count < room else { return [] }
        return bytes.prefix(Int(count)).split(separator: 0).compactMap { line in
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")),
                let name = String(validating: line[..<equals], as: UTF8.self),
                let value = String(validating: line[(equals + 1)...], as: UTF8.self),
                ClientTerminal.allows(value, for: name)
            else { return nil }
            return (name, value)
        }
    }

    private static let longestEnvironment = 256 << 10
}

/// Who is there, asked of the bus once for each connection; what a client calls meanwhile waits.
final class ClientTable: Sendable {
    private enum Entry: Sendable {
        /// What waits until the bus has answered.
        case asked([@Sendable (BusClient) -> Void])
        case known(BusClient)
    }

    private let state = ForkSafeMutex<[String: Entry]>([:])
    private let port: BusPort

    init(_ port: BusPort) { self.port = port }

    /// Calls `body` with the client, at once where it is known; false where too much waits for it.
    func with(_ name: String, _ body: @escaping @Sendable (BusClient) -> Void) -> Bool {
        enum Step {
            case run(BusClient)
            case ask, wait, refuse
        }
        let step: Step = state.withLock { state in
            switch state[name] {
            case .known(let client): return .run(client)
            case .asked(let waiting):
                guard waiting.count < ClientTable.mostWaiting else { return .refuse }
                state[name] = .asked(waiting + [body])
                return .wait
            case nil:
                state[name] = .asked([body])
                return .ask
            }
        }
        switch step {
        case .run(let client): body(client)
        case .ask: ask(name)
        case .wait: break
        case .refuse: return false
        }
        return true
    }

    func forget(_ name: String) { state.withLock { $0[name] = nil } }

    private func ask(_ name: String) {
        port.call(.ofBus("GetConnectionCredentials"), [.text(name)]) { [self] answer in
            let properties = (try? answer.get())?.first?.asProperties ?? [:]
            let client = BusClient(
                name: name, process: properties["ProcessID"]?.asNumber.map { Int32(bitPattern: $0) },
                user: properties["UnixUserID"]?.asNumber)
            let waiting = state.withLock { state in
                // It may have gone meanwhile; then there is nobody to answer.
                guard case .asked(let waiting)? = state[name] else { return [@Sendable (BusClient) -> Void]() }
                state[name] = .known(client)
                return waiting
            }
            for body in waiting { body(client) }
        }
    }

    private static let mostWaiting = 512
}
