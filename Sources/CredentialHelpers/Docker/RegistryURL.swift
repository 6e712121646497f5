// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// What docker calls a registry, taken apart as items have it; putting it together gives the same bytes.
struct RegistryURL {
    /// Empty where docker names a host alone.
    let `protocol`: String
    let place: HostPort
    /// From the first slash behind the host on.
    let path: String

    init(_ text: String) {
        var rest = text[...]
        var name = ""
        if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8) {
            let scheme = String(text[..<colon])
            if RegistryURL.isScheme(scheme), ProtocolCode.isUnambiguous(scheme) {
                name = scheme
                rest = text[text.utf8.index(colon, offsetBy: 3)...]
            }
        }
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        `protocol` = name
        place = HostPort(String(rest[..<slash]))
        path = String(rest[slash...])
    }

    init(_ item: PasswordItem) {
        `protocol` = ProtocolCode.name(of: item.protocol)
        place = HostPort(server: item.server, port: item.port)
        path = item.path
    }

    var code: String { ProtocolCode.code(of: `protocol`) }

    var text: String { (`protocol`.isEmpty ? "" : `protocol` + "://") + place.text + path }

    private static func isScheme(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2B || $0 == 0x2D }
    }
}
