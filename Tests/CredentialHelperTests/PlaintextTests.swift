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
            4, "https://a:S3cret@two.example:8443/s", "pip: two.example",
            leaving: "[install]\nextra-index-url =\n    https://one.example/simple\n\n"),
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
                "CARGO_REGISTRY_TOKEN", "CARGO_REGISTRIES_MY_OWN_TOKEN",
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
            #expect(try scene.need("llavero", "list", "--plain").contains("ada\t"))
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
            PlaintextTests.files.map { "\(scene.file($0)) may keep passwords, and was not looked through: \(reason)" }
        }
        // In a folder of its own for each file, which is what people have instead.
        let loops = try findings {
            try FileManager.default.createSymbolicLink(atPath: scene.file($0), withDestinationPath: scene.file($0))
        }
        #expect(loops == reasons("Too many levels of symbolic links"))
        #expect(try findings { _ = try scene.folder.makeFolder($0) } == reasons("it is no file"))
        let large = String(repeating: "x\n", count: 600_000)
        #expect(try findings { try write(large, to: $0) } == reasons("it is larger than such a file can be"))
        let (damaged, bytes) = (["home/.docker/config.json", "run/containers/auth.json"], Array(UInt8.min...UInt8.max))
        let every = try findings { try Data(bytes + bytes).write(to: URL(fileURLWithPath: scene.file($0))) }
        for name in damaged {
            #expect(
                every.contains("\(scene.file(name)) may keep passwords, and is not written as its program writes it"))
        }
    }

    @Test("a folder that may not be entered is told of", .enabled(if: getuid() != 0, "root may enter every folder"))
    func forbidden() throws {
        let folder = try scene.folder.makeFolder("home/.config/gh", mode: 0o000)
        let findings = try doctor().findings
        #expect(
            findings.map(\.text) == [
                "\(folder)/hosts.yml may keep passwords, and was not looked through: Permission denied"
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    }
}
