// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// The bytes on standard output.
///
/// How text is escaped, what a list looks like and what the errors say was compared with
/// docker-credential-pass 0.6.4 of Debian 12; what differs on purpose is that a new account takes an old one's place, and
/// that erasing what is not there is no failure.
@Suite("docker's credentials") struct DockerTests {
    private let scene: HelperScene

    init() throws { scene = try HelperScene() }

    private func docker(_ event: String, _ input: String) throws -> (Int32, String) {
        let answer = try scene.run("docker-credential-llavero", event, input: input)
        #expect(answer.complaint == "")
        return (answer.code, answer.output)
    }

    @Test(
        "what is stored is given back, byte for byte as docker's own helpers write it",
        arguments: [
            ("https://index.docker.io/v1/", "alice", "secret", "alice", "secret"),
            ("https://index.docker.io/v1/access-token", "<token>", "eyJ.a-b_c", #"\u003ctoken\u003e"#, "eyJ.a-b_c"),
            ("localhost:5000", "bob", #"a\"b\\c\/d"#, "bob", #"a\"b\\c/d"#),
            ("registry.example.com", "AWS", #"\u0026\u003c\n\t\r\u0001"#, "AWS", #"\u0026\u003c\n\t\r\u0001"#),
            ("[::1]:443/v2", "é", "\u{1F600}", "é", "\u{1F600}"), ("https://h/a?b=c#d", "x", "", "x", ""),
            ("http://h:080", "x", #"\u2028\ud83d\ude00"#, "x", "\\u2028\u{1F600}"),
        ])
    func rows(url: String, user: String, secret: String, shownUser: String, shownSecret: String) throws {
        let stored = try docker("store", #"{"ServerURL":"\#(url)","Username":"\#(user)","Secret":"\#(secret)"}"#)
        #expect(stored == (0, ""))
        let found = try docker("get", url + "\n")
        #expect(found == (0, #"{"ServerURL":"\#(url)","Username":"\#(shownUser)","Secret":"\#(shownSecret)"}"# + "\n"))
        #expect(try docker("list", "") == (0, #"{"\#(url)":"\#(shownUser)"}"# + "\n"))
        #expect(try docker("erase", url) == (0, ""))
        #expect(try docker("get", url) == (1, "credentials not found in native keychain\n"))
        #expect(try docker("list", "") == (0, "{}\n"))
    }

    @Test("registries are told apart by every byte of their names, and listed in order")
    func apart() throws {
        let urls = ["h", "h:80", "h/", "http://h", "http://h/", "https://h", "https://h:443", "https://h/v1", "H"]
        for url in urls {
            #expect(try docker("store", #"{"ServerURL":"\#(url)","Username":"u","Secret":"for \#(url)"}"#) == (0, ""))
        }
        for url in urls {
            #expect(
                try docker("get", url) == (0, #"{"ServerURL":"\#(url)","Username":"u","Secret":"for \#(url)"}"# + "\n"))
        }
        let listed = urls.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { #""\#($0)":"u""# }
        #expect(try docker("list", "") == (0, "{" + listed.joined(separator: ",") + "}\n"))
    }

    @Test("a registry has one account: a new one takes the place of the old one")
    func oneAccount() throws {
        for user in ["a", "b", "b"] {
            #expect(try docker("store", #"{"ServerURL":"h","Username":"\#(user)","Secret":"of \#(user)"}"#) == (0, ""))
        }
        #expect(try docker("get", "h") == (0, #"{"ServerURL":"h","Username":"b","Secret":"of b"}"# + "\n"))
        #expect(try docker("list", "") == (0, #"{"h":"b"}"# + "\n"))
    }

    @Test("a secret of a megabyte comes back as it went in")
    func large() throws {
        let secret = String(repeating: "x", count: 1 << 20)
        #expect(try docker("store", #"{"ServerURL":"h","Username":"u","Secret":"\#(secret)"}"#) == (0, ""))
        #expect(try docker("get", "h") == (0, #"{"ServerURL":"h","Username":"u","Secret":"\#(secret)"}"# + "\n"))
    }

    @Test("a locked keychain is an error, not a missing password")
    func locked() throws {
        #expect(try docker("store", #"{"ServerURL":"h","Username":"u","Secret":"s"}"#) == (0, ""))
        try scene.need("llavero", "passcode", "set", "--new-fd", "0", input: "1234")
        let (code, output) = try docker("get", "h")
        #expect(code == 1)
        #expect(output.contains("`llavero unlock`") && !output.contains("not found"))
    }
}
