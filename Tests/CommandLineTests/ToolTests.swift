// SPDX-License-Identifier: Apache-2.0

internal import Testing

@Suite struct ToolTests {
    private let scene: ToolScene

    init() throws { scene = try ToolScene() }

    @Test(
        "help lists every verb, and explains each",
        arguments: [
            "status", "unlock", "lock", "passcode", "recovery", "audit", "sign", "verify", "sign-key", "help",
            "version",
        ])
    func help(verb: String) throws {
        for word in ["help", "--help", "-h"] {
            let list = try scene.tool(word)
            #expect(list.code == 0)
            #expect(list.output.contains("\n  \(verb) "))
        }
        let one = try scene.tool("help", verb)
        #expect(one.code == 0)
        #expect(one.output.hasPrefix("usage: llavero \(verb)"))
    }

    @Test("the version comes first, then the commit, the format and the libraries, each on a line of its own")
    func version() throws {
        let answer = try scene.tool("version")
        #expect(answer.code == 0)
        #expect(answer.output.hasPrefix("llavero "))
        let lines = answer.output.split(separator: "\n")
        #expect(lines.count > 3)
        #expect(lines.contains { $0.contains("SQLite") } && lines.contains { $0.contains("OpenSSL") })
        #expect(try scene.tool("--version") == answer)
    }

    @Test(
        "what is not understood ends with 2, says what is wrong on standard error, and does nothing",
        arguments: [
            (["dance"], "unknown verb: dance"),
            (["help", "dance"], "unknown verb: dance"),
            (["version", "now"], "accepts no arguments"), (["sign"], "PROGRAM is missing"),
            (["sign", "--identifier", "T.a", "x"], "--key is missing"),
            (["sign", "--key", "k", "x"], "--identifier is missing"),
            (["sign", "--key", "k", "--key", "l", "x"], "--key is given twice"),
            (["sign", "x", "--key"], "requires a value"),
            (["sign", "--key="], "requires a value"), (["sign", "--colour", "red", "x"], "unknown option: --colour"),
            (["sign", "-k", "x"], "unknown option: -k"), (["sign", "x", "y"], "only one PROGRAM"),
            (["sign", "--key", "k", "--identifier", "T.a", "--serial", "-1", "x"], "number from 0"),
            (["sign", "--key", "k", "--identifier", "T.a", "--serial", "99999999999999999999", "x"], "number from 0"),
            (["sign", "--key", "k", "--identifier", "T.a\n", "x"], "control characters"),
            (["sign-key", "k.pem"], "--prefix is missing"),
            (["sign-key", "--prefix", "TEAM", "k.pem"], "ends in a dot"),
            (["verify", "--signer", "a", "--signers", "/b", "x"], "cannot be used together"),
            (["verify", "--signers", "b", "x"], "absolute path"),
            (["status", "--json", "--plain"], "cannot be used together"),
            (["status", "now"], "unexpected argument: now"),
            (["status", "--json=yes"], "takes no value"), (["status", "--json", "--json"], "--json is given twice"),
            (["lock", "now"], "unexpected argument: now"), (["lock", "--fd", "0"], "unknown option: --fd"),
            (["unlock", "secret"], "a passcode is asked for"), (["unlock", "--fd", "-1"], "a descriptor number"),
            (["unlock", "--fd", "x"], "a descriptor number"),
            (["unlock", "--passcode", "x"], "unknown option: --passcode"),
            (["audit", "--verify", "--after", "1"], "the whole log"),
            (["audit", "--after", "x"], "a record number"),
            (["passcode"], "set, change or remove is missing"),
            (["passcode", "guess"], "unknown action of passcode: guess"),
            (["passcode", "set", "--fd", "0"], "does not accept --fd"),
            (["passcode", "change", "--erase-after", "9"], "does not accept --erase-after"),
            (["passcode", "change", "--fd", "0", "--new-fd", "0"], "different descriptors"),
            (["passcode", "remove", "--new-fd", "0"], "does not accept --new-fd"),
            (["passcode", "set", "--erase-after", "0"], "number from 1"),
            (["passcode", "set", "--erase-after", "4294967296"], "number from 1"),
            (["recovery"], "make, check, use or remove is missing"),
            (["recovery", "show"], "unknown action of recovery: show"),
        ])
    func usage(words: [String], complaint: String) throws {
        let answer = try scene.run(ToolScene.built("llavero"), words)
        #expect(answer.code == 2)
        #expect(answer.output.isEmpty)
        #expect(answer.complaint.hasPrefix("llavero: "))
        #expect(answer.complaint.contains(complaint), "\(answer.complaint)")
        #expect(scene.names.isEmpty)
    }
}
