// SPDX-License-Identifier: Apache-2.0

internal import CSDBus
internal import Glibc

/// What came over a bus; its parts are read one after another.
///
/// What it says is checked by the library to be of the type asked for, and is text in UTF-8.
// Safe: the message is freed in deinit; the texts in it are copied.
@safe
package final class BusMessage {
    let message: OpaquePointer
    private let bus: Bus

    init(_ message: OpaquePointer, from bus: Bus) {
        unsafe self.message = message
        self.bus = bus
    }

    var functions: llv_sd_bus { unsafe bus.functions.pointee }

    deinit { _ = unsafe bus.functions.pointee.sd_bus_message_unref(message) }

    /// The number of the call that this answers; nil when it answers none.
    var answeredCookie: UInt64? {
        var cookie: UInt64 = 0
        return unsafe bus.functions.pointee.sd_bus_message_get_reply_cookie(message, &cookie) < 0 ? nil : cookie
    }

    /// Why the call was refused; nil when it was not.
    var refusal: BusRefusal? {
        guard unsafe bus.functions.pointee.sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
        let known = BusRefusal.allNamed.first { refusal in
            unsafe bus.functions.pointee.sd_bus_message_is_method_error(message, refusal.name) > 0
        }
        return known?.refusal ?? .other(errno: unsafe bus.functions.pointee.sd_bus_message_get_errno(message))
    }

    package enum Kind: Sendable {
        case call
        case signal
        /// An answer or an error.
        case answer
        case other
    }

    var kind: Kind {
        var type: UInt8 = 0
        guard unsafe functions.sd_bus_message_get_type(message, &type) >= 0 else { return .other }
        return switch type {
        case 1: .call
        case 2, 3: .answer
        case 4: .signal
        default: .other
        }
    }

    /// The connection that sent it, as the bus says.
    var sender: String? { unsafe text(functions.sd_bus_message_get_sender(message)) }
    var interface: String? { unsafe text(functions.sd_bus_message_get_interface(message)) }
    var member: String? { unsafe text(functions.sd_bus_message_get_member(message)) }
    /// The types of what is in it.
    var signature: String { unsafe text(functions.sd_bus_message_get_signature(message, 1)) ?? "" }
    var expectsReply: Bool { unsafe functions.sd_bus_message_get_expect_reply(message) > 0 }

    /// What an error says.
    var fault: BusFault? {
        guard unsafe functions.sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
        guard let error = unsafe functions.sd_bus_message_get_error(message) else {
            return BusFault(BusFault.failed, "")
        }
        return unsafe BusFault(text(error.pointee.name) ?? BusFault.failed, text(error.pointee.message) ?? "")
    }

    private func text(_ text: UnsafePointer<CChar>?) -> String? { unsafe text.map { unsafe String(cString: $0) } }

    /// Whether it is this signal.
    package func isSignal(_ interface: String, _ member: String, from sender: String, about path: String) -> Bool {
        isSignal(interface, member, from: sender) && subject == path
    }

    /// Whether it is this signal, about anything.
    package func isSignal(_ interface: String, _ member: String, from sender: String) -> Bool {
        guard unsafe bus.functions.pointee.sd_bus_message_is_signal(message, interface, member) > 0,
            // The bus itself writes the sender; no process can pretend to be another.
            let author = unsafe bus.functions.pointee.sd_bus_message_get_sender(message)
        else { return false }
        return unsafe String(cString: author) == sender
    }

    /// The path of what it is about.
    package var subject: String? {
        guard let path = unsafe bus.functions.pointee.sd_bus_message_get_path(message) else { return nil }
        return unsafe String(cString: path)
    }

    package func text() throws(BusFailure) -> String {
        guard let text = try texts("s", limit: 1).first else { throw .broken(EBADMSG) }
        return text
    }

    package func path() throws(BusFailure) -> String {
        guard let path = try texts("o", limit: 1).first else { throw .broken(EBADMSG) }
        return path
    }

    /// All that follow, at most so many.
    package func texts(limit: Int) throws(BusFailure) -> [String] { try texts("s", limit: limit) }

    package func number() throws(BusFailure) -> UInt32 {
        var number: UInt32 = 0
        try read("u", &number)
        return number
    }

    package func truth() throws(BusFailure) -> Bool {
        // The library reads a boolean into an int.
        var number: Int32 = 0
        try read("b", &number)
        return number != 0
    }

    /// A descriptor of our own for the one that comes next.
    package func file() throws(BusFailure) -> Int32 {
        // What is read belongs to the message, and is closed with it.
        var theirs: Int32 = -1
        try read("h", &theirs)
        let ours = fcntl(theirs, F_DUPFD_CLOEXEC, 3)
        guard ours >= 0 else { throw .broken(errno) }
        return ours
    }

    /// Goes into what comes next.
    package func enter(_ container: Container) throws(BusFailure) {
        let (type, contents) =
            switch container {
            case .variant: ("v", "s")
            case .variantOfTruth: ("v", "b")
            case .list: ("a", "s")
            case .variantOfUser: ("v", "(uo)")
            case .user: ("r", "uo")
            } as (Unicode.Scalar, String)
        let result = unsafe bus.functions.pointee.sd_bus_message_enter_container(
            message, CChar(type.value), contents)
        if result <= 0 { throw .broken(result < 0 ? -result : EBADMSG) }
    }

    /// What has contents of its own: there is nothing else that we read.
    package enum Container: Sendable {
        /// A variant with a text in it.
        case variant
        /// A variant with yes or no in it.
        case variantOfTruth
        /// A list of texts.
        case list
        /// A variant with a number and a path in it, as logind names users.
        case variantOfUser
        case user
    }

    func read<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: inout Value) throws(BusFailure) {
        let result = unsafe bus.functions.pointee.sd_bus_message_read_basic(message, CChar(type.value), &value)
        if result <= 0 { throw .broken(result < 0 ? -result : EBADMSG) }
    }

    private func texts(_ type: Unicode.Scalar, limit: Int) throws(BusFailure) -> [String] {
        var texts: [String] = []
        while texts.count < limit {
            var text: UnsafePointer<CChar>?
            let result = unsafe bus.functions.pointee.sd_bus_message_read_basic(message, CChar(type.value), &text)
            if result < 0 { throw .broken(-result) }
            guard result > 0, let text = unsafe text else { break }
            texts.append(unsafe String(cString: text))
        }
        return texts
    }
}

@available(*, unavailable)
extension BusMessage: Sendable {}
