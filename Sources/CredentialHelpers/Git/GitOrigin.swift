// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Where a credential is for: what stands in a URL before and after the host, taken apart as items have it.
///
/// No two origins have the same attributes, so that nothing is answered to another server than it was stored for.
package struct GitOrigin: Sendable, Equatable {
    package let `protocol`: String
    /// As git writes it, with the port.
    package let host: String
    /// nil where git does not care.
    package let path: String?

    /// nil where nothing can be stored: no protocol, neither host nor path, or a protocol that is another one's code.
    package init?(protocol name: String?, host: String?, path: String?) {
        guard let name, !name.isEmpty, name.isASCII else { return nil }
        guard ProtocolCode.isUnambiguous(name) else { return nil }
        let path = path.flatMap { $0.isEmpty ? nil : $0 }
        guard host.map({ !$0.isEmpty }) ?? false || path != nil else { return nil }
        (self.protocol, self.host, self.path) = (name, host ?? "", path)
    }

    /// The host without its port.
    var server: String { parts.server }

    var port: Int64? { parts.port }

    var code: String { ProtocolCode.code(of: self.protocol) }

    /// What a person reads in a list.
    var title: String { path.map { "\(host)/\($0)" } ?? host }

    /// A port is taken off when putting it back gives the same text.
    private var parts: (server: String, port: Int64?) {
        guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")) else { return (host, nil) }
        let digits = host[host.utf8.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0,
            String(port).utf8.elementsEqual(digits.utf8)
        else { return (host, nil) }
        return (String(host[..<colon]), Int64(port))
    }

    /// Whether something that an item says of itself is this, a port that goes without saying included.
    func isAt(port other: Int64?) -> Bool {
        let usual = ProtocolCode.usualPort(of: self.protocol)
        return (port ?? usual) == (other ?? usual)
    }
}
