// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import Testing

@Suite struct PeerTerminalTests {
    @Test(
        "whatever a program calls itself, its terminal is what the kernel says behind the name",
        arguments: ["cat", "", ")", "a) R 1 2", ") 0 1 1 0 1025", "x) R 1 5 5 \u{600}", "\u{600}", "e\u{301}"])
    func name(_ name: String) {
        let line = "5 (\(name)) S 1 5 5 34817 5 4194304 91 0 0 0"
        #expect(PeerTerminal.Device(stat: line)?.path == "/dev/pts/1")
    }

    @Test("a program in the background, or without a terminal, has none", arguments: ["34817 6", "0 -1", "34817"])
    func none(_ fields: String) { #expect(PeerTerminal.Device(stat: "5 (cat) S 1 5 5 \(fields)") == nil) }
}
