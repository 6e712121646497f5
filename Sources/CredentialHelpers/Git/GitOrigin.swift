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
    var server: String { HostPort(host).server }

    var port: Int64? { HostPort(host).port }

    var code: String { ProtocolCode.code(of: self.protocol) }

    /// What a person reads in a list.
    var title: String { path.map { "\(host)/\($0)" } ?? host }

    /// Whether something that an item says of itself is this, a port that goes without saying included.
    func isAt(port other: Int64?) -> Bool {
        let usual = ProtocolCode.usualPort(of: self.protocol)
        return (port ?? usual) == (other ?? usual)
    }
}
