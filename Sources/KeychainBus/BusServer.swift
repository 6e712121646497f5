// SPDX-License-Identifier: Apache-2.0

internal import CSDBus
internal import Glibc
package import KeychainSystem

/// A call that somebody on the bus makes of a service.
package struct BusCall: Sendable {
    /// Who is to be answered; each is answered once.
    package let ticket: UInt64
    /// The unique name of the connection that calls: the bus writes it, nobody can pretend another.
    package let sender: String
    package let path: String
    /// Empty where the caller named none.
    package let interface: String
    package let member: String
    /// The types of the arguments.
    package let signature: String
    package let arguments: [BusValue]
}

/// A signal that somebody sent.
package struct BusSignal: Sendable {
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
}

/// The answer to a call.
package enum BusReply: Sendable {
    case values([BusValue])
    case failure(BusFault)
}

/// An error as the bus has them: a name, and a sentence.
package struct BusFault: Error, Sendable, Equatable {
    package let name: String
    package let sentence: String

    package init(_ name: String, _ sentence: String) {
        self.name = name
        self.sentence = sentence
    }
}

/// Receives what comes for a service, on the thread of the bus: it hands things on, and waits for nothing.
package protocol BusHandler: AnyObject {
    func take(_ call: BusCall)
    func take(_ signal: BusSignal)
}

/// The way from any thread to the one that has the connection.
package final class BusPort: Sendable {
    fileprivate enum Parcel: Sendable {
        case reply(UInt64, BusReply)
        case signal(path: String, interface: String, member: String, [BusValue], to: String?)
        case call(BusMethod, [BusValue], @Sendable (Result<[BusValue], BusFault>) -> Void)
    }

    private struct State: Sendable {
        var parcels: [Parcel] = []
        var isStopped = false
    }

    private let state = ForkSafeMutex(State())
    fileprivate let wakeUp: WakeUp

    package init() throws(WaitFailure) { wakeUp = try WakeUp() }

    package func answer(_ ticket: UInt64, _ reply: BusReply) { post(.reply(ticket, reply)) }

    /// Tells everybody who listens, or one connection.
    package func tell(
        _ member: String, of interface: String, at path: String, _ values: [BusValue], to destination: String? = nil
    ) {
        post(.signal(path: path, interface: interface, member: member, values, to: destination))
    }

    /// Calls a method; `done` runs on the thread of the bus.
    package func call(
        _ method: BusMethod, _ values: [BusValue],
        _ done: @escaping @Sendable (Result<[BusValue], BusFault>) -> Void
    ) { post(.call(method, values, done)) }

    /// Ends `Bus.serve` once what was posted before has been sent.
    package func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    private func post(_ parcel: Parcel) {
        state.withLock { $0.parcels.append(parcel) }
        wakeUp.signal()
    }

    fileprivate func take() -> (parcels: [Parcel], isStopped: Bool) {
        wakeUp.reset()
        return state.withLock { state in
            defer { state.parcels = [] }
            return (state.parcels, state.isStopped)
        }
    }
}

/// The calling side, with arguments and answers of any type.
extension Bus {
    /// Calls a method and returns what it answers; `fault` has why it was refused.
    package func answer(
        to method: BusMethod, _ values: [BusValue], _ deadline: borrowing Deadline
    ) throws(BusFailure) -> Result<[BusValue], BusFault> {
        let call = try unsafe message { (message) in
            unsafe functions.pointee.sd_bus_message_new_method_call(
                connection, &message, method.destination, method.path, method.interface, method.member)
        }
        try call.append(values)
        let answer = try answer(to: try send(call), deadline)
        if let fault = answer.fault { return .failure(fault) }
        return .success(try answer.values())
    }
}

/// The serving side: calls are taken, and answered whenever the answer is there.
extension Bus {
    /// Takes calls and signals until the port is stopped or the bus is gone.
    ///
    /// Nobody answers what was left unanswered then: callers see that the connection has ended.
    package func serve(_ port: BusPort, _ handler: any BusHandler) throws(BusFailure) {
        var open = OpenCalls()
        while true {
            let (parcels, isStopped) = port.take()
            for parcel in parcels { try send(parcel, &open) }
            if isStopped { return try flush() }
            // Not all that is there: who sends without an end would keep the others from their answers.
            for _ in 0..<Bus.mostAtOnce {
                guard let message = try processed() else { break }
                take(message, handler, port, &open)
            }
            try wait(for: port.wakeUp)
        }
    }

    private struct OpenCalls {
        /// What others called and is not answered yet.
        var incoming: [UInt64: BusMessage] = [:]
        var lastTicket: UInt64 = 0
        /// What we called, by the number of the call.
        var outgoing: [UInt64: @Sendable (Result<[BusValue], BusFault>) -> Void] = [:]
    }

    private func take(_ message: BusMessage, _ handler: any BusHandler, _ port: BusPort, _ open: inout OpenCalls) {
        switch message.kind {
        case .call:
            open.lastTicket += 1
            let ticket = open.lastTicket
            open.incoming[ticket] = message
            guard let sender = message.sender, let path = message.subject, let member = message.member else {
                open.incoming[ticket] = nil
                return
            }
            do throws(BusFailure) {
                handler.take(
                    BusCall(
                        ticket: ticket, sender: sender, path: path, interface: message.interface ?? "", member: member,
                        signature: message.signature, arguments: try message.values()))
            } catch {
                port.answer(
                    ticket,
                    .failure(
                        BusFault(BusFault.invalidArguments, "the arguments are of types that no method here takes")))
            }
        case .signal:
            guard let sender = message.sender, let path = message.subject, let interface = message.interface,
                let member = message.member, let arguments = try? message.values()
            else { return }
            handler.take(
                BusSignal(sender: sender, path: path, interface: interface, member: member, arguments: arguments))
        case .answer:
            guard let cookie = message.answeredCookie, let done = open.outgoing.removeValue(forKey: cookie) else {
                return
            }
            if let fault = message.fault { return done(.failure(fault)) }
            do throws(BusFailure) { done(.success(try message.values())) } catch {
                done(.failure(BusFault(BusFault.invalidArguments, "the answer cannot be read")))
            }
        case .other: return
        }
    }

    private func send(_ parcel: BusPort.Parcel, _ open: inout OpenCalls) throws(BusFailure) {
        switch parcel {
        case .reply(let ticket, let reply):
            guard let call = open.incoming.removeValue(forKey: ticket), call.expectsReply else { return }
            try send(message(answering: call, reply))
        case .signal(let path, let interface, let member, let values, let destination):
            let signal = try unsafe message { (message) in
                unsafe functions.pointee.sd_bus_message_new_signal(connection, &message, path, interface, member)
            }
            if let destination {
                try check(unsafe functions.pointee.sd_bus_message_set_destination(signal.message, destination))
            }
            try signal.append(values)
            try send(signal)
        case .call(let method, let values, let done):
            let call = try unsafe message { (message) in
                unsafe functions.pointee.sd_bus_message_new_method_call(
                    connection, &message, method.destination, method.path, method.interface, method.member)
            }
            try call.append(values)
            open.outgoing[try send(call)] = done
        }
    }

    /// An answer; one that the library cannot write becomes an error, so that the caller does not wait for it.
    private func message(answering call: BusMessage, _ reply: BusReply) throws(BusFailure) -> BusMessage {
        switch reply {
        case .failure(let fault): return try message(answering: call, fault)
        case .values(let values):
            // The bus ends the connection of whoever sends a larger one, and with it everybody's service.
            guard values.reduce(0, { $0 + $1.size }) <= Bus.largestAnswer else {
                return try message(
                    answering: call,
                    BusFault(BusFault.limitsExceeded, "the answer is too large for a message; ask for less"))
            }
            let answer = try unsafe message { (message) in
                unsafe functions.pointee.sd_bus_message_new_method_return(call.message, &message)
            }
            _ = unsafe functions.pointee.sd_bus_message_sensitive(answer.message)
            do throws(BusFailure) { try answer.append(values) } catch {
                return try message(
                    answering: call, BusFault(BusFault.failed, "the answer cannot be sent over the bus"))
            }
            return answer
        }
    }

    private func message(answering call: BusMessage, _ fault: BusFault) throws(BusFailure) -> BusMessage {
        try unsafe message { (message) in
            unsafe fault.name.withCString { name in
                unsafe fault.sentence.withCString { sentence in
                    var error = unsafe sd_bus_error(name: name, message: sentence, needs_free: 0)
                    return unsafe functions.pointee.sd_bus_message_new_method_error(call.message, &message, &error)
                }
            }
        }
    }

    private func message(_ make: (inout OpaquePointer?) -> Int32) throws(BusFailure) -> BusMessage {
        var made: OpaquePointer?
        try check(unsafe make(&made))
        guard let made = unsafe made else { throw .broken(ENOMEM) }
        return unsafe BusMessage(made, from: self)
    }

    @discardableResult
    private func send(_ message: BusMessage) throws(BusFailure) -> UInt64 {
        var cookie: UInt64 = 0
        try check(unsafe functions.pointee.sd_bus_send(connection, message.message, &cookie))
        return cookie
    }

    private static let mostAtOnce = 64
    /// A list has 64 MiB at most, and so has everything else here.
    private static let largestAnswer = 63 << 20

    private func flush() throws(BusFailure) { try check(unsafe functions.pointee.sd_bus_flush(connection)) }

    /// What came next; nil when there is nothing more for now.
    private func processed() throws(BusFailure) -> BusMessage? {
        while true {
            var message: OpaquePointer?
            let result = unsafe functions.pointee.sd_bus_process(connection, &message)
            if let message = unsafe message { return unsafe BusMessage(message, from: self) }
            try check(result)
            if result == 0 { return nil }
        }
    }

    /// Waits until there is something on the bus, or something is to be sent.
    private func wait(for wakeUp: WakeUp) throws(BusFailure) {
        let events = unsafe functions.pointee.sd_bus_get_events(connection)
        let file = unsafe functions.pointee.sd_bus_get_fd(connection)
        try check(min(events, file))
        var time = UInt64.max
        try check(unsafe functions.pointee.sd_bus_get_timeout(connection, &time))
        let moment = time == .max ? Instant.never : Instant(microseconds: time)
        var awaited = [
            pollfd(fd: file, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&awaited, 2, moment.remaining) < 0, errno != EINTR, errno != EAGAIN else { return }
        throw .broken(errno)
    }
}

extension BusFault {
    package static let failed = "org.freedesktop.DBus.Error.Failed"
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    package static let readOnlyProperty = "org.freedesktop.DBus.Error.PropertyReadOnly"
    package static let notSupported = "org.freedesktop.DBus.Error.NotSupported"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
}
