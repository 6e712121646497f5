// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSecretService
import Testing

@Suite struct OfferedSecretTests {
    private static func tidied(_ attributes: [String: String], by program: String) -> OfferedSecret {
        var item = OfferedSecret(
            label: "an item", attributes: attributes, contentType: "text/plain", created: 1, modified: 2,
            secret: SecretValue(copying: [1]), source: "/")
        item.tidy(NameOwner(connection: ":1.1", process: 1, program: BusProgram(.program, program)))
        return item
    }

    private static let fields = [
        "Title": "a title", "UserName": "zoe", "URL": "https://example.org", "Notes": "a note", "Uuid": "0123",
        "Path": "/Internet/a title", "TOTP": "123456",
    ]

    @Test("of what a program stored in KeePassXC its own attributes come along, and no fields of the entry")
    func ofProgram() {
        let item = Self.tidied(
            Self.fields.merging(["service": "mail", "xdg:schema": "org.example.Mail"]) { $1 }, by: "/usr/bin/keepassxc")
        #expect(item.attributes == ["service": "mail", "xdg:schema": "org.example.Mail"])
        #expect(item.losses == ["Notes", "TOTP"])
    }

    @Test("what a person entered there keeps what it is known by, and says what is left behind")
    func ofPerson() {
        var fields = Self.fields
        fields["TOTP"] = ""
        let item = Self.tidied(fields, by: "/usr/bin/keepassxc")
        #expect(item.attributes == ["Title": "a title", "UserName": "zoe", "URL": "https://example.org"])
        #expect(item.losses == ["Notes"])
    }

    @Test("other providers' items have such names as attributes like others")
    func others() {
        let item = Self.tidied(Self.fields, by: "/usr/bin/gnome-keyring-daemon")
        #expect(item.attributes == Self.fields && item.losses.isEmpty)
    }

    @Test("a content type among the attributes is one again")
    func contentType() {
        let item = Self.tidied(["a": "b", "xdg:content-type": "text/html"], by: "/usr/libexec/oo7-daemon")
        #expect(item.attributes == ["a": "b"] && item.contentType == "text/html")
    }
}
