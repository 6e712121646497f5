// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTransport
internal import KeychainWire

/// One client's connection, from the greeting to the end.
final class Session {
    private let peer: Peer
    private let pipe: MessagePipe
    private let keychain: any KeychainHost
    private let caller: @Sendable () -> Caller
    private let limits: DaemonLimits

    /// Greets whoever connected; nil when it is not who it has to be, or is not served.
    init?(_ socket: OwnedDescriptor, _ keychain: any KeychainHost, _ rules: DaemonRules) {
        do throws(PeerError) {
            peer = try Handshake.accept(
                socket, largestPacket: WireFrame.largestPacket, milliseconds: rules.limits.greeting)
        } catch { return nil }
        guard let caller = rules.admit(peer) else { return nil }
        self.caller = caller
        self.keychain = keychain
        limits = rules.limits
        pipe = MessagePipe(socket, receiving: .call)
    }

    /// Answers calls until the client hangs up, or sends something that no client of ours sends.
    func run() {
        do throws(TransportError) {
            while let message = unsafe try pipe.receive(
                idle: -1, rest: limits.message,
                { (buffer) throws(PeerError) in try unsafe self.peer.receive(into: buffer, waits: false) })
            {
                guard case .call(let call) = message.content else { return }
                // A program may have executed another one since, which is then in its place.
                do throws(PeerError) { try peer.recheck() } catch { return }
                try send(reply(to: call), to: message.number)
            }
        } catch {}
    }

    private func send(_ reply: WireReply, to number: UInt64) throws(TransportError) {
        do throws(TransportError) {
            try pipe.send(WireMessage(number: number, .reply(reply)), milliseconds: limits.reply)
        } catch {
            guard case .message = error else { throw error }
            let failure = KeychainError(.outOfMemory, "the answer is larger than a message may be; ask for less")
            try pipe.send(WireMessage(number: number, .reply(.failure(failure))), milliseconds: limits.reply)
        }
    }

    private func reply(to call: WireCall) -> WireReply {
        do throws(KeychainError) {
            return try KeychainConnection.operation { () throws(KeychainError) in
                try keychain.connection().answer(to: call, from: caller())
            }
        } catch { return .failure(error) }
    }
}

@available(*, unavailable)
extension Session: Sendable {}
