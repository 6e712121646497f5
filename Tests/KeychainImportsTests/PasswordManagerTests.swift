// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainImports
import KeychainModel
import KeychainOneTimeCodes
import TestProcesses
import Testing

@Suite("exports of other password managers") struct PasswordManagerTests {
    // MARK: Tables

    @Test(
        "tables of browsers and managers, by their columns",
        arguments: [
            (
                "name,url,username,password,note\nsite.example,https://site.example/in,ada,\"s3,cret\",n\n",
                "site.example"
            ),
            (
                "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\",\"timeLastUsed\",\"timePasswordChanged\"\n"
                    + "\"https://site.example/in\",\"ada\",\"s3,cret\",,\"https://site.example\",\"{1}\",\"1\",\"2\",\"3\"\n",
                "site.example"
            ),
            (
                "Title,URL,Username,Password,Notes,OTPAuth\nSite,https://site.example/in,ada,\"s3,cret\",n,otpauth://totp/x?secret=GEZDGNBV\n",
                "Site"
            ),
            (
                "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
                    + "Work,1,login,Site,n,\"a: 1\nb: 2\nmore\",,https://site.example/in,ada,\"s3,cret\",GEZDGNBV\n",
                "Site"
            ),
            (
                "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\nSite,https://site.example/in,ada,\"s3,cret\",,true,false,red;blue,n\n",
                "Site"
            ),
            (
                "Title,Website,Username,Password,One-time password,Favorite status,Archived status,Tags,Notes\nSite,https://site.example/in,ada,\"s3,cret\",,true,false,red,n\n",
                "Site"
            ),
            (
                "url,username,password,totp,extra,name,grouping,fav\nhttps://site.example/in,ada,\"s3,cret\",,n,Site,Work,1\n",
                "Site"
            ),
        ])
    func tables(text: String, label: String) throws {
        let file = ImportFile(name: "table.csv", content: ImportedBytes(Array(text.utf8)))
        #expect(file.detectedFormat == .table)
        let report = try file.read(as: .table)
        let item = try #require(report.items.first)
        #expect(report.items.count == 1 && report.findings.isEmpty)
        #expect(item.account == "ada" && item.secret.string == "s3,cret" && item.label == label)
        #expect(item.place?.server == "site.example" && item.place?.path == "/in")
    }

    @Test("a table's folder, tags, fields and seed are kept") func tableExtras() throws {
        let text =
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
            + "Work/Mail,1,note,Site,n,\"a: 1\nb: 2\nmore\",,,,,GEZDGNBV\n"
        let item = try #require(try read(text, as: .table).items.first)
        #expect(item.tags == ["Work/Mail", "favorite"])
        #expect(item.furtherSecrets.map(\.name) == ["a", "b", "otp"])
        #expect(item.furtherSecrets.map { $0.value.string } == ["1", "2\nmore", "GEZDGNBV"])
        #expect(item.comment == "n" && item.native[.itemDescription] == .string("note"))
    }

    @Test("1Password's words for a seed, a favourite and what is archived are known") func tableOfOnePassword() throws {
        let text =
            "Title,Website,Username,Password,One-time password,Favorite status,Archived status,Tags,Notes\n"
            + "Site,https://site.example,ada,s3cret,GEZDGNBV,true,true,red,n\n"
        let item = try #require(try read(text, as: .table).items.first)
        #expect(item.tags == ["favorite", "archived", "red"] && item.comment == "n")
        #expect(item.furtherSecrets.map(\.part) == [.oneTimeCode])
        #expect(!item.attributes.contains { $0.value == "GEZDGNBV" || $0.value == "true" })
    }

    @Test("a seed is no field that is shown, whatever it is called", arguments: ["2FA", "Authenticator key", "x"])
    func seedOfAnyName(column: String) throws {
        let seed = "OTPAUTH://totp/x?secret=GEZDGNBV"
        let text = "name,url,username,password,\(column)\nSite,https://site.example,ada,s3cret,\(seed)\n"
        let item = try #require(try read(text, as: .table).items.first)
        #expect(item.furtherSecrets.map(\.part) == [.oneTimeCode] && item.furtherSecrets.first?.value.string == seed)
        #expect(!item.attributes.contains { $0.value == seed })
    }

    @Test("LastPass' notes are secrets, its groups tags") func tableOfLastPass() throws {
        let text =
            "url,username,password,totp,extra,name,grouping,fav\n"
            + "https://site.example,ada,s3cret,GEZDGNBV,n,Site,Work,1\nhttp://sn,,,,the note,Note,,0\n"
        let items = try read(text, as: .table).items
        #expect(items.count == 2)
        #expect(items.first?.tags == ["Work", "favorite"] && items.first?.comment == "n")
        #expect(items.first?.furtherSecrets.map(\.part) == [.oneTimeCode])
        let note = try #require(items.last)
        #expect(note.secret.string == "the note" && note.comment.isEmpty && note.place == nil)
        #expect(note.native[.itemDescription] == .string("secure note"))
    }

    @Test("a quote inside a field that is not quoted is the reason why a row is left out") func bareQuote() throws {
        let rows = ["a,,ada,one", "b,,ada,tw\"o", "c,,ada,\"th\"ree", "d,,ada,four"]
        let text = "name,url,username,password\n" + rows.map { $0 + "\n" }.joined()
        let report = try read(text, as: .table)
        #expect(report.items.map(\.label) == ["a", "d"])
        #expect(report.skipped == [.bareQuote, .damaged])
        #expect(report.findings.map(\.location.line) == [3, 4])
    }

    // MARK: Bitwarden

    static let bitwarden = """
        {"encrypted":false,"folders":[{"id":"f1","name":"Social/Web"}],"items":[
        {"id":"1","type":1,"name":"Site","notes":"a note","favorite":true,"folderId":"f1","reprompt":1,"passwordHistory":[{"password":"old"}],
         "fields":[{"name":"PIN","value":"4711","type":1},{"name":"colour","value":"blue","type":0},{"name":"on","value":"true","type":2}],
         "login":{"uris":[{"uri":"https://site.example/in","match":null},{"uri":"https://other.example"}],"username":"ada","password":"s3cr\\u00e9t",
          "totp":"otpauth://totp/x?secret=GEZDGNBV","fido2Credentials":[{"credentialId":"c","keyValue":"k"}]},"future":{"x":1}},
        {"id":"2","type":2,"name":"Note","notes":"line one\\nline two","secureNote":{"type":0}},
        {"id":"3","type":3,"name":"Visa","card":{"number":"4111","code":"123","brand":"Visa","expMonth":"12"}},
        {"id":"4","type":4,"name":"Me","identity":{"firstName":"Ada","ssn":"000-00","username":"ada"}},
        {"id":"5","type":5,"name":"Key","sshKey":{"privateKey":"PEM","publicKey":"ssh-ed25519 A","keyFingerprint":"SHA256:x"}},
        {"id":"6","type":1,"name":"Gone","deletedDate":"2026-01-01T00:00:00Z","login":{"password":"g"}},
        7]}
        """

    @Test("Bitwarden's JSON: every field, folder, address and passkey is kept, or named") func bitwardenJSON() throws {
        let file = ImportFile(name: "export.json", content: ImportedBytes(Array(Self.bitwarden.utf8)))
        #expect(file.detectedFormat == .bitwarden)
        let report = try file.read(as: .bitwarden)
        #expect(report.items.map(\.label) == ["Site", "Note", "Visa", "Me", "Key"])
        let site = report.items[0]
        #expect(site.account == "ada" && site.secret.string == "s3crét" && site.comment == "a note")
        #expect(site.place?.server == "site.example" && site.tags == ["Social/Web", "favorite"])
        let fields = Dictionary(grouping: site.attributes, by: \.name).mapValues { $0.map(\.value) }
        #expect(fields["colour"] == ["blue"] && fields["on"] == ["true"])
        #expect(fields["url"] == ["https://other.example", "https://site.example/in"])
        let further = Dictionary(uniqueKeysWithValues: site.furtherSecrets.map { ($0.name, $0.value.string) })
        #expect(further["PIN"] == "4711" && further["otp"] == "otpauth://totp/x?secret=GEZDGNBV")
        #expect(further["passkey"] == "{\"credentialId\":\"c\",\"keyValue\":\"k\"}" && further["future"] == "{\"x\":1}")
        #expect(further["reprompt"] == "1")
        #expect(report.items[1].secret.string == "line one\nline two" && report.items[1].comment.isEmpty)
        #expect(
            report.items[2].secret.string == "4111" && report.items[2].furtherSecrets.map { $0.value.string } == ["123"]
        )
        #expect(report.items[3].account == "ada" && report.items[3].furtherSecrets.map(\.name) == ["ssn"])
        #expect(
            report.items[4].secret.string == "PEM" && report.items[4].native[.itemDescription] == .string("SSH key"))
        #expect(report.skipped.contains(.discarded) && report.skipped.contains(.notUnderstood))
        #expect(report.findings.contains { $0.matter == .left(.earlierVersions, count: 1) })
        var options = ImportOptions()
        options.withRecycleBin = true
        #expect(try file.read(as: .bitwarden, options).items.map(\.label).contains("Gone"))
    }

    @Test("an export under a password of its own is opened by it alone") func sealedBitwarden() throws {
        let python = """
            import base64, hashlib, hmac, json, os, subprocess, sys
            password, inside = sys.argv[1].encode(), sys.argv[2].encode()
            salt = base64.b64encode(os.urandom(16)).decode()
            main = hashlib.pbkdf2_hmac("sha256", password, salt.encode(), 5000, 32)
            expand = lambda info: hmac.new(main, info + b"\\x01", "sha256").digest()
            def seal(text):
                vector = os.urandom(16)
                done = subprocess.run(["openssl", "enc", "-aes-256-cbc", "-K", expand(b"enc").hex(), "-iv", vector.hex()],
                    input=text, capture_output=True, check=True).stdout
                code = hmac.new(expand(b"mac"), vector + done, "sha256").digest()
                return "2." + "|".join(base64.b64encode(part).decode() for part in (vector, done, code))
            print(json.dumps({"encrypted": True, "passwordProtected": True, "salt": salt, "kdfType": 0, "kdfIterations": 5000,
                "encKeyValidation_DO_NOT_EDIT": seal(b"c9a7"), "data": seal(inside)}))
            """
        let text = try Self.output(["/usr/bin/python3", "-c", python, "hunter2", Self.bitwarden])
        let file = ImportFile(name: "sealed.json", content: ImportedBytes(Array(text.utf8)))
        #expect(file.detectedFormat == .bitwarden)
        #expect(throws: ImportError.passwordNeeded) { try file.read(as: .bitwarden) }
        #expect(throws: ImportError.wrongPassword) { try file.read(as: .bitwarden, password: Self.passcode("other")) }
        #expect(try file.read(as: .bitwarden, password: Self.passcode("hunter2")).items.count == 5)
        #expect(throws: ImportError.sealed(.bitwardenAccount)) {
            try read("{\"encrypted\":true,\"encKeyValidation_DO_NOT_EDIT\":\"2.a|b|c\",\"items\":[]}", as: .bitwarden)
        }
    }

    // MARK: 1Password

    @Test("1Password's 1pux: fields of all kinds, files, tags, vaults") func onePassword() throws {
        let file = try ImportFile(path: fixture("export.1pux"))
        #expect(file.detectedFormat == .onePassword)
        let report = try file.read(as: .onePassword)
        #expect(report.items.map(\.label) == ["Site", "Visa", "Paper"])
        let site = report.items[0]
        #expect(site.account == "ada" && site.secret.string == "s3cret" && site.comment == "a note")
        #expect(site.tags == ["Private", "favorite", "red", "a/b"])
        #expect(site.attribute("colour") == "blue" && site.attribute("More: since") == "2021-02-26")
        #expect(site.attribute("More: mail") == "ada@example.org")
        #expect(site.furtherSecrets.map(\.name) == ["More: PIN", "More: code", "scan.txt"])
        #expect(site.furtherSecrets.map(\.part) == [.field, .oneTimeCode, .attachment])
        #expect(site.furtherSecrets[2].value.string == "scan")
        #expect(report.items[1].secret.string == "4111111111111111" && report.items[1].tags == ["Private", "archived"])
        // A file that is missing, one that no item names, what is in the trash, an earlier password.
        #expect(
            report.findings.map(\.label).sorted() == ["Gone", "Paper (lost.pdf)", "Site", "files/doc7__orphan.txt"])
    }

    @Test("a ZIP that two readers could read differently, or that is a bomb, is refused") func zips() throws {
        let bytes = try ImportFile(path: fixture("export.1pux")).content.array
        // A directory that says another name, size, sum or method than the file itself.
        let directory = try #require(Self.place(of: [0x50, 0x4B, 1, 2], in: bytes))
        for offset in [10, 16, 20, 24, 28, 42, 46] {
            var changed = bytes
            changed[directory + offset] ^= 1
            #expect(throws: ImportError.self) { try read(changed, as: .onePassword) }
        }
        let bomb = try Self.output([
            "/usr/bin/python3", "-c",
            "import zipfile, io, base64\nb = io.BytesIO()\nz = zipfile.ZipFile(b, 'w')\n"
                + "z.writestr('export.data', b'0' * (200 << 20), zipfile.ZIP_DEFLATED)\nz.close()\nprint(base64.b64encode(b.getvalue()).decode())",
        ])
        let packed = try #require(Data(base64Encoded: bomb.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(throws: ImportError.tooLarge) { try read(Array(packed), as: .onePassword) }
        let twice = try Self.output([
            "/usr/bin/python3", "-W", "ignore", "-c",
            "import zipfile, io, base64\nb = io.BytesIO()\nz = zipfile.ZipFile(b, 'w')\n"
                + "z.writestr('export.data', b'{}')\nz.writestr('export.data', b'[]')\nz.close()\nprint(base64.b64encode(b.getvalue()).decode())",
        ])
        let doubled = try #require(Data(base64Encoded: twice.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(throws: ImportError.damaged) { try read(Array(doubled), as: .onePassword) }
    }

    @Test("dates that are none, and two files of one document, are kept or named") func oddOnePassword() throws {
        let python = """
            import base64, io, json, zipfile
            numbers = [-2**63, 2**63 - 1, -2**40, 253402300800, 0]
            fields = [{"title": str(number), "value": {"date": number}} for number in numbers]
            item = {"overview": {"title": "odd"}, "details": {"sections": [{"title": "", "fields": fields}]}}
            data = {"accounts": [{"attrs": {}, "vaults": [{"attrs": {"name": "v"}, "items": [item]}]}]}
            made = io.BytesIO()
            with zipfile.ZipFile(made, "w") as archive:
                archive.writestr("export.data", json.dumps(data))
                for name in ["same__one.txt", "same__two.txt", "nameless"]:
                    archive.writestr("files/" + name, "x")
            print(base64.b64encode(made.getvalue()).decode(), end="")
            """
        let made = try #require(Data(base64Encoded: try Self.output(["/usr/bin/python3", "-c", python])))
        let report = try read(Array(made), as: .onePassword)
        let odd = try #require(report.items.first)
        #expect(odd.attribute("0") == "1970-01-01")
        #expect(odd.attributes.count == 5)
        #expect(report.skipped.filter { $0 == .notUnderstood }.count >= 2)
    }

    @Test("1Password: an SSH key is the secret, or a concealed field, and never shown") func onePasswordKeys() throws {
        let key =
            #"{"title": "private key", "id": "private_key", "value": {"sshKey": {"privateKey": "-----BEGIN-----", "metadata": "#
            + #"{"privateKey": "FORM", "publicKey": "ssh-ed25519 AAAA", "fingerprint": "SHA256:x", "keyType": "ed25519", "more": "m"}}}}"#
        let section = #""sections": [{"title": "SSH", "fields": [\#(key)]}]"#
        let odd =
            #"{"title": "o", "value": {"string": {"a": "hidden"}}}, {"title": "p", "value": {"sshKey": "hidden"}}, "#
            + #"{"title": "q", "value": {"new": "hidden"}}"#
        let login = #""loginFields": [{"value": "pw", "designation": "password", "fieldType": "P"}], "#
        let report = try Self.onePassword([
            Self.entry("alone", "114", section.replacing("FORM", with: "-----BEGIN-----")),
            Self.entry("two forms", "114", section.replacing("FORM", with: "other")),
            Self.entry("login", "001", login + section.replacing("FORM", with: "-----BEGIN-----")),
            Self.entry("odd", "001", #""sections": [{"title": "", "fields": [\#(odd)]}]"#),
        ])
        let items = report.items
        #expect(items.map(\.secret.string) == ["-----BEGIN-----", "-----BEGIN-----", "pw", ""])
        let concealed = items.map { $0.furtherSecrets.map { "\($0.name)=\($0.value.string)" } }
        #expect(concealed[0] == ["SSH: more=m"])
        #expect(concealed[1] == ["SSH: private key (another form)=other", "SSH: more=m"])
        #expect(concealed[2] == ["SSH: private key=-----BEGIN-----", "SSH: more=m"])
        #expect(concealed[3] == [#"o={"a": "hidden"}"#, "p=hidden", "q=hidden"])
        for item in items.dropLast() {
            #expect(item.attribute("SSH: public key") == "ssh-ed25519 AAAA")
            #expect(item.attribute("SSH: fingerprint") == "SHA256:x" && item.attribute("SSH: key type") == "ed25519")
            #expect(item.attributes.count == 3)
        }
        #expect(items[3].attributes.isEmpty)
        // What an import of an earlier version made of it is known again.
        let earlier = items.compactMap(\.otherReading.first)
        #expect(earlier.map(\.secret.string) == ["-----BEGIN-----", "-----BEGIN-----", "pw", ""])
        #expect(earlier[0].attribute("SSH: private key") != nil)
    }

    @Test(
        "1Password: of what is no login the field that it takes for the password is the secret",
        arguments: [
            ("110", #"username=string:ada admin_console_password=concealed:no password=concealed:pw"#, "ada", "pw"),
            ("102", #"password=concealed:pw username=string:ada"#, "ada", "pw"),
            ("111", #"pop_username=string:ada pop_password=concealed:pw smtp_password=concealed:no"#, "ada", "pw"),
            ("109", #"password=concealed:no wireless_password=concealed:pw"#, "", "pw"),
            ("112", #"username=string:ada credential=concealed:pw"#, "ada", "pw"),
            ("005", #"password=concealed:pw"#, "", "pw"),
            ("101", #"iban=string:DE1 telephonePin=concealed:pw"#, "", "pw"),
            ("105", #"pin=concealed:pw"#, "", "pw"),
            ("110", #"one=concealed:no two=concealed:no"#, "", ""),
            ("002", #"pin=concealed:no ccnum=creditCardNumber:pw"#, "", "pw"),
            ("001", #"pin=concealed:no"#, "", ""),
            ("001", #"password=concealed:pw username=string:ada"#, "ada", "pw"),
        ])
    func onePasswordMain(category: String, fields: String, user: String, password: String) throws {
        let list = fields.split(separator: " ").map { field in
            let parts = field.split { $0 == "=" || $0 == ":" }
            return #"{"title": "\#(parts[0])", "id": "\#(parts[0])", "value": {"\#(parts[1])": "\#(parts[2])"}}"#
        }
        let section = #""sections": [{"title": "", "fields": [\#(list.joined(separator: ","))]}]"#
        let marked =
            #""loginFields": [{"value": "eve", "designation": "username"}, "#
            + #"{"value": "own", "designation": "password"}], "#
        let report = try Self.onePassword([
            Self.entry("bare", category, section), Self.entry("marked", category, marked + section),
        ])
        let (bare, own) = (report.items[0], report.items[1])
        #expect(bare.account == user && bare.secret.string == password)
        // Nothing is lost or there twice.
        let parts = (user.isEmpty ? 0 : 1) + (password.isEmpty ? 0 : 1)
        #expect(bare.attributes.count + bare.furtherSecrets.count + parts == list.count)
        #expect(bare.otherReading.allSatisfy { $0.account.isEmpty && $0.secret.string.isEmpty })
        #expect(bare.otherReading.isEmpty == (parts == 0 || category == "002"))
        #expect(own.account == "eve" && own.secret.string == "own" && own.otherReading.isEmpty)
        #expect(own.attributes.count + own.furtherSecrets.count == list.count)
    }

    private static func entry(_ title: String, _ category: String, _ details: String) -> String {
        #"{"categoryUuid": "\#(category)", "overview": {"title": "\#(title)"}, "details": {\#(details)}}"#
    }

    private static func onePassword(_ items: [String]) throws -> ImportReport {
        let data = #"{"accounts": [{"vaults": [{"items": [\#(items.joined(separator: ","))]}]}]}"#
        let python = """
            import base64, io, sys, zipfile
            made = io.BytesIO()
            with zipfile.ZipFile(made, "w") as archive: archive.writestr("export.data", sys.argv[1])
            print(base64.b64encode(made.getvalue()).decode(), end="")
            """
        let made = try #require(Data(base64Encoded: try output(["/usr/bin/python3", "-c", python, data])))
        return try read(Array(made), as: .onePassword)
    }

    // MARK: KeePass' databases

    @Test("a damaged entry takes what is sealed behind it along, and gives no wrong passwords") func damagedDatabase()
        throws
    {
        let made = try Self.output(["/usr/bin/python3", fixture("make-damaged-database.py")])
        let file = ImportFile(name: "d.kdbx", content: ImportedBytes(Array(try #require(Data(base64Encoded: made)))))
        let report = try file.read(as: .kdbx, password: Self.passcode("pw"))
        #expect(report.items.map(\.secret.string) == ["password of one"])
        #expect(report.findings.count >= 3)
    }

    private static let maker = fixture("make-database.py")

    @Test(
        "databases with AES-KDF open, with password, key file or both, in either cipher",
        arguments: [
            ("hunter2", "-", "aes256"), ("hunter2", "raw", "chacha20"), ("", "xml2", "aes256"),
            ("hunter2", "text", "chacha20"),
        ])
    func databases(password: String, key: String, cipher: String) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var keyFile: String?
        if key != "-" {
            let path = "\(folder)/\(key).key"
            let content: Data =
                switch key {
                case "raw": Data((0..<32).map { UInt8($0 * 7) })
                case "xml2":
                    Data(
                        "<?xml version=\"1.0\"?><KeyFile><Meta><Version>2.0</Version></Meta><Key><Data Hash=\"4773D12E\">\n 00112233 44556677 8899AABB CCDDEEFF\n 00112233 44556677 8899AABB CCDDEEFF </Data></Key></KeyFile>"
                            .utf8)
                default: Data("any text\n".utf8)
                }
            try content.write(to: URL(fileURLWithPath: path))
            keyFile = path
        }
        let path = "\(folder)/book.kdbx"
        _ = try Self.output(["/usr/bin/python3", Self.maker, path, password, keyFile ?? "-", "aes", cipher, "10"])
        let file = try ImportFile(path: path)
        #expect(file.detectedFormat == .kdbx)
        var options = ImportOptions()
        if let keyFile { options.keyFile = try ImportFile(path: keyFile).content }
        let report = try file.read(as: .kdbx, password: password.isEmpty ? nil : Self.passcode(password), options)
        #expect(report.items.count == 10 && report.findings.isEmpty)
        for (number, item) in report.items.sorted(by: { Self.number($0) < Self.number($1) }).enumerated() {
            #expect(item.label == "entry \(number)" && item.secret.string == "p&ss <\(number)> é")
        }
        #expect(throws: password.isEmpty ? ImportError.passwordNeeded : .wrongPassword) {
            try file.read(as: .kdbx, password: password.isEmpty ? nil : Self.passcode("other"))
        }
    }

    @Test("a database of 1000 entries: every entry, attachment, field, seed, tag, group and expiry") func thousand()
        throws
    {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/book.kdbx"
        let said = try Self.output(["/usr/bin/python3", Self.maker, path, "hunter2", "-", "aes", "aes256", "1000"])
        #expect(said == "1000 200 200 200\n")
        let report = try ImportFile(path: path).read(as: .kdbx, password: Self.passcode("hunter2"))
        #expect(report.items.count == 1000 && report.findings.isEmpty)
        func count(_ part: FurtherSecret.Part) -> Int {
            report.items.reduce(0) { $0 + $1.furtherSecrets.count { $0.part == part } }
        }
        #expect(count(.attachment) == 200 && count(.field) == 200 && count(.oneTimeCode) == 200 && count(.notes) == 0)
        for (number, item) in report.items.sorted(by: { Self.number($0) < Self.number($1) }).enumerated() {
            #expect(item.account == "user \(number)")
            #expect(item.tags.contains("red") == (number % 3 == 0))
            #expect((item.expiry == "2030-01-02T03:04:05Z") == (number % 7 == 0))
            if number % 5 == 0 { #expect(item.furtherSecrets.first?.value.count == 100 + number) }
            if number % 5 == 1 { #expect(item.furtherSecrets.first?.value.string == "47\(number)") }
        }
    }

    @Test("what OpenSSL cannot open is refused, and the words say so") func refusedDatabases() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Version 3.1, as keepassxc-cli makes it, seals passwords by Salsa20; a wrong password is told first.
        let old = "\(folder)/old.kdbx"
        _ = try Self.output(
            ["/usr/bin/keepassxc-cli", "db-create", "-q", "-t", "100", "-p", old], input: "hunter2\nhunter2\n")
        let file = try ImportFile(path: old)
        #expect(throws: ImportError.sealed(.salsa20)) { try file.read(as: .kdbx, password: Self.passcode("hunter2")) }
        #expect(throws: ImportError.wrongPassword) { try file.read(as: .kdbx, password: Self.passcode("other")) }
        let new = "\(folder)/new.kdbx"
        _ = try Self.output(["/usr/bin/python3", Self.maker, new, "hunter2", "-", "argon2id", "aes256", "3"])
        do {
            let report = try ImportFile(path: new).read(as: .kdbx, password: Self.passcode("hunter2"))
            // OpenSSL 3.2 and later have Argon2.
            #expect(report.items.count == 3)
        } catch { #expect(error == .sealed(.argon2)) }
    }

    @Test("a changed byte anywhere in a database is noticed") func changedDatabases() throws {
        let bytes = try ImportFile(path: fixture("aes-kdf.kdbx")).content.array
        for place in stride(from: 8, to: bytes.count, by: 97) {
            var changed = bytes
            changed[place] ^= 0x10
            #expect(throws: ImportError.self) { try read(changed, as: .kdbx, password: "hunter2") }
        }
        #expect(try read(bytes, as: .kdbx, password: "hunter2").items.count == 6)
    }

    @Test("seeds that KeePass keeps in several fields become one, with all their terms") func joinedSeeds() throws {
        func strings(_ fields: [(String, String)]) -> String {
            "<KeePassFile><Root><Group><Name>G</Name><Entry><String><Key>Title</Key><Value>t</Value></String>"
                + fields.map { "<String><Key>\($0.0)</Key><Value>\($0.1)</Value></String>" }.joined()
                + "</Entry></Group></Root></KeePassFile>"
        }
        for (fields, wanted) in [
            (
                [
                    ("TimeOtp-Secret-Base32", "GEZDGNBV"), ("TimeOtp-Length", "8"),
                    ("TimeOtp-Algorithm", "HMAC-SHA-256"),
                ],
                "otpauth://totp/?secret=GEZDGNBV&algorithm=HMAC-SHA-256&digits=8"
            ),
            (
                [("HmacOtp-Secret-Base32", "GEZDGNBV"), ("HmacOtp-Counter", "7")],
                "otpauth://hotp/?secret=GEZDGNBV&counter=7"
            ),
            (
                [("TOTP Seed", "GEZD GNBV"), ("TOTP Settings", "60;S")],
                "otpauth://totp/?secret=GEZDGNBV&period=60&encoder=steam"
            ),
            (
                [("TimeOtp-Secret-Hex", "3132 333435"), ("TimeOtp-Algorithm", "HMAC-SHA-256")],
                "otpauth://totp/?secret=GEZDGNBV&algorithm=HMAC-SHA-256"
            ),
            ([("TimeOtp-Secret-Base64", "MTIzNDU=")], "otpauth://totp/?secret=GEZDGNBV"),
            // The text itself is the key, also where it could be base32.
            ([("TimeOtp-Secret", "ABCDEFGHIJKLMNOP")], "otpauth://totp/?secret=IFBEGRCFIZDUQSKKJNGE2TSPKA"),
            (
                [("HmacOtp-Secret", "12345"), ("HmacOtp-Counter", "2345")],
                "otpauth://hotp/?secret=GEZDGNBV&counter=2345"
            ),
        ] {
            let item = try #require(try read(strings(fields), as: .keepassXML).items.first)
            #expect(item.furtherSecrets.map { $0.value.string } == [wanted] && item.attributes.isEmpty)
        }
        // What is not understood is nothing of which a code can be computed.
        for odd in [
            [("TimeOtp-Secret-Base32", "GEZDGNBV"), ("TimeOtp-Moon", "full")],
            [("TimeOtp-Secret-Hex", "313"), ("TimeOtp-Algorithm", "HMAC-SHA-256")],
            [("TimeOtp-Secret-Base64", "MTIz!"), ("TimeOtp-Length", "22222222")],
            [("TimeOtp-Secret", "ABCDEFGH"), ("TimeOtp-Secret-Base32", "GEZDGNBV")],
            [("TimeOtp-Secret-Base32", "GEZDGNBV"), ("TimeOtp-Secret-Base32", "MFRGGZDF")],
            [("HmacOtp-Secret-Base85", "GEZDGNBV"), ("HmacOtp-Counter", "2345")],
            [("HmacOtp-Counter", "2345"), ("TOTP Settings", "GEZDGNBV")],
            [("TOTP backup", "ABCDEFGH"), ("TimeOtpSecret", "ABCDEFGH")],
        ] {
            let item = try #require(try read(strings(odd), as: .keepassXML).items.first)
            #expect(item.furtherSecrets.map(\.part) == [.field, .field], "\(odd)")
            #expect(item.furtherSecrets.map { $0.value.string } == odd.map(\.1))
        }
        let file = "<Binary><Key>TimeOtp-codes.txt</Key><Value>eHl6</Value></Binary>"
        let beside = strings([("TimeOtp-Secret", "12345")]).replacingOccurrences(
            of: "</Entry>", with: file + "</Entry>")
        let both = try #require(try read(beside, as: .keepassXML).items.first)
        #expect(both.furtherSecrets.map(\.part) == [.oneTimeCode, .attachment])
        // The fields of programs that write one have exactly this name.
        let plain = try #require(try read(strings([("TOTP", "GEZDGNBV")]), as: .keepassXML).items.first)
        #expect(plain.furtherSecrets.map(\.part) == [.oneTimeCode])
    }

    // MARK: Help

    private static func number(_ item: ImportedItem) -> Int { Int(item.label.split(separator: " ").last ?? "") ?? -1 }

    private static func passcode(_ text: String) -> Passcode? {
        Array(text.utf8).withUnsafeBytes { Passcode(copying: $0) }
    }

    private static func place(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: mark) }
    }

    private static func folder() throws -> String {
        let path = NSTemporaryDirectory() + "llavero-managers-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static func output(_ words: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let (output, line) = (Pipe(), Pipe())
        (process.standardOutput, process.standardInput) = (output, line)
        process.environment = ["PATH": "/usr/bin:/bin", "QT_QPA_PLATFORM": "offscreen", "HOME": NSTemporaryDirectory()]
        try process.run()
        try line.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try line.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
