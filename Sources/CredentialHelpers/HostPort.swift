// SPDX-License-Identifier: Apache-2.0

/// A host with its port, where one is written in the one way that a port can be put back in.
struct HostPort: Sendable, Equatable {
    let server: String
    let port: Int64?

    init(server: String, port: Int64?) { (self.server, self.port) = (server, port) }

    init(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            self.init(server: text, port: nil)
            return
        }
        let digits = text[text.utf8.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0,
            String(port).utf8.elementsEqual(digits.utf8)
        else {
            self.init(server: text, port: nil)
            return
        }
        self.init(server: String(text[..<colon]), port: Int64(port))
    }

    var text: String { port.map { "\(server):\($0)" } ?? server }
}
