// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// A registry of images as Debian packages it, for one user with a password, and an image to put into it.
final class RegistryScene {
    let scene: HelperScene
    let address: String
    private let server: Guardian
    /// Open as long as the server writes into it.
    private let log: NamedPipe

    static let user = "alíce"
    /// With letters that JSON, base64 and shells write in ways of their own.
    static let password = "ge:heim \"x\\é"

    /// Where the server is: unpacked by Scripts/install-packages.sh, or installed.
    static let program: String? = {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let package = sources.deletingLastPathComponent().deletingLastPathComponent()
        let unpacked = package.appendingPathComponent(".build/unpacked/usr/bin/docker-registry").path
        return [unpacked, "/usr/bin/docker-registry"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    init() throws {
        scene = try HelperScene()
        guard let program = RegistryScene.program else { throw Trouble("there is no docker-registry") }
        // In bcrypt, the only form that it takes, by the one program that every Debian has for it.
        scene.set("PASSWORD", RegistryScene.password)
        let hash = try scene.need("perl", "-e", #"print crypt($ENV{PASSWORD}, q($2b$04$abcdefghijklmnopqrstuu))"#)
        scene.set("PASSWORD", nil)
        try scene.write("\(RegistryScene.user):\(hash)\n", to: "htpasswd")
        try scene.write(
            """
            version: 0.1
            log: {level: info, accesslog: {disabled: true}}
            storage: {filesystem: {rootdirectory: \(try scene.folder.makeFolder("registry"))}}
            http: {addr: "127.0.0.1:0"}
            auth: {htpasswd: {realm: test, path: \(scene.file("htpasswd"))}}
            """, to: "registry.yml")
        log = try NamedPipe(scene.file("registry.log"))
        server = try Guardian(
            [program, "serve", scene.file("registry.yml")], environment: ["PATH": "/usr/bin:/bin"], output: log.path)
        var line = ""
        while !line.contains("listening on ") { line = try log.line() }
        guard let port = line.split(separator: "127.0.0.1:").last?.prefix(while: \.isNumber), let port = UInt16(port)
        else { throw Trouble("the registry does not say where it listens: \(line)") }
        // From here on nobody reads: what it still has to say fits into a pipe.
        address = "127.0.0.1:\(port)"
        scene.set("XDG_RUNTIME_DIR", try scene.folder.makeFolder("run"))
    }

    /// What the documents say that podman, skopeo and buildah need.
    func setUp() throws {
        _ = try scene.folder.makeFolder("home/.config/containers/registries.conf.d")
        try scene.write(
            "credential-helpers = [\"llavero\"]\n", to: "home/.config/containers/registries.conf.d/llavero.conf")
    }

    /// Writes an image of one small file, in the layout of the Open Container Initiative.
    func makeImage(_ name: String) throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Server/oci-image.py").path
        try scene.need("python3", "-B", script, scene.file(name))
    }

    /// The files of the user's in which the password stands, plain or as files of docker's have it.
    func leaks() throws -> [String] {
        let secrets = [
            RegistryScene.password, Data(RegistryScene.password.utf8).base64EncodedString(),
            Data("\(RegistryScene.user):\(RegistryScene.password)".utf8).base64EncodedString(),
            #"ge:heim \"x\\é"#,
        ].map { Data($0.utf8) }
        var leaks: [String] = []
        for root in ["home", "run", "storage", "keychains"] {
            let folder = scene.file(root)
            for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
                // Folders, and pipes that are gone by now.
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
                if secrets.contains(where: { bytes.range(of: $0) != nil }) { leaks.append("\(root)/\(name)") }
            }
        }
        return leaks
    }
}
