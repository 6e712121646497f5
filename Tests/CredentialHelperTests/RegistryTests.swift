// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses
internal import TestPrompts
internal import Testing

/// The real podman and skopeo, and a real registry, with the set-up that Docs/Helpers.md gives.
@Suite(
    "images in a registry with a password",
    .enabled(
        if: RegistryScene.program != nil, "there is no docker-registry; Scripts/install-packages.sh test unpacks it")
) struct RegistryTests {
    private let registry: RegistryScene
    private var scene: HelperScene { registry.scene }

    init() throws { registry = try RegistryScene() }

    @Test("skopeo is tried", .enabled(if: ImageProgram.skopeo.works, "there is no skopeo that runs here"))
    func skopeoIsTried() {}

    @Test(
        "podman is tried",
        .enabled(
            if: ImageProgram.podman.works, "there is no podman that can make its storage here; uidmap may be missing"))
    func podmanIsTried() {}

    private func run(_ program: ImageProgram, _ more: [String], input: String = "") throws -> HelperScene.Answer {
        try scene.run(program.words(in: scene) + more, input: Data(input.utf8))
    }

    private func need(_ program: ImageProgram, _ more: String...) throws {
        let answer = try run(program, more)
        guard answer.code == 0 else { throw HelperScene.Failure(words: [program.rawValue] + more, answer: answer) }
    }

    private func logIn(_ program: ImageProgram, to place: String? = nil) throws -> HelperScene.Answer {
        try run(
            program,
            [
                "login", "--tls-verify=false", "--username", RegistryScene.user, "--password-stdin",
                place ?? registry.address,
            ], input: RegistryScene.password)
    }

    /// Puts an image into the registry, and takes it out again.
    private func pushAndPull(_ program: ImageProgram) throws {
        let image = "docker://\(registry.address)/hello:1"
        switch program {
        case .skopeo:
            try need(program, "copy", "--dest-tls-verify=false", "oci:image", image)
            try need(program, "copy", "--src-tls-verify=false", image, "oci:copy")
        case .podman:
            try need(program, "pull", "oci:image")
            let pulled = try run(program, ["images", "--quiet"]).output.dropLast()
            try need(program, "push", "--tls-verify=false", String(pulled), image)
            try need(program, "rmi", "--all", "--force")
            try need(program, "pull", "--tls-verify=false", "\(registry.address)/hello:1")
        }
    }

    @Test(
        "log in, push, pull, log out: the password is in the keychain, and in no file in the clear",
        arguments: ImageProgram.allCases.filter(\.works))
    func wholeWay(program: ImageProgram) throws {
        try registry.setUp()
        try registry.makeImage("image")
        #expect(throws: HelperScene.Failure.self) { try pushAndPull(program) }
        let login = try logIn(program)
        #expect(login.code == 0, "\(login)")
        #expect(try run(program, ["login", "--get-login", registry.address]).output == "\(RegistryScene.user)\n")
        #expect(
            try scene.need("docker-credential-llavero", "list") == #"{"\#(registry.address)":"\#(RegistryScene.user)"}"#
                + "\n")
        try pushAndPull(program)
        #expect(try registry.leaks() == [])
        #expect(try scene.need("llavero", "get", "docker: \(registry.address)") == RegistryScene.password + "\n")
        try need(program, "logout", registry.address)
        #expect(try scene.need("docker-credential-llavero", "list") == "{}\n")
        #expect(throws: HelperScene.Failure.self) { try pushAndPull(program) }
        #expect(try logIn(program).code == 0)
        try need(program, "logout", "--all")
        #expect(try scene.need("docker-credential-llavero", "list") == "{}\n")
        #expect(try registry.leaks() == [])
    }

    @Test(
        "where the keychain takes nothing, nothing is written anywhere else",
        arguments: ImageProgram.allCases.filter(\.works))
    func noFallBack(program: ImageProgram) throws {
        try registry.setUp()
        // The protocol of helpers knows registries, and no parts of them.
        #expect(try logIn(program, to: "\(registry.address)/part").code != 0)
        try scene.need("llavero", "passcode", "set", "--new-fd", "0", input: "1234")
        let locked = try logIn(program)
        #expect(locked.code != 0 && locked.complaint.contains("`llavero unlock`"), "\(locked)")
        #expect(try registry.leaks() == [])
    }

    @Test(
        "without the line in registries.conf.d the password lies in auth.json, whatever config.json says",
        arguments: ImageProgram.allCases.filter(\.works))
    func withoutSetUp(program: ImageProgram) throws {
        _ = try scene.folder.makeFolder("home/.docker")
        try scene.write(#"{"credsStore":"llavero"}"#, to: "home/.docker/config.json")
        #expect(try logIn(program).code == 0)
        #expect(try registry.leaks() == ["run/containers/auth.json"])
        #expect(try scene.need("docker-credential-llavero", "list") == "{}\n")
    }

    @Test(
        "what doctor says of such a file moves the password, by the program that is there",
        .enabled(if: ImageProgram.podman.works))
    func doctor() throws {
        // This registry has no certificate, as others have.
        _ = try scene.folder.makeFolder("home/.config/containers/registries.conf.d")
        try scene.write(
            "[[registry]]\nlocation = \"\(registry.address)\"\ninsecure = true\n",
            to: "home/.config/containers/registries.conf.d/test.conf")
        #expect(try logIn(.podman).code == 0)
        #expect(try registry.leaks() == ["run/containers/auth.json"])
        let found = try scene.need("llavero", "doctor", "--plain").split(separator: "\n").filter {
            $0.contains("\tplaintext\t")
        }
        let fields = try #require(found.first).split(separator: "\t", omittingEmptySubsequences: false)
        #expect(found.count == 1)
        #expect(
            fields[2]
                == "\(scene.file("run/containers/auth.json")), line 4: podman's password of a registry in base64, which is plain text"
        )
        let terminal = try PseudoTerminal()
        let process = try scene.start(["sh", "-c", String(fields[3])], on: terminal)
        try terminal.wait(for: "Username")
        try terminal.type(RegistryScene.user + "\n")
        try terminal.wait(for: "Password: ")
        try terminal.wait(forEcho: false)
        try terminal.type(RegistryScene.password + "\n")
        #expect(try process.wait() == 0, "\(terminal.shown)")
        #expect(try registry.leaks() == [])
        #expect(try scene.need("llavero", "get", "docker: \(registry.address)") == RegistryScene.password + "\n")
        #expect(try scene.need("llavero", "doctor").contains("have no plaintext passwords"))
    }
}

/// The programs that are tried; a test of its own says of each that is not.
enum ImageProgram: String, CaseIterable {
    case skopeo
    case podman

    /// What its commands begin with: all of podman's storage is the test's.
    func words(in scene: HelperScene) -> [String] {
        guard self == .podman else { return ["skopeo"] }
        return [
            "podman", "--root", scene.file("storage"), "--runroot", scene.file("run/storage"), "--storage-driver",
            "vfs",
            "--cgroup-manager", "cgroupfs", "--events-backend", "none",
        ]
    }

    /// Whether it runs: podman wants namespaces of users, or root's rights, for its storage.
    var works: Bool { ImageProgram.working.contains(self) }

    private static let working: Set<ImageProgram> = Set(
        allCases.filter { program in
            guard let scene = try? HelperScene(), let run = try? scene.folder.makeFolder("run") else { return false }
            scene.set("XDG_RUNTIME_DIR", run)
            let more = program == .podman ? ["images"] : ["--version"]
            return (try? scene.run(program.words(in: scene) + more, input: Data()).code) == 0
        })
}
