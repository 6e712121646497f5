// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// URLs that a person pastes, which somebody else may have written.
@Suite("the server of a URL is the one that a program goes to") struct WebAddressTests {
    private let scene: ToolScene

    init() throws { scene = try ToolScene() }

    @Test(
        "whatever mark stands behind a slash, a question mark or a number sign",
        arguments: [
            "/\u{301}@evil.example/", "?\u{301}@evil.example", "#\u{301}@evil.example", "/\u{200D}x@evil.example",
        ])
    func marks(rest: String) throws {
        let added = try scene.tool("add", "x", "--url", "https://bank.example\(rest)", "--user", "u", "--generate")
        #expect(added.code == 0, "\(added)")
        let shown = try scene.tool("show", "x", "--plain").output.split(separator: "\n")
        #expect(shown.contains("server\tbank.example"), "\(shown)")
    }

    @Test("a password in it is refused, whatever mark stands behind the colon", arguments: ["", "\u{301}"])
    func password(mark: String) throws {
        let added = try scene.tool("add", "x", "--url", "https://ada:\(mark)secret@bank.example", "--generate")
        #expect(added.code != 0 && added.complaint.contains("contains a password"), "\(added)")
    }
}
