// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainModel
package import KeychainSystem

/// The Secret Service on a message bus: what libsecret, browsers and many other programs keep their secrets with.
///
/// One thread has the bus and never waits for anything else; each client's calls are done in their order by a few others.
/// The name is claimed last, when everything is there to be found.
package final class SecretService: Sendable {
    package static let usualName = "org.freedesktop.secrets"

    private let address: String
    private let name: String
    private let port: BusPort
    private let core: ServiceCore
    private let report: @Sendable (SecretServiceEvent) -> Void

    /// Serves `collections` as `name` on the bus at `address`, once it is started.
    package init(
        on address: String, as name: String = usualName, _ collections: SecretCollections, _ seat: Seat,
        _ policy: ProgramPolicy, report: @escaping @Sendable (SecretServiceEvent) -> Void
    ) throws(WaitFailure) {
        self.address = address
        self.name = name
        self.report = report
        port = try BusPort()
        core = try ServiceCore(port, collections, seat, policy)
    }

    /// Serves on a thread of its own until `stop`, or until the bus is gone; false where no thread is to be had.
    package func start() -> Bool {
        NamedThread.start("secret-bus") { [self] in
            guard let bus = Bus(address) else { return report(.noBus) }
            let dispatcher = ServiceDispatcher(port, core)
            port.call(.ofBus("AddMatch"), [.text(ServiceDispatcher.leaving)]) { _ in }
            claim()
            do throws(BusFailure) { try bus.serve(port, dispatcher) } catch { report(.busIsGone) }
        } == 0
    }

    package func stop() { port.stop() }

    /// Asks for the name, and does not wait in line for it: whoever has it goes on serving.
    private func claim() {
        let doNotQueue: UInt32 = 4
        port.call(.ofBus("RequestName"), [.text(name), .number(doNotQueue)]) { [self] answer in
            switch (try? answer.get())?.first?.asNumber {
            // It is ours, or was already.
            case 1, 4: report(.serving)
            default: report(.nameIsTaken)
            }
        }
        // The portal's settings say which provider it asks; to have the name harms nobody.
        if name == SecretService.usualName {
            port.call(.ofBus("RequestName"), [.text(SecretPortal.busName), .number(doNotQueue)]) { _ in }
        }
    }
}

/// What becomes of the service.
package enum SecretServiceEvent: Sendable, Equatable {
    case serving
    /// Another provider has the name.
    case nameIsTaken
    case noBus
    case busIsGone
}

/// Understands what comes over the bus and hands it on.
private final class ServiceDispatcher: BusHandler {
    /// The signal that tells of connections that are gone.
    static let leaving =
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''"

    private let port: BusPort
    private let core: ServiceCore
    private let portal: SecretPortal

    init(_ port: BusPort, _ core: ServiceCore) {
        self.port = port
        self.core = core
        portal = SecretPortal(port, core)
    }

    func take(_ call: BusCall) {
        if portal.takes(call) { return }
        do throws(BusFault) {
            if let request = try InternalRequest(call) {
                hand(call) { core, client in core.perform(request, for: client, call.ticket) }
            } else {
                let request = try ServiceRequest(call)
                hand(call) { core, client in core.perform(request, for: client, call.ticket) }
            }
        } catch { port.answer(call.ticket, .failure(error)) }
    }

    /// Has a client's work done behind what it asked for before.
    private func hand(_ call: BusCall, _ work: @escaping @Sendable (ServiceCore, BusClient) -> Void) {
        let isTaken = core.clients.with(call.sender) { [port, core] client in
            let isTaken = core.queues.post(call.sender) { work(core, client) }
            if !isTaken { port.answer(call.ticket, .failure(ServiceDispatcher.tooMuch)) }
        }
        if !isTaken { port.answer(call.ticket, .failure(ServiceDispatcher.tooMuch)) }
    }

    func take(_ signal: BusSignal) {
        guard signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged",
            signal.arguments.count == 3, let name = signal.arguments[0].asText, signal.arguments[2].asText == ""
        else { return }
        core.forget(name)
        portal.forget(name)
    }

    private static let tooMuch = BusFault(
        BusFault.limitsExceeded, "too many calls of the connection wait for their answers; wait for some")
}
