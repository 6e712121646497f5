// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainModel
internal import Testing

@Suite("what git says") struct GitMessageTests {
    private func message(_ text: String) throws(GitMessage.Fault) -> GitMessage {
        try GitMessage(SecretValue(copying: Array(text.utf8)))
    }

    @Test("what is known is taken, and everything else passed over")
    func known() throws {
        let said = try message(
            "protocol=https\nhost=h:8443\npath=p=q\nusername=\npassword=a=b \npassword_expiry_utc=12\nwwwauth[]=Basic\n"
                + "wwwauth[]=Bearer\nstate[]=x\nnew_thing=1\nnew_thing=2\n\nhost=other\nnonsense")
        #expect(said.protocol == "https" && said.host == "h:8443" && said.path == "p=q" && said.username == "")
        #expect(said.password?.text == "a=b " && said.expiry == 12 && said.refreshToken == nil)
    }

    @Test(
        "a message that could be read in two ways is not read at all",
        arguments: [
            ("host=a\nhost=a\n", .twice("host")), ("password=a\npassword=b\n", .twice("password")), ("host\n", .noKey),
            ("=x\n", .noKey), ("host=a\0b\n", .nul), ("x=a\0b\n", .nul), ("host=a\rb\n", .carriageReturn("host")),
            ("password=a\rb\n", .carriageReturn("password")),
            ("oauth_refresh_token=a\r\n", .carriageReturn("oauth_refresh_token")),
            ("password_expiry_utc=\u{20}1\n", .noTime), ("password_expiry_utc=+1\n", .noTime),
            ("password_expiry_utc=99999999999999999999\n", .noTime),
            ("password_expiry_utc=1\npassword_expiry_utc=1\n", .twice("password_expiry_utc")),
        ] as [(String, GitMessage.Fault)])
    func refused(text: String, fault: GitMessage.Fault) {
        #expect(throws: fault) { try message(text) }
    }

    @Test("a host that is no UTF-8 is no host")
    func notText() {
        #expect(throws: GitMessage.Fault.notText("host")) {
            try GitMessage(SecretValue(copying: Array("host=".utf8) + [0xFF, 0x0A]))
        }
    }

    @Test("a password is kept as it is, with lines behind it only where git wants more back")
    func secret() throws {
        let plain = GitSecret(password: SecretValue(text: "p"), expiry: nil, refreshToken: nil)
        #expect(plain.stored.text == "p")
        let more = GitSecret(password: SecretValue(text: "p"), expiry: 7, refreshToken: SecretValue(text: "r"))
        #expect(more.stored.text == "p\npassword_expiry_utc=7\noauth_refresh_token=r")
        let read = try #require(GitSecret(stored: more.stored))
        #expect(read.password.text == "p" && read.expiry == 7 && read.refreshToken?.text == "r")
    }

    @Test(
        "what git cannot be told is no secret of git's",
        arguments: ["a\nb", "a\n", "a\nhost=x", "a\0", "a\n\n", "a\rb", "a\r", "a\npassword_expiry_utc=7\r"])
    func otherSecrets(text: String) {
        #expect(GitSecret(stored: SecretValue(copying: Array(text.utf8))) == nil)
    }
}
