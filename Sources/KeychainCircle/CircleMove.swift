// SPDX-License-Identifier: Apache-2.0

internal import KeychainSync
package import KeychainSyncPostgres
package import KeychainSystem

/// A circle that lives on another server now.
package enum CircleMove {
    /// Why a machine does not follow; a sentence for a person.
    package struct MoveRefusal: Error {
        package let text: String
    }

    /// Whether a keychain's server is the one that the log names.
    package static func hasArrived(_ server: CircleServer, by sealed: [UInt8], _ circle: LocalCircle) -> Bool {
        guard let text = circle.address(in: sealed), let address = try? ServerAddress(text) else { return false }
        return server.address.isSamePlace(as: address)
    }

    /// The server that the log names, which has all that this machine has of the circle and takes this machine's own role.
    ///
    /// By TLS no server is told a password. At a socket, whoever listens there could ask for it, so it gets none.
    package static func server(
        _ sealed: [UInt8], of circle: LocalCircle, from before: CircleServer?,
        cancellation: Cancellation = Cancellation()
    ) throws(MoveRefusal) -> (server: CircleServer, transport: PostgresTransport) {
        guard let named = circle.address(in: sealed) else {
            throw MoveRefusal(
                text:
                    "the circle has moved, and the key that says where is not here; `llavero circle server ADDRESS` sets the server"
            )
        }
        let server: CircleServer
        let text: String
        do throws(AddressRefusal) {
            let address = try ServerAddress(named)
            text = before.map { $0.address.moved(to: address).description } ?? named
            let isTold = if case .socket = address.proof { true } else { false }
            server = try CircleServer(text, password: isTold ? nil : before?.password)
        } catch {
            throw MoveRefusal(text: "the circle has moved to an address that cannot be used: \(error.description)")
        }
        let transport = server.transport(circle.state.log.circle, cancellation: cancellation)
        let numbers: [UInt64]
        do throws(CircleServerError) {
            guard case .newest(let found) = try transport.perform(.newest([.log])) else {
                throw .broken("an answer to another question")
            }
            numbers = found
        } catch {
            throw MoveRefusal(
                text:
                    "the circle has moved to \(text), which does not take this machine: \(CircleWords.sentence(error)) `llavero circle server ADDRESS` sets another address or password"
            )
        }
        guard numbers.first ?? 0 >= circle.state.log.tip.number else {
            throw MoveRefusal(text: "the circle has moved to \(text), and that server does not have all of it yet")
        }
        return (server, transport)
    }
}
