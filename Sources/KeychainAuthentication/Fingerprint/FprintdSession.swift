// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainSystem

/// fprintd on a bus, known to be run by who may, and one reader of its.
///
/// It is spoken to by the name that the bus gave to its connection: no other process can take that one over.
struct FprintdSession {
    private let bus: Bus
    private let owner: String
    private let device: String
    private let user: String

    /// What one try to recognize a finger came to.
    enum Outcome: Equatable {
        case match
        case noMatch
        /// Not read well, and so often that the reader has to be started again.
        case unread
        case gone
        case broken
    }

    /// Nil when there is no fprintd, or no reader; throws `untrusted` when another process answers for it.
    static func open(
        _ bus: Bus, run owner: UInt32, for user: String, _ deadline: borrowing Deadline
    ) throws(FingerprintError) -> FprintdSession? {
        do throws(BusFailure) {
            guard let name = try self.owner(on: bus, deadline) else { return nil }
            let uid = try bus.call(.ofBus("GetConnectionUnixUser"), [.text(name)], deadline).number()
            guard uid == owner else { throw .refused(.untrusted) }
            let manager = BusMethod(
                destination: name, path: "/net/reactivated/Fprint/Manager",
                interface: "net.reactivated.Fprint.Manager", member: "GetDefaultDevice")
            let device = try bus.call(manager, [], deadline).path()
            return FprintdSession(bus: bus, owner: name, device: device, user: user)
        } catch {
            if case .refused(.noDevice) = error { return nil }
            throw FingerprintError(error)
        }
    }

    /// The connection that has fprintd's name now; starts it if it does not run.
    private static func owner(on bus: Bus, _ deadline: borrowing Deadline) throws(BusFailure) -> String? {
        for isStarted in [false, true] {
            do throws(BusFailure) {
                return try bus.call(.ofBus("GetNameOwner"), [.text(name)], deadline).text()
            } catch {
                guard case .refused(.noOwner) = error else { throw error }
            }
            if isStarted { break }
            do throws(BusFailure) {
                try bus.call(.ofBus("StartServiceByName"), [.text(name), .number(0)], deadline)
            } catch {
                guard case .refused(.noService) = error else { throw error }
                return nil
            }
        }
        return nil
    }

    /// The names of the enrolled fingers, in fprintd's own order.
    func fingers(_ deadline: borrowing Deadline) throws(BusFailure) -> [String] {
        do throws(BusFailure) {
            let list = try bus.call(method("ListEnrolledFingers"), [.text(user)], deadline)
            try list.enter(.list)
            return try list.texts(limit: 100)
        } catch {
            if case .refused(.noFinger) = error { return [] }
            throw error
        }
    }

    /// What the reader calls itself.
    func readerName(_ deadline: borrowing Deadline) throws(BusFailure) -> String {
        let get = BusMethod(
            destination: owner, path: device, interface: "org.freedesktop.DBus.Properties", member: "Get")
        let value = try bus.call(get, [.text(FprintdSession.interface), .text("name")], deadline)
        try value.enter(.variant)
        return try value.text()
    }

    /// Makes the reader ours, and listens to what it says.
    func claim(_ deadline: borrowing Deadline) throws(BusFailure) {
        let rules = [
            "type='signal',sender='\(owner)',interface='\(FprintdSession.interface)',path='\(device)'",
            // fprintd ending is told by the bus.
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(owner)'",
        ]
        for rule in rules { try bus.call(.ofBus("AddMatch"), [.text(rule)], deadline) }
        try bus.call(method("Claim"), [.text(user)], deadline)
    }

    /// Gives the reader back; what fails here, the end of the connection does.
    func release(_ deadline: borrowing Deadline) {
        do throws(BusFailure) { try bus.call(method("VerifyStop"), [], deadline) } catch {}
        do throws(BusFailure) { try bus.call(method("Release"), [], deadline) } catch {}
    }

    /// Waits for one finger; `readBadly` is called for each that has to be put on again.
    func verify(_ deadline: borrowing Deadline, readBadly: () -> Void) throws(BusFailure) -> Outcome {
        bus.forgetSignals()
        try bus.call(method("VerifyStart"), [.text("any")], deadline)
        while true {
            let signal = try bus.signal(deadline)
            if signal.isSignal(
                "org.freedesktop.DBus", "NameOwnerChanged", from: "org.freedesktop.DBus", about: "/org/freedesktop/DBus"
            ) {
                if try signal.text() == owner { return .gone }
            }
            guard signal.isSignal(FprintdSession.interface, "VerifyStatus", from: owner, about: device) else {
                continue
            }
            let (result, isDone) = (try signal.text(), try signal.truth())
            switch result {
            case "verify-match": return .match
            case "verify-no-match": return .noMatch
            case "verify-disconnected": return .gone
            case "verify-retry-scan", "verify-swipe-too-short", "verify-finger-not-centered",
                "verify-remove-and-retry":
                readBadly()
                if isDone { return .unread }
            default: return .broken
            }
        }
    }

    /// Ends a try, so that the next may begin.
    func stop(_ deadline: borrowing Deadline) throws(BusFailure) {
        try bus.call(method("VerifyStop"), [], deadline)
    }

    private func method(_ member: String) -> BusMethod {
        BusMethod(destination: owner, path: device, interface: FprintdSession.interface, member: member)
    }

    private static let name = "net.reactivated.Fprint"
    private static let interface = "net.reactivated.Fprint.Device"
}
