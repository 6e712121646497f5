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

    @Test("the version is one line")
    func version() throws {
        let answer = try scene.tool("version")
        #expect(answer.code == 0)
        #expect(answer.output.hasPrefix("llavero "))
        #expect(answer.output.split(separator: "\n").count == 1)
        #expect(try scene.tool("--version") == answer)
    }

    @Test(
        "what is not understood ends with 2, says what is wrong on standard error, and does nothing",
        arguments: [
            ([], "say what to do"), (["dance"], "no verb dance"), (["help", "dance"], "no verb dance"),
            (["version", "now"], "takes nothing"), (["sign"], "program is missing"),
            (["sign", "--identifier", "T.a", "x"], "--key is missing"),
            (["sign", "--key", "k", "x"], "--identifier is missing"),
            (["sign", "--key", "k", "--key", "l", "x"], "--key is there twice"),
            (["sign", "x", "--key"], "wants a value"),
            (["sign", "--key="], "wants a value"), (["sign", "--colour", "red", "x"], "no option --colour"),
            (["sign", "-k", "x"], "no option -k"), (["sign", "x", "y"], "one the program at a time"),
            (["sign", "--key", "k", "--identifier", "T.a", "--serial", "-1", "x"], "number from 0"),
            (["sign", "--key", "k", "--identifier", "T.a", "--serial", "99999999999999999999", "x"], "number from 0"),
            (["sign", "--key", "k", "--identifier", "T.a\n", "x"], "control characters"),
            (["sign-key", "k.pem"], "--prefix is missing"),
            (["sign-key", "--prefix", "TEAM", "k.pem"], "ends in a dot"),
            (["verify", "--signer", "a", "--signers", "/b", "x"], "either"),
            (["verify", "--signers", "b", "x"], "absolute path"),
            (["status", "--json", "--plain"], "either"), (["status", "now"], "takes no now"),
            (["status", "--json=yes"], "takes no value"), (["status", "--json", "--json"], "--json is there twice"),
            (["lock", "now"], "takes no now"), (["lock", "--fd", "0"], "no option --fd"),
            (["unlock", "secret"], "takes no secret"), (["unlock", "--fd", "-1"], "number of a descriptor"),
            (["unlock", "--fd", "x"], "number of a descriptor"),
            (["unlock", "--passcode", "x"], "no option --passcode"),
            (["audit", "--verify", "--after", "1"], "the whole log"),
            (["audit", "--after", "x"], "number of a record"),
            (["passcode"], "set, change or remove is missing"), (["passcode", "guess"], "no guess"),
            (["passcode", "set", "--fd", "0"], "takes no --fd"),
            (["passcode", "change", "--erase-after", "9"], "takes no --erase-after"),
            (["passcode", "change", "--fd", "0", "--new-fd", "0"], "two descriptors"),
            (["passcode", "remove", "--new-fd", "0"], "takes no --new-fd"),
            (["passcode", "set", "--erase-after", "0"], "number from 1"),
            (["passcode", "set", "--erase-after", "4294967296"], "number from 1"),
            (["recovery"], "make, use or remove is missing"), (["recovery", "show"], "no show"),
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
