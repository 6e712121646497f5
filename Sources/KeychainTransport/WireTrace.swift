// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainSystem
internal import KeychainWire

/// A line on standard error for each message, where `LLAVERO_TRACE=wire` asks a debug build for it.
///
/// `trace[4711] wire sent call 7 match, 212 bytes`: the name of what is asked or answered, a failure's reason, and never what
/// is in it.
internal enum WireTrace {
    static func sent(_ message: WireMessage, size: Int) {
        #if DEBUG
            if DebugBuild.traces("wire") { trace("sent", message, size) }
        #endif
    }

    static func received(_ arrival: WireArrival) {
        #if DEBUG
            guard DebugBuild.traces("wire") else { return }
            switch arrival.message {
            case .success(let message): trace("received", message, arrival.size)
            case .failure(let error):
                DebugBuild.trace("wire received \(arrival.number) refused: \(name(of: error)), \(arrival.size) bytes")
            }
        #endif
    }

    #if DEBUG
        private static func trace(_ way: String, _ message: WireMessage, _ size: Int) {
            let content =
                switch message.content {
                case .call(.keybag(let request)): "call \(message.number) keybag.\(name(of: request))"
                case .call(let call): "call \(message.number) \(name(of: call))"
                case .reply(.failure(let error)): "reply \(message.number) failure.\(name(of: error.reason))"
                case .reply(let reply): "reply \(message.number) \(name(of: reply))"
                }
            DebugBuild.trace("wire \(way) \(content), \(size) bytes")
        }

        /// The name of an enumeration's case, without what comes with it.
        private static func name<Value>(of value: Value) -> String {
            let mirror = Mirror(reflecting: value)
            // A type that describes itself may show more than a name.
            guard mirror.displayStyle == .enum, !(value is any CustomStringConvertible) else { return "?" }
            return mirror.children.first?.label ?? "\(value)"
        }
    #endif
}
