// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@Suite struct SigningTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try scene.makeKey("key")
        try scene.copy("llavero-peer-helper", as: "program")
    }

    private func sign(_ program: String = "program", _ more: [String] = []) throws -> ToolScene.Answer {
        try scene.run(
            ToolScene.built("llavero"), ["sign", "--key", "key.pem", "--identifier", "TEAM.app"] + more + [program])
    }

    private func verify(_ program: String = "program", signer: String = "key.plist") throws -> ToolScene.Answer {
        try scene.tool("verify", "--signer", signer, program)
    }

    /// The public half as `openssl` writes it.
    private func publicKey(of key: String) throws -> String {
        let answer = try scene.run("/usr/bin/openssl", ["pkey", "-in", key, "-pubout", "-out", "public.pem"])
        try #require(answer.code == 0)
        return "public.pem"
    }

    @Test("a key is the owner's alone, comes with a signer file, and is never overwritten")
    func key() throws {
        #expect(try scene.mode("key.pem") == 0o600)
        #expect(try scene.bytes("key.plist").contains(Data("<string>TEAM.</string>".utf8)))
        let before = try scene.bytes("key.pem")
        let again = try scene.tool("sign-key", "--prefix", "TEAM.", "key.pem")
        #expect(again.code == 1)
        #expect(again.output.isEmpty)
        #expect(try scene.bytes("key.pem") == before)
        #expect(scene.names == ["key.pem", "key.plist", "program"])
    }

    @Test("a signed program runs, keeps its mode, and says what was signed")
    func whole() throws {
        try scene.setMode(0o4750, of: "program")
        let before = try scene.run(scene.file("program"), [])
        let answer = try sign(
            "program", ["--group", "TEAM.b", "--group=TEAM.a", "--application-group", "TEAM.c", "--serial", "12"])
        #expect(answer == ToolScene.Answer(code: 0, output: "", complaint: ""))
        #expect(try scene.mode("program") == 0o4750)
        #expect(try scene.run(scene.file("program"), []) == before)
        #expect(scene.names == ["key.pem", "key.plist", "program"])
        let verdict = try verify()
        #expect(verdict.code == 0)
        let lines = verdict.output.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { !$0.hasPrefix("signer: ") } == [
                "application-identifier: TEAM.app", "keychain-access-group: TEAM.b", "keychain-access-group: TEAM.a",
                "application-group: TEAM.c", "serial: 12", "verdict: valid",
            ])
        #expect(lines.contains { $0.hasPrefix("signer: ") && $0.count == 8 + 64 })
        #expect(try verify(signer: publicKey(of: "key.pem")).code == 0)
    }

    @Test("a Swift program runs when it was signed, and when it was stripped after that")
    func swiftProgram() throws {
        try scene.copy("llavero", as: "tool")
        #expect(try sign("tool").code == 0)
        for options in [["--strip-debug", "tool"], ["tool"]] {
            #expect(try scene.run(scene.file("tool"), ["version"]) == scene.tool("version"))
            #expect(try verify("tool").code == 0)
            try #require(try scene.run("/usr/bin/strip", options).code == 0)
        }
        #expect(try scene.run(scene.file("tool"), ["version"]).code == 0)
        #expect(try verify("tool").code == 0)
    }

    @Test("a signature elsewhere leaves the program as it was; one through a link leaves the link")
    func places() throws {
        let before = try scene.bytes("program")
        #expect(try sign("program", ["--output", "signed"]).code == 0)
        #expect(try scene.bytes("program") == before)
        #expect(try scene.mode("signed") == 0o755)
        #expect(try verify("signed").code == 0)
        try FileManager.default.createSymbolicLink(atPath: scene.file("link"), withDestinationPath: "program")
        #expect(try sign("link").code == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scene.file("link")) == "program")
        #expect(try scene.bytes("program") == scene.bytes("signed"))
    }

    @Test("a key that others can read signs nothing, nor does one of another kind, nor a public one")
    func wrongKeys() throws {
        let before = try scene.bytes("program")
        try scene.setMode(0o640, of: "key.pem")
        #expect(try sign().complaint.contains("other users can read"))
        try scene.setMode(0o600, of: "key.pem")
        let elliptic = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "ec.pem"]
        try #require(try scene.run("/usr/bin/openssl", elliptic).code == 0)
        let encrypted = ["pkey", "-in", "key.pem", "-aes256", "-passout", "pass:secret", "-out", "encrypted.pem"]
        try #require(try scene.run("/usr/bin/openssl", encrypted).code == 0)
        try scene.write("nothing", to: "empty.pem")
        for (key, complaint) in [
            ("ec.pem", "not an Ed25519 key"), ("encrypted.pem", "decrypt it first"),
            (try publicKey(of: "key.pem"), "not a private key"),
            ("empty.pem", "exactly one key"), ("missing.pem", "cannot be opened"), (".", "not a regular file"),
        ] {
            if key.hasSuffix(".pem"), key != "missing.pem" { try scene.setMode(0o600, of: key) }
            let answer = try scene.tool("sign", "--key", key, "--identifier", "TEAM.app", "program")
            #expect(answer.code == 1)
            #expect(answer.complaint.contains(complaint), "\(answer.complaint)")
        }
        #expect(try scene.bytes("program") == before)
    }

    @Test("what is no program, or an interpreter, is not signed")
    func wrongPrograms() throws {
        try scene.write("#!/bin/sh\n", to: "script")
        #expect(try sign("script").complaint.contains("not a 64-bit little-endian ELF"))
        try scene.copy("llavero-peer-helper", as: "python3.11")
        #expect(try sign("python3.11").complaint.contains("interpreter"))
        #expect(try sign("program", ["--output", "bash"]).complaint.contains("interpreter"))
        #expect(try sign("missing").code == 1)
        #expect(try sign(".").complaint.contains("not a regular file"))
        #expect(!scene.names.contains("bash"))
    }

    @Test("verify ends with 1 unless the whole of it holds, and says why")
    func refused() throws {
        #expect(try verify().complaint.contains("not signed"))
        #expect(try sign("program", ["--group", "OTHER.a"]).code == 0)
        let foreign = try verify()
        #expect(foreign.code == 1)
        #expect(foreign.output.hasSuffix("verdict: refused\n"))
        #expect(foreign.complaint.contains("no prefix for OTHER.a"))
        try scene.makeKey("other")
        #expect(try verify(signer: "other.plist").complaint.contains("not signed by a trusted signer"))
        #expect(try sign().code == 0)
        #expect(try verify().code == 0)
        #expect(try verify(signer: publicKey(of: "other.pem")).complaint.contains("not valid"))
        var bytes = try scene.bytes("program")
        bytes[bytes.startIndex + 24] ^= 1
        try bytes.write(to: URL(fileURLWithPath: scene.file("changed")))
        #expect(try verify("changed").complaint.contains("changed after it was signed"))
        #expect(try scene.tool("verify", "program").complaint.contains("not signed by a trusted signer"))
    }

    @Test("a folder of signers that others can write to believes nobody")
    func folder() throws {
        #expect(try sign().code == 0)
        // Nothing in /tmp is safe from others.
        let answer = try scene.tool("verify", "--signers", scene.path, "program")
        #expect(answer.code == 1)
        #expect(answer.complaint.contains("is not trusted"))
    }
}
