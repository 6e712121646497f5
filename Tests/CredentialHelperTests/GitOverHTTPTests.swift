// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import Testing

@Suite("git over HTTP with the helper") struct GitOverHTTPTests {
    private let scene: HelperScene
    private let server: GitServer

    init() throws {
        scene = try HelperScene()
        server = try GitServer(scene, user: "alíce", password: "ge heim=1")
        try scene.need("git", "config", "--global", "credential.helper", "llavero")
        // Whom git asks when the helper knows nothing; it counts how often.
        try scene.write(
            """
            #!/bin/sh
            echo "$1" >> "\(scene.file("asked"))"
            case "$1" in Username*) cat "\(scene.file("name"))";; *) cat "\(scene.file("answer"))";; esac
            """, to: "ask", mode: 0o700)
        scene.set("GIT_ASKPASS", scene.file("ask"))
        try scene.write("alíce\n", to: "name")
        try scene.write("ge heim=1\n", to: "answer")
    }

    private var questions: Int { scene.folder.text("asked").split(separator: "\n").count }

    private func stored() throws -> String {
        try scene.need(
            "git-credential-llavero", "get", input: "protocol=http\nhost=\(server.address)\n\n")
    }

    @Test("a password is asked for once, and then clone, fetch and push go on without anybody")
    func cloneFetchPush() throws {
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        #expect(questions == 2)
        #expect(try stored() == "username=alíce\npassword=ge heim=1\n")
        scene.set("GIT_ASKPASS", "/bin/false")
        try scene.need("git", "commit", "--quiet", "--allow-empty", "-m", "one", in: scene.file("first"))
        try scene.need("git", "push", "--quiet", "origin", "HEAD:main", in: scene.file("first"))
        try scene.need("git", "clone", "--quiet", server.url, scene.file("second"))
        try scene.need("git", "commit", "--quiet", "--allow-empty", "-m", "two", in: scene.file("first"))
        try scene.need("git", "push", "--quiet", "origin", "HEAD:main", in: scene.file("first"))
        try scene.need("git", "fetch", "--quiet", in: scene.file("second"))
        #expect(try scene.need("git", "log", "-1", "--format=%s", "origin/main", in: scene.file("second")) == "two\n")
        #expect(questions == 2)
        // Nobody but the helper is told: no other request than the first of each connection was refused.
        #expect(server.requests.allSatisfy { $0 == "401 -" || $0 == "200 alíce" })
    }

    @Test("a password that is wrong by now is forgotten, and the next right one kept")
    func wrongPassword() throws {
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        try server.setUser("alíce", password: "new")
        scene.set("GIT_ASKPASS", "/bin/false")
        #expect(try scene.run("git", "fetch", in: scene.file("first")).code != 0)
        #expect(try stored() == "")
        scene.set("GIT_ASKPASS", scene.file("ask"))
        try scene.write("new\n", to: "answer")
        try scene.need("git", "fetch", "--quiet", in: scene.file("first"))
        #expect(try stored() == "username=alíce\npassword=new\n")
    }

    @Test("a person's password that is wrong for git stays, and git asks for the right one until the person changes it")
    func websitesPassword() throws {
        let place = "http://\(server.address)/"
        try scene.need(
            "llavero", "add", "site", "--user", "alíce", "--url", place, "--stdin", "--quiet", input: "of the web")
        scene.set("GIT_ASKPASS", "/bin/false")
        let refused = try scene.run("git", "ls-remote", server.url)
        #expect(refused.code != 0 && refused.complaint.contains("it is your own, stays as it is"), "\(refused)")
        #expect(try stored() == "")
        #expect(try scene.need("llavero", "get", "site") == "of the web\n")
        scene.set("GIT_ASKPASS", scene.file("ask"))
        try scene.need("git", "ls-remote", server.url)
        #expect(questions == 2)
        try scene.need("git", "ls-remote", server.url)
        #expect(questions == 2)
        #expect(try stored() == "username=alíce\npassword=ge heim=1\n")
        #expect(try scene.need("llavero", "get", "site") == "of the web\n")
    }

    @Test("what a person changes after it was wrong is given to git again")
    func corrected() throws {
        let place = "http://\(server.address)/"
        try scene.need("llavero", "add", "site", "--user", "alíce", "--url", place, "--stdin", "--quiet", input: "old")
        scene.set("GIT_ASKPASS", "/bin/false")
        #expect(try scene.run("git", "ls-remote", server.url).code != 0)
        try scene.need("llavero", "edit", "site", "--stdin", "--quiet", input: "ge heim=1")
        try scene.need("git", "ls-remote", server.url)
    }

    @Test("a wrong password that was typed is not kept, and does not take a right one along")
    func wrongTyping() throws {
        try scene.write("wrong\n", to: "answer")
        #expect(try scene.run("git", "clone", server.url, scene.file("first")).code != 0)
        #expect(try stored() == "")
        try scene.write("ge heim=1\n", to: "answer")
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        let wrong = "http://alíce:wrong@\(server.address)/project.git"
        #expect(try scene.run("git", "ls-remote", wrong).code != 0)
        #expect(try stored() == "username=alíce\npassword=ge heim=1\n")
    }

    @Test("of several accounts the one that was right last comes first, though nothing of it has changed")
    func lastApproved() throws {
        func first() throws -> String { String(try stored().prefix { $0 != "\n" }) }
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        try server.setUser("bob", password: "other")
        try scene.write("other\n", to: "answer")
        try scene.need("git", "ls-remote", "http://bob@\(server.address)/project.git")
        #expect(try first() == "username=bob")
        try server.setUser("alíce", password: "ge heim=1")
        scene.set("GIT_ASKPASS", "/bin/false")
        try scene.need("git", "ls-remote", "http://al%C3%ADce@\(server.address)/project.git")
        #expect(try first() == "username=alíce")
        // While it stays so, nothing is written.
        let before = try scene.need("llavero", "show", "git: \(server.address)", "--user", "alíce")
        try scene.need("git", "fetch", "--quiet", in: scene.file("first"))
        #expect(try scene.need("llavero", "show", "git: \(server.address)", "--user", "alíce") == before)
    }

    @Test("with paths, every repository has its own password")
    func paths() throws {
        try scene.need("git", "config", "--global", "credential.useHttpPath", "true")
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        let asked = "protocol=http\nhost=\(server.address)\npath="
        let answer = "username=alíce\npassword=ge heim=1\n"
        #expect(try scene.need("git-credential-llavero", "get", input: asked + "project.git\n") == answer)
        #expect(try scene.need("git-credential-llavero", "get", input: asked + "other.git\n") == "")
    }

    @Test("the askpass answers git out of the keychain, without the helper")
    func askpass() throws {
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        try scene.need("git", "config", "--global", "--unset", "credential.helper")
        scene.set("GIT_ASKPASS", "llavero-askpass")
        try scene.need("git", "fetch", in: scene.file("first"))
        #expect(questions == 2)
    }

    @Test("a keychain that is locked gives nothing, says what to do, and holds git up for nobody")
    func locked() throws {
        try scene.need("git", "clone", "--quiet", server.url, scene.file("first"))
        try scene.need("llavero", "passcode", "set", "--new-fd", "0", input: "1234")
        scene.set("GIT_ASKPASS", "/bin/false")
        let answer = try scene.run("git", "fetch", in: scene.file("first"))
        #expect(answer.code != 0)
        #expect(answer.complaint.contains("git-credential-llavero: "))
        #expect(answer.complaint.contains("`llavero unlock`"))
        let helper = try scene.run("git-credential-llavero", "get", input: "protocol=http\nhost=\(server.address)\n")
        #expect(helper.code == 1)
        #expect(helper.output == "")
        #expect(helper.complaint.split(separator: "\n").count == 1)
    }
}
