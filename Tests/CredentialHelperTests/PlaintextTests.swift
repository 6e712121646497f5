// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import Testing

/// What `llavero doctor` says of files in which other programs keep passwords, and the commands that it gives, run as they stand.
@Suite("passwords of other programs in plain text") struct PlaintextTests {
    private let scene: HelperScene

    init() throws {
        scene = try HelperScene()
        scene.set("XDG_RUNTIME_DIR", try scene.folder.makeFolder("run"))
    }

    struct Finding: Equatable {
        let text: String
        let fix: String
    }

    /// What it says of plain text, and everything that it prints.
    private func doctor() throws -> (findings: [Finding], printed: String) {
        let answer = try scene.run("llavero", "doctor", "--json")
        #expect(answer.code == 0, "\(answer)")
        let objects = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]] ?? []
        let findings = objects.filter { $0["subject"] as? String == "plaintext" && $0["grade"] as? String == "advice" }
            .map { Finding(text: $0["finding"] as? String ?? "", fix: $0["fix"] as? String ?? "") }
        let people = try scene.run("llavero", "doctor")
        return (findings, answer.output + answer.complaint + people.output + people.complaint)
    }

    private func write(_ content: String, to name: String, mode: Int = 0o600) throws {
        let folder = URL(fileURLWithPath: scene.file(name)).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try scene.write(content, to: name, mode: mode)
    }

    private func bytes(_ name: String) -> String { scene.folder.text(name) }

    /// A file with a secret on one line, and the item that it is to become.
    struct Row: CustomTestStringConvertible {
        let file: String
        let content: String
        let line: Int
        let secret: String
        let item: String
        /// What is left of the file.
        let rest: String

        init(_ file: String, _ content: String, _ line: Int, _ secret: String, _ item: String, leaving rest: String) {
            (self.file, self.content, self.line, self.secret) = (file, content, line, secret)
            (self.item, self.rest) = (item, rest)
        }

        var testDescription: String { "\(file): \(item)" }
    }

    static let rows = [
        Row(
            "home/.config/gh/hosts.yml",
            "github.com:\n    user: ada\n    oauth_token: gho_S3cret\n    git_protocol: https\n",
            3, "gho_S3cret", "gh: github.com", leaving: "github.com:\n    user: ada\n\n    git_protocol: https\n"),
        Row(
            "home/.config/pip/pip.conf",
            "[global]\nindex-url = https://ada:S3cret@pypi.example.org/simple\ntimeout = 5\n", 2,
            "https://ada:S3cret@pypi.example.org/simple", "pip: pypi.example.org", leaving: "[global]\n\ntimeout = 5\n"),
        Row(
            "home/.pip/pip.conf",
            "[install]\nextra-index-url =\n    https://one.example/simple\n\thttps://a:S3cret@two.example:8443/s\n",
            4, "https://one.example/simple\nhttps://a:S3cret@two.example:8443/s", "pip: two.example",
            leaving: "[install]\nextra-index-url =\n\n\n"),
        Row(
            "home/.pypirc",
            "[distutils]\nindex-servers = pypi\n\n[pypi]\nusername = __token__\npassword: pypi-S3cret:=\n", 6,
            "pypi-S3cret:=", "twine: pypi",
            leaving: "[distutils]\nindex-servers = pypi\n\n[pypi]\nusername = __token__\n\n"),
        Row(
            "home/.npmrc", "registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=npm_S3cret=\n", 2,
            "npm_S3cret=", "npm: registry.npmjs.org",
            leaving: "registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n"),
        Row("home/.npmrc", "_auth = UzNjcmV0Og==", 1, "UzNjcmV0Og==", "npm", leaving: "_auth =${NPM_TOKEN}"),
        Row(
            "home/.npmrc", "; a\r\n//npm.example.org/team/:_password=UzNjcmV0\n", 2, "UzNjcmV0",
            "npm: npm.example.org/team",
            leaving: "; a\r\n//npm.example.org/team/:_password=${NPM_TOKEN}\n"),
        Row(
            "home/.cargo/credentials.toml", "[registry]\ntoken = \"cioS3cret'\" # mine\n", 2, "cioS3cret'",
            "cargo: crates.io",
            leaving: "[registry]\n\n"),
        Row(
            "home/.cargo/credentials", "[registries.my-own]\ntoken = 'S3cret\"'\n", 2, "S3cret\"", "cargo: my-own",
            leaving: "[registries.my-own]\n\n"),
        // What is around a secret is no part of it.
        Row(
            "home/.config/gh/hosts.yml", "github.com:\n    oauth_token: \"gho_S3cret\"  \r\n", 2, "gho_S3cret",
            "gh: github.com", leaving: "github.com:\n\n"),
        Row(
            "home/.pypirc", "[pypi]\r\npassword = pypi-S3cret \t\r\n", 2, "pypi-S3cret", "twine: pypi",
            leaving: "[pypi]\r\n\n"),
        Row(
            "home/.npmrc", "//registry.npmjs.org/:_authToken=\"npm_S3cret\"\r\n", 1, "npm_S3cret",
            "npm: registry.npmjs.org", leaving: "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n"),
        Row(
            "home/.npmrc", "//registry.npmjs.org/:_authToken = 'npm_S3cret' \n", 1, "npm_S3cret",
            "npm: registry.npmjs.org", leaving: "//registry.npmjs.org/:_authToken =${NPM_TOKEN}\n"),
        // URLs, and users who are tokens.
        Row(
            "home/.npmrc", "proxy=http://ada:S3cret@proxy.example:3128\n", 1, "http://ada:S3cret@proxy.example:3128",
            "npm: proxy.example", leaving: "proxy=${NPM_TOKEN}\n"),
        Row(
            "home/.npmrc", "registry=https://npm_S3cret@npm.example/\n", 1, "https://npm_S3cret@npm.example/",
            "npm: npm.example", leaving: "registry=${NPM_TOKEN}\n"),
        Row(
            "home/.config/pip/pip.conf", "[global]\n  index-url = https://ghp_S3cret@pypi.example.org/simple\n", 2,
            "https://ghp_S3cret@pypi.example.org/simple", "pip: pypi.example.org", leaving: "[global]\n\n"),
        // A dollar alone is no variable.
        Row(
            "home/.config/pip/pip.conf", "[global]\nindex-url = https://ada:$S3cret@pypi.example.org/simple\n", 2,
            "https://ada:$S3cret@pypi.example.org/simple", "pip: pypi.example.org", leaving: "[global]\n\n"),
        Row(
            "home/.pypirc", "[pypi]\npassword = ${S3cret}\n", 2, "${S3cret}", "twine: pypi",
            leaving: "[pypi]\n\n"),
        Row(
            "home/.npmrc", "_auth=$S3cret\n", 1, "$S3cret", "npm", leaving: "_auth=${NPM_TOKEN}\n"),
    ]

    @Test("a line with a secret is found, and the commands move it into an item", arguments: rows)
    func line(_ row: Row) throws {
        try write(row.content, to: row.file)
        let (findings, printed) = try doctor()
        let finding = try #require(findings.first)
        #expect(findings.count == 1, "\(findings)")
        #expect(finding.text.hasPrefix("\(scene.file(row.file)), line \(row.line): "), "\(finding.text)")
        #expect(!printed.contains("S3cret") && !printed.contains(row.secret))
        let answer = try scene.run(["sh", "-c", finding.fix], input: Data())
        #expect(answer.code == 0, "\(finding.fix) \(answer)")
        #expect(bytes(row.file) == row.rest)
        #expect(try scene.need("llavero", "get", row.item) == row.secret + "\n")
        #expect(try doctor().findings == [])
    }

    @Test("the command that is named for later gets the secret by a variable that its program reads")
    func later() throws {
        for (row, variable) in zip(
            PlaintextTests.rows,
            [
                "GH_TOKEN", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "TWINE_PASSWORD", "NPM_TOKEN", "NPM_TOKEN",
                "NPM_TOKEN",
                "CARGO_REGISTRY_TOKEN", "CARGO_REGISTRIES_MY_OWN_TOKEN", "GH_TOKEN", "TWINE_PASSWORD", "NPM_TOKEN",
                "NPM_TOKEN", "NPM_TOKEN", "NPM_TOKEN", "PIP_INDEX_URL", "PIP_INDEX_URL", "TWINE_PASSWORD", "NPM_TOKEN",
            ])
        {
            let scene = try PlaintextTests()
            try scene.write(row.content, to: row.file)
            let fix = try #require(try scene.doctor().findings.first).fix
            try scene.scene.need("sh", "-c", fix)
            let use = try #require(fix.range(of: "# from now on: ")).upperBound
            let command = try #require(fix[use...].range(of: " -- "))
            let words = fix[use..<command.lowerBound] + " -- printenv \(variable)"
            #expect(try scene.scene.need("sh", "-c", String(words)) == row.secret + "\n", "\(words)")
        }
    }

    @Test("two secrets of one place are two items, and a third file is told of by itself")
    func several() throws {
        try write(
            "github.com:\n    users:\n        ada:\n            oauth_token: gho_one\n    oauth_token: gho_two\n",
            to: "home/.config/gh/hosts.yml", mode: 0o644)
        try write("//a.example/:_authToken=one\n//b.example/:_authToken=two\n", to: "home/.npmrc")
        let findings = try doctor().findings
        #expect(findings.count == 4)
        for finding in findings { try scene.need("sh", "-c", finding.fix) }
        #expect(findings[0].text.hasSuffix("gh's token in plain text, which other users can read"))
        for (item, secret) in [
            ("gh: github.com", "gho_one"), ("gh: github.com 2", "gho_two"), ("npm: a.example", "one"),
            ("npm: b.example", "two"),
        ] {
            #expect(try scene.need("llavero", "get", item) == secret + "\n")
        }
        #expect(
            bytes("home/.npmrc") == "//a.example/:_authToken=${NPM_TOKEN}\n//b.example/:_authToken=${NPM_TOKEN_2}\n")
        #expect(try doctor().findings == [])
    }

    @Test(
        "the file of git's helper \"store\" becomes items that git gets from its new helper",
        arguments: ["home/.git-credentials", "home/.config/git/credentials"])
    func gitStore(file: String) throws {
        try write("https://ada:S3cret@git.example.org\n# a\nhttp://bob:tw%6F@other.example\n", to: file)
        try write("[credential]\n\thelper = store --file ~/x\n", to: "home/.gitconfig")
        let (findings, printed) = try doctor()
        #expect(
            findings.map(\.text) == [
                "\(scene.file(file)), lines 1 and 3: passwords of git's helper \"store\" in plain text",
                "\(scene.file("home/.gitconfig")), line 2: git's helper \"store\" writes passwords in plain text",
            ])
        #expect(!printed.contains("S3cret") && !printed.contains("tw%6F"))
        for finding in findings { try scene.need("sh", "-c", finding.fix) }
        #expect(!FileManager.default.fileExists(atPath: scene.file(file)))
        #expect(try scene.need("git", "config", "--global", "--get-all", "credential.helper") == "llavero\n")
        for (asked, password) in [
            ("protocol=https\nhost=git.example.org\n\n", "S3cret"), ("protocol=http\nhost=other.example\n\n", "two"),
        ] {
            #expect(try scene.need("git", "credential", "fill", input: asked).contains("password=\(password)\n"))
        }
        #expect(try doctor().findings == [])
    }

    @Test(
        "of a setting of pip's with several lines all become one item, for one variable",
        arguments: ["    https://b:S3cret@two.example/s", "extra-index-url = https://b:S3cret@two.example/s"])
    func pipLines(second: String) throws {
        let first = "extra-index-url = https://a:S3cret@one.example/s"
        try write(
            "[global]\n\(first)\n    https://free.example/s\n\(second)\ntimeout = 5\n",
            to: "home/.config/pip/pip.conf")
        let (findings, printed) = try doctor()
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.text.contains(", lines 2 and 4: "), "\(findings)")
        #expect(!printed.contains("S3cret"))
        try scene.need("sh", "-c", finding.fix)
        #expect(bytes("home/.config/pip/pip.conf") == "[global]\n\n\n\ntimeout = 5\n")
        #expect(
            try scene.need("llavero", "get", "pip: one.example")
                == "https://a:S3cret@one.example/s\nhttps://free.example/s\nhttps://b:S3cret@two.example/s\n")
        #expect(try doctor().findings == [])
    }

    @Test("what git's import leaves out is not removed, and a token without a password becomes an item by itself")
    func gitStoreWithoutPassword() throws {
        try write(
            "https://ada:S3cret@git.example.org\nhttps://tokenonly@h5\nhttps://ghp_S3cret@github.com\n",
            to: "home/.git-credentials")
        let (findings, printed) = try doctor()
        let file = scene.file("home/.git-credentials")
        #expect(
            findings.map(\.text) == [
                "\(file), line 1: passwords of git's helper \"store\" in plain text",
                "\(file), line 3: a password or token in plain text, which git's helper \"store\" does not read",
            ])
        #expect(!printed.contains("S3cret"))
        for finding in findings {
            #expect(!finding.fix.contains("rm "))
            try scene.need("sh", "-c", finding.fix)
        }
        #expect(bytes("home/.git-credentials") == "\nhttps://tokenonly@h5\n\n")
        #expect(try scene.need("llavero", "get", "git token: github.com") == "ghp_S3cret\n")
        let asked = "protocol=https\nhost=git.example.org\n\n"
        #expect(try scene.need("git", "credential", "fill", input: asked).contains("password=S3cret\n"))
        #expect(try doctor().findings == [])
    }

    @Test(
        "a file that is removed is the one that a link leads to",
        arguments: [
            ("home/.git-credentials", "https://ada:S3cret@git.example.org\n"),
            ("home/.netrc", "machine h login a password S3cret\n"),
        ])
    func link(file: String, content: String) throws {
        try write(content, to: "some where/it's kept")
        try FileManager.default.createSymbolicLink(
            atPath: scene.file(file), withDestinationPath: scene.file("some where/it's kept"))
        let finding = try #require(try doctor().findings.first)
        try scene.need("sh", "-c", finding.fix)
        #expect(!FileManager.default.fileExists(atPath: scene.file("some where/it's kept")))
        #expect(try doctor().findings == [])
    }

    @Test("podman's file is removed where a link leads to it")
    func linkOfPodman() throws {
        try write(#"{"auths":{"A":{"auth":"YTpi"}}}"#, to: "home/.config/containers/auth.json")
        let finding = try #require(try doctor().findings.first)
        #expect(
            finding.fix.hasSuffix(" && rm \"$(readlink -f \(scene.file("home/.config/containers/auth.json")))\""),
            "\(finding)")
    }

    @Test(
        "git's headers with keys, and passwords for its mail, become items that git gets by its environment",
        arguments: [
            (
                "[http]\n\textraHeader = X-Api-Key: S3cret\n\textraHeader = X: y\n", "http.extraheader", "X: y\n",
                "git header: X-Api-Key", "X-Api-Key: S3cret"
            ),
            (
                "[http \"https://h.example\"]\n\textraHeader = \"PRIVATE-TOKEN: S3cret\"\n",
                "http.https://h.example.extraheader", "", "git header: PRIVATE-TOKEN", "PRIVATE-TOKEN: S3cret"
            ),
            (
                "[sendemail \"work\"]\n\tsmtpPass = S3cret\n", "sendemail.work.smtppass", "",
                "git: sendemail.work.smtpPass", "S3cret"
            ),
        ])
    func gitSetting(content: String, name: String, rest: String, item: String, secret: String) throws {
        try write(content, to: "home/.gitconfig")
        let (findings, printed) = try doctor()
        let fix = try #require(findings.first).fix
        #expect(findings.count == 1 && findings[0].text.contains(", line 2: "), "\(findings)")
        #expect(!printed.contains("S3cret"))
        try scene.need("sh", "-c", fix)
        #expect(try scene.run("git", "config", "--global", "--get-all", name).output == rest)
        #expect(try scene.need("llavero", "get", item) == secret + "\n")
        let use = try #require(fix.range(of: "# from now on: ")).upperBound
        let program = try #require(fix.range(of: " git ", options: .backwards))
        let words = fix[use..<program.lowerBound] + " git config --get \(name)"
        #expect(try scene.need("sh", "-c", String(words)) == secret + "\n", "\(words)")
        #expect(try doctor().findings == [])
    }

    @Test(
        "git's settings: helpers that keep passwords elsewhere, URLs with passwords, headers with tokens",
        arguments: [
            ("[credential]\n\thelper = store\n", 2, "credential.helper", "llavero\n"),
            (
                "[credential \"https://h.example\"]\n  helper = \"cache --timeout 900\"\n", 2,
                "credential.https://h.example.helper", "llavero\n"
            ),
            ("[Credential] helper=/usr/lib/git-core/git-credential-store\n", 1, "credential.helper", "llavero\n"),
            (
                "[url \"https://ada:S3cret@git.example.org/\"]\n\tinsteadOf = g:\n", 1,
                "url.https://ada@git.example.org/.insteadOf", "g:\n"
            ),
            (
                "[url \"https://ada:$S3cret@git.example.org/\"]\n\tinsteadOf = g:\n", 1,
                "url.https://ada@git.example.org/.insteadOf", "g:\n"
            ),
            (
                "[url \"https://ghp_S3cret@git.example.org/\"]\n\tinsteadOf = g:\n", 1,
                "url.https://git.example.org/.insteadOf", "g:\n"
            ),
            (
                "[url \"https://0123456789S3cret0123:@git.example.org/\"]\n\tinsteadOf = g:\n", 1,
                "url.https://git.example.org/.insteadOf", "g:\n"
            ),
            (
                "[http]\n\tproxy = http://ada:S3cret@git.example.org:3128\n", 2, "http.proxy",
                "http://ada@git.example.org:3128\n"
            ),
            (
                "[http \"https://h.example/\"]\n\textraheader = AUTHORIZATION: basic S3cret\n", 2,
                "http.https://h.example/.extraheader", ""
            ),
            (
                "[http]\n\textraHeader = Authorization: bearer S3cret\n\textraHeader = X: y\n", 2, "http.extraheader",
                "X: y\n"
            ),
        ])
    func gitConfiguration(content: String, line: Int, name: String, value: String) throws {
        for file in ["home/.gitconfig", "home/.config/git/config"] {
            try write(content, to: file)
            let (findings, printed) = try doctor()
            let finding = try #require(findings.first)
            #expect(findings.count == 1 && finding.text.hasPrefix("\(scene.file(file)), line \(line): "), "\(findings)")
            #expect(!printed.contains("S3cret"))
            try scene.need("sh", "-c", finding.fix)
            #expect(!bytes(file).contains("S3cret"))
            #expect(try scene.run("git", "config", "--file", scene.file(file), "--get-all", name).output == value)
            #expect(try doctor().findings == [])
            try FileManager.default.removeItem(atPath: scene.file(file))
        }
        if content.contains("@git.example.org") {
            let user = content.contains("ada:") ? "ada" : "x-access-token"
            #expect(try scene.need("llavero", "list", "--plain").contains("\(user)\t"))
        }
    }

    @Test("a netrc becomes one item, which a program gets back as a file", arguments: ["netrc", "authinfo"])
    func netrc(name: String) throws {
        let content =
            "# password none\nmachine a.example login ada\n  password S3cret\nmacdef x\npassword y\n\ndefault passwd z\n"
        try write(content, to: "home/.\(name)")
        let (findings, printed) = try doctor()
        let finding = try #require(findings.first)
        #expect(finding.text == "\(scene.file("home/.\(name)")), lines 3 and 7: passwords in plain text")
        #expect(findings.count == 1 && !printed.contains("S3cret"))
        try scene.need("sh", "-c", finding.fix)
        #expect(!FileManager.default.fileExists(atPath: scene.file("home/.\(name)")))
        #expect(
            try scene.need("llavero", "run", "--file", "NETRC=\(name)", "--", "sh", "-c", #"cat "$NETRC""#) == content)
        #expect(try doctor().findings == [])
    }

    @Test(
        "a netrc's values are values, whatever they look like",
        arguments: [
            "machine h login #u password S3cret\n", "machine h login macdef password S3cret\n",
            "machine h account password password S3cret\n", "machine h user login port 1 password S3cret\n",
        ])
    func netrcValues(content: String) throws {
        try write(content, to: "home/.netrc")
        let findings = try doctor().findings
        #expect(findings.map(\.text) == ["\(scene.file("home/.netrc")), line 1: passwords in plain text"])
    }

    @Test("docker's proxies and headers are told of, and nothing of the file is changed by itself")
    func dockerSettings() throws {
        let content = """
            {"proxies": {"default": {"httpProxy": "http://u:S3cret@p:1", "httpsProxy": "http://u:S3cret@p:1",
            "noProxy": "h"}}, "HttpHeaders": {"User-Agent": "d",
            "X-Auth-Token": "S3cret"}}
            """
        try write(content, to: "home/.docker/config.json")
        let (findings, printed) = try doctor()
        let file = scene.file("home/.docker/config.json")
        #expect(
            findings.map(\.text) == [
                "\(file), line 1: a proxy's URL with a password in plain text",
                "\(file), line 3: a header with a password or token in plain text",
            ])
        #expect(findings.allSatisfy { $0.fix.hasPrefix("llavero add 'docker ") })
        #expect(!printed.contains("S3cret"))
        #expect(bytes("home/.docker/config.json") == content)
    }

    @Test("npm's file has its place by a variable in small letters, too")
    func npmVariable() throws {
        try write("_auth=S3cret\n", to: "own/npmrc")
        scene.set("npm_config_userconfig", scene.file("own/npmrc"))
        let findings = try doctor().findings
        #expect(
            findings.map(\.text) == ["\(scene.file("own/npmrc")), line 1: npm's token or password in plain text"])
    }

    @Test("without a HOME that says where it is, files are looked through all the same", arguments: [nil, "home"])
    func home(value: String?) throws {
        try write("github.com:\n    oauth_token: gho_S3cret\n", to: "home/.config/gh/hosts.yml")
        scene.set("HOME", value)
        scene.set("XDG_CONFIG_HOME", scene.file("home/.config"))
        let printed = try scene.run("llavero", "doctor").output
        #expect(printed.contains("\(scene.file("home/.config/gh/hosts.yml")), line 2: gh's token"), "\(printed)")
    }

    @Test("where nothing is found it says how many files that is said of")
    func allClear() throws {
        let sentence = "have no plaintext passwords"
        #expect(try scene.need("llavero", "doctor").contains("\(sentence) (0 examined)"))
        try write("", to: "home/.npmrc")
        try write("machine h login a\n", to: "home/.netrc")
        #expect(try scene.need("llavero", "doctor").contains("\(sentence) (2 examined)"))
    }

    @Test(
        "docker's file: log out, name the helper, log in",
        arguments: [
            #"{"auths":{"A":{"auth":"YTpi"},"B":{},"C":{"identitytoken":"t"}},"x":[1]}"#,
            "{\n\"credsStore\": \"desktop\",\n\"auths\": {\"A\": {\"auth\": \"\", \"password\": \"YTpi\"}, \"C\": {\"auth\": \"YTpi\"}}}",
        ])
    func docker(content: String) throws {
        try write(content, to: "home/.docker/config.json")
        let (findings, printed) = try doctor()
        let finding = try #require(findings.first)
        #expect(
            findings.count == 1 && finding.text.contains("docker's passwords of 2 registries in base64"), "\(findings)")
        #expect(!printed.contains("YTpi"))
        // Docker's client stands on its engine, which is not here: what it is called with is what counts.
        try write("#!/bin/sh\necho \"$*\" >> \"$HOME/docker-was\"\n", to: "bin/docker", mode: 0o755)
        try scene.need("sh", "-c", finding.fix)
        #expect(bytes("home/docker-was") == "logout A\nlogout C\nlogin A\nlogin C\n")
        let written =
            try JSONSerialization.jsonObject(with: Data(bytes("home/.docker/config.json").utf8)) as? [String: Any]
        #expect(written?["credsStore"] as? String == "llavero")
    }

    @Test(
        "what is no secret is none",
        arguments: [
            ("home/.docker/config.json", #"{"auths":{"h":{},"i":{"auth":""}},"credsStore":"llavero"}"#),
            (
                "home/.docker/config.json",
                #"{"proxies": {"default": {"httpProxy": "http://p:1"}}, "HttpHeaders": {"User-Agent": "d", "X-Token": ""}}"#
            ),
            ("home/.npmrc", "proxy=http://p:1\nregistry=https://ada@h/\nhttps-proxy=http://a:${PW}@p:1\n"),
            ("home/.config/pip/pip.conf", "[global]\nindex-url = https://ada.lovelace%40mail.example@h/simple\n"),
            (
                "home/.gitconfig",
                "[url \"ssh://org-0123456789012345@github.com/\"]\n\tinsteadOf = x:\n[sendemail]\n\tsmtpPass =\n"
            ),
            ("home/.docker/config.json", "{}"), ("home/.docker/config.json", ""), ("run/containers/auth.json", " \n"),
            ("home/.config/containers/auth.json", #"{"auths": {}, "credHelpers": {"h": "llavero"}}"#),
            ("home/.git-credentials", "https://ada@git.example.org\nhttps://git.example.org/a:b@c\n"),
            (
                "home/.gitconfig",
                "[credential]\n\thelper = llavero\n#\thelper = store\n[user]\n\tname = store\n[url \"https://h/\"]\n\tinsteadOf = x:\n"
            ),
            (
                "home/.gitconfig",
                "[credential]\n\thelper =\n\thelper = !gh auth git-credential\n[http]\n\textraHeader = X: y\n"
            ),
            ("home/.config/gh/hosts.yml", "github.com:\n    user: ada\n    oauth_token:\n    git_protocol: https\n"),
            (
                "home/.config/pip/pip.conf",
                "[global]\nindex-url = https://h/simple\n# index-url = https://a:b@h/\n; https://a:b@h/\nx = https://a:${PW}@h/\n"
            ),
            ("home/.pypirc", "[pypi]\nusername = x\npassword =\n#password = x\npassword = %(x)s\n"),
            (
                "home/.npmrc",
                "//h/:_authToken=${NPM_TOKEN}\nalways-auth=true\n//h/:_authToken=\n#//h/:_authToken=x\nemail=a@b\n"
            ),
            ("home/.cargo/credentials.toml", "[registry]\n#token = \"x\"\ntoken = \"\"\nother = \"x\"\n"),
            ("home/.netrc", "machine h login password\n"), ("home/.netrc", "machine h login a\n# password x\n"),
        ])
    func nothing(file: String, content: String) throws {
        try write(content, to: file)
        #expect(try doctor().findings == [])
    }

    static let files = [
        "home/.docker/config.json", "run/containers/auth.json", "home/.config/containers/auth.json",
        "home/.git-credentials", "home/.config/git/credentials", "home/.gitconfig", "home/.config/git/config",
        "home/.config/gh/hosts.yml", "home/.config/pip/pip.conf", "home/.pip/pip.conf", "home/.pypirc", "home/.npmrc",
        "home/.cargo/credentials.toml", "home/.cargo/credentials", "home/.netrc", "home/.authinfo",
    ]

    @Test("what is there and cannot be read is told of, and so is what is not written as it should be")
    func unreadable() throws {
        for name in PlaintextTests.files { try write("", to: name) }
        #expect(try doctor().findings == [])
        func findings(_ make: (String) throws -> Void) throws -> [String] {
            for name in PlaintextTests.files {
                try FileManager.default.removeItem(atPath: scene.file(name))
                try make(name)
            }
            return try doctor().findings.map(\.text)
        }
        func reasons(_ reason: String) -> [String] {
            PlaintextTests.files.map { "\(scene.file($0)) may have passwords, but was not examined: \(reason)" }
        }
        // In a folder of its own for each file, which is what people have instead.
        let loops = try findings {
            try FileManager.default.createSymbolicLink(atPath: scene.file($0), withDestinationPath: scene.file($0))
        }
        #expect(loops == reasons("Too many levels of symbolic links"))
        #expect(try findings { _ = try scene.folder.makeFolder($0) } == reasons("it is not a regular file"))
        let large = String(repeating: "x\n", count: 600_000)
        #expect(try findings { try write(large, to: $0) } == reasons("it is too large"))
        let (damaged, bytes) = (["home/.docker/config.json", "run/containers/auth.json"], Array(UInt8.min...UInt8.max))
        let every = try findings { try Data(bytes + bytes).write(to: URL(fileURLWithPath: scene.file($0))) }
        for name in damaged {
            #expect(
                every.contains("\(scene.file(name)) may have passwords, but is malformed"))
        }
    }

    @Test("a folder that may not be entered is told of", .enabled(if: getuid() != 0, "root may enter every folder"))
    func forbidden() throws {
        let folder = try scene.folder.makeFolder("home/.config/gh", mode: 0o000)
        let findings = try doctor().findings
        #expect(
            findings.map(\.text) == [
                "\(folder)/hosts.yml may have passwords, but was not examined: Permission denied"
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }
}
