// SPDX-License-Identifier: Apache-2.0

internal import CSDBus
internal import Glibc
package import KeychainSystem

/// A connection to a message bus, for one thread.
///
/// No call waits beyond its deadline, or after its wait is cancelled.
// Safe: the pointers are made in init and freed in deinit, and a message keeps the connection it came by.
@safe
package final class Bus {
    /// Where the system's bus is on every Linux.
    package static let system = "unix:path=/run/dbus/system_bus_socket"

    /// Where the bus of this process's session is; nil where nothing says so.
    package static var ofSession: String? {
        if let address = unsafe getenv("DBUS_SESSION_BUS_ADDRESS") { return unsafe String(cString: address) }
        guard let folder = unsafe getenv("XDG_RUNTIME_DIR") else { return nil }
        let path = unsafe String(cString: folder) + "/bus"
        return unsafe access(path, F_OK) == 0 ? "unix:path=\(path)" : nil
    }

    let functions: UnsafePointer<llv_sd_bus>
    let connection: OpaquePointer
    /// Signals that came while something else was awaited.
    private var signals: [BusMessage] = []

    /// Nil when there is no such bus, or nothing installed to speak to one with.
    package init?(_ address: String) {
        guard let functions = unsafe llv_sd_bus_functions() else { return nil }
        var bus: OpaquePointer?
        guard unsafe functions.pointee.sd_bus_new(&bus) >= 0, let bus = unsafe bus else { return nil }
        guard unsafe functions.pointee.sd_bus_set_address(bus, address) >= 0,
            unsafe functions.pointee.sd_bus_set_bus_client(bus, 1) >= 0,
            unsafe functions.pointee.sd_bus_start(bus) >= 0
        else {
            _ = unsafe functions.pointee.sd_bus_close_unref(bus)
            return nil
        }
        unsafe self.functions = functions
        unsafe connection = bus
    }

    deinit { _ = unsafe functions.pointee.sd_bus_close_unref(connection) }

    /// Calls a method and returns what it answers.
    @discardableResult
    package func call(
        _ method: BusMethod, _ arguments: [BusMethod.Argument] = [], _ deadline: borrowing Deadline
    ) throws(BusFailure) -> BusMessage {
        var cookie: UInt64 = 0
        try send(method, arguments, &cookie)
        let answer = try answer(to: cookie, deadline)
        if let refusal = answer.refusal { throw .refused(refusal) }
        return answer
    }

    /// What answers the call of that number, a refusal too.
    func answer(to cookie: UInt64, _ deadline: borrowing Deadline) throws(BusFailure) -> BusMessage {
        while true {
            let message = try receive(deadline)
            guard let answered = message.answeredCookie else {
                // More than any reader sends during one call.
                guard signals.count < 200 else { throw .broken(ENOBUFS) }
                signals.append(message)
                continue
            }
            if answered == cookie { return message }
        }
    }

    /// The next signal.
    package func signal(_ deadline: borrowing Deadline) throws(BusFailure) -> BusMessage {
        while true { if let signal = try signal(deadline, or: -1) { return signal } }
    }

    /// The next signal; nil when there may be something else to see to: `file` can be read, or `moment` is there.
    ///
    /// A bus that always has something comes first, so a caller looks after each signal whether there is.
    package func signal(
        _ deadline: borrowing Deadline, or file: Int32, until moment: Instant = .never
    ) throws(BusFailure) -> BusMessage? {
        if !signals.isEmpty { return signals.removeFirst() }
        guard let message = try receive(deadline, or: file, until: moment), message.answeredCookie == nil else {
            return nil
        }
        return message
    }

    /// Forgets the signals that were not read yet.
    package func forgetSignals() { signals = [] }

    private func send(
        _ method: BusMethod, _ arguments: [BusMethod.Argument], _ cookie: inout UInt64
    ) throws(BusFailure) {
        var message: OpaquePointer?
        try check(
            unsafe functions.pointee.sd_bus_message_new_method_call(
                connection, &message, method.destination, method.path, method.interface, method.member))
        guard let message = unsafe message else { throw .broken(ENOMEM) }
        defer { _ = unsafe functions.pointee.sd_bus_message_unref(message) }
        for argument in arguments {
            switch argument {
            case .text(let text):
                let type = CChar(UInt8(ascii: "s"))
                try check(
                    unsafe text.withCString { unsafe functions.pointee.sd_bus_message_append_basic(message, type, $0) })
            case .number(var number):
                let type = CChar(UInt8(ascii: "u"))
                try check(unsafe functions.pointee.sd_bus_message_append_basic(message, type, &number))
            }
        }
        try check(unsafe functions.pointee.sd_bus_send(connection, message, &cookie))
    }

    private func receive(_ deadline: borrowing Deadline) throws(BusFailure) -> BusMessage {
        while true { if let message = try receive(deadline, or: -1, until: .never) { return message } }
    }

    /// What came; nil after one wait, and when the library has handled by itself what came.
    private func receive(
        _ deadline: borrowing Deadline, or file: Int32, until moment: Instant
    ) throws(BusFailure) -> BusMessage? {
        var message: OpaquePointer?
        let result = unsafe functions.pointee.sd_bus_process(connection, &message)
        if let message = unsafe message { return unsafe BusMessage(message, from: self) }
        try check(result)
        // A peer that keeps the library busy takes no longer than a silent one.
        if result > 0 { try check(deadline) } else { try wait(deadline, or: file, until: moment) }
        return nil
    }

    /// Waits until the library has something to do, `other` can be read, or `moment` is there.
    private func wait(
        _ deadline: borrowing Deadline, or other: Int32, until moment: Instant
    ) throws(BusFailure) {
        let events = unsafe functions.pointee.sd_bus_get_events(connection)
        let file = unsafe functions.pointee.sd_bus_get_fd(connection)
        try check(min(events, file))
        // The library has times of its own, for what it says to the bus by itself.
        var time = UInt64.max
        try check(unsafe functions.pointee.sd_bus_get_timeout(connection, &time))
        let first = time == .max ? moment : min(moment, Instant(microseconds: time))
        try BusFailure.translating { () throws(WaitFailure) in
            _ = try deadline.wait(for: file, events, or: other, until: first)
        }
    }

    private func check(_ deadline: borrowing Deadline) throws(BusFailure) {
        try BusFailure.translating { () throws(WaitFailure) in try deadline.check() }
    }

    func check(_ result: Int32) throws(BusFailure) {
        if result < 0 { throw .broken(-result) }
    }
}

@available(*, unavailable)
extension Bus: Sendable {}

/// A method of a service on a bus.
package struct BusMethod: Sendable {
    let destination: String
    let path: String
    let interface: String
    let member: String

    package init(destination: String, path: String, interface: String, member: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
    }

    /// What methods are given here: there are no others.
    package enum Argument: Sendable {
        case text(String)
        case number(UInt32)
    }

    /// One of the bus itself.
    package static func ofBus(_ member: String) -> BusMethod {
        BusMethod(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: member)
    }
}

/// Why nothing came over a bus.
package enum BusFailure: Error, BreakableWait {
    case wait(WaitFailure)
    case refused(BusRefusal)
    /// Not a word came, or none that was expected; an errno.
    case broken(Int32)

    package init(_ wait: WaitFailure) { self = .wait(wait) }
}

/// Why a service refused a call, or we refuse to call.
package enum BusRefusal: Equatable, Sendable {
    case untrusted
    case noDevice
    case noFinger
    case notAllowed
    case inUse
    case noOwner
    case noService
    case other(errno: Int32)

    static let allNamed: [(refusal: BusRefusal, name: String)] = [
        (.noDevice, "net.reactivated.Fprint.Error.NoSuchDevice"),
        // What a reader says that was pulled out since its path was asked for.
        (.noDevice, "org.freedesktop.DBus.Error.UnknownMethod"),
        (.noDevice, "org.freedesktop.DBus.Error.UnknownObject"),
        (.noDevice, "org.freedesktop.DBus.Error.UnknownInterface"),
        (.noFinger, "net.reactivated.Fprint.Error.NoEnrolledPrints"),
        (.notAllowed, "net.reactivated.Fprint.Error.PermissionDenied"),
        (.notAllowed, "org.freedesktop.DBus.Error.AccessDenied"),
        (.inUse, "net.reactivated.Fprint.Error.AlreadyInUse"),
        (.noOwner, "org.freedesktop.DBus.Error.NameHasNoOwner"),
        (.noService, "org.freedesktop.DBus.Error.ServiceUnknown"),
    ]
}
