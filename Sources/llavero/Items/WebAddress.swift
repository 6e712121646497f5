// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// A URL, as the attributes of an internet password.
struct WebAddress {
    let scheme: String
    let user: String?
    let server: String
    let port: Int64?
    let path: String

    /// `https://ada@example.org:8443/path`; without a scheme it is https.
    init(_ text: String) throws(CommandError) {
        var rest = text[...]
        var scheme = "https"
        if let mark = WebAddress.position(of: "://", in: rest) {
            scheme = rest[..<mark].lowercased()
            rest = rest[rest.utf8.index(mark, offsetBy: 3)...]
        }
        guard URLScheme.code(of: scheme) != nil else {
            let near = URLScheme.scheme(of: scheme).map { "; use \($0)://" } ?? ""
            throw .usage("\(PlainText.shown(scheme)) is not a URL scheme\(near)")
        }
        // As programs that follow it do, whatever mark stands behind: what is the server here has to be the server there.
        let end = rest.unicodeScalars.firstIndex { "/?#".unicodeScalars.contains($0) } ?? rest.endIndex
        var authority = rest[..<end]
        let tail = rest[end...]
        path = tail == "/" ? "" : String(tail.halves(at: "#")?.0 ?? tail)
        var user: String?
        if let (given, behind) = authority.halves(at: "@", last: true) {
            guard !given.unicodeScalars.contains(":") else {
                throw .usage(
                    "the URL contains a password, which every program on this machine could read on the command line; give it separately"
                )
            }
            user = String(given)
            authority = behind
        }
        let hostEnd =
            authority.begins(with: "[")
            ? (authority.unicodeScalars.firstIndex(of: "]") ?? authority.endIndex) : authority.startIndex
        if let colon = authority[hostEnd...].unicodeScalars.firstIndex(of: ":") {
            guard let number = UInt16(authority[authority.utf8.index(after: colon)...]), number > 0 else {
                throw .usage("the port in --url is not a number from 1 to 65535")
            }
            port = Int64(number)
            authority = authority[..<colon]
        } else {
            port = nil
        }
        guard !authority.isEmpty, !authority.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw .usage("--url requires a URL, such as https://example.org")
        }
        (self.scheme, self.user, server) = (scheme, user, authority.lowercased())
    }

    /// Whether two texts are URLs of one page, whatever their queries and fragments are.
    static func isSamePlace(_ first: String, _ second: String) -> Bool {
        guard let one = try? WebAddress(first), let other = try? WebAddress(second) else {
            return first.hasSameBytes(as: second)
        }
        func page(_ path: String) -> String {
            let page = String(path.halves(at: "?")?.0 ?? path[...])
            return page == "/" ? "" : page
        }
        return one.scheme == other.scheme && one.server == other.server && one.port == other.port
            && page(one.path).hasSameBytes(as: page(other.path))
    }

    /// Its attributes of an internet password.
    var attributes: [(Attribute, AttributeValue)] {
        var list: [(Attribute, AttributeValue)] = [
            (.server, .string(server)), (.protocol, .string(URLScheme.code(of: scheme) ?? scheme)),
            (.port, .number(port ?? 0)), (.path, .string(path)),
        ]
        if port == nil { list[2].1 = .number(0) }
        return list
    }

    private static func position(of mark: String, in text: Substring) -> Substring.Index? {
        text.unicodeScalars.indices.first { text[$0...].begins(with: mark) }
    }
}
