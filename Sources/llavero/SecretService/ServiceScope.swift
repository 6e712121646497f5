// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainTools

/// For whom the Secret Service is to be ours, and which files say so: one user, or all users of the machine.
struct ServiceScope {
    let isOfSystem: Bool
    /// Where a file makes llaverod serve.
    let mark: String
    /// Where it is noted what was changed.
    let record: String
    /// Where files of the message bus go before those of packages.
    let busFiles: String
    let units: String
    let autostart: String
    /// Whether the daemon has to be told where the keychains are.
    private let root: String?

    /// All users'.
    static let system = ServiceScope(
        isOfSystem: true, mark: ServiceMark.ofSystem, record: "/etc/llavero/secret-service-changes",
        busFiles: "/usr/local/share/dbus-1/services", units: "/etc/systemd/user", autostart: "/etc/xdg/autostart",
        root: nil)

    static func user() throws(CommandError) -> ServiceScope {
        let environment = Environment.current()
        let root = try ToolKeychain.translating { () throws(KeychainError) in try Place.root(named: environment) }
        guard let home = environment.home, home.hasPrefix("/") else { throw .failure("the user has no home folder") }
        let data = Folders.variable("XDG_DATA_HOME") ?? "\(home)/.local/share"
        let configuration = Folders.variable("XDG_CONFIG_HOME") ?? "\(home)/.config"
        return ServiceScope(
            isOfSystem: false, mark: ServiceMark.path(root: root), record: root + "/.secret-service-changes",
            busFiles: data + "/dbus-1/services", units: configuration + "/systemd/user",
            autostart: configuration + "/autostart", root: environment["LLAVERO_HOME"] == nil ? nil : root)
    }

    /// What is to be at each path.
    func wanted() throws(CommandError) -> [(path: String, state: FileState)] {
        guard let daemon = Agent.installed(beside: Environment.current().executable) else {
            throw .failure("llaverod was not found beside this program")
        }
        var wanted: [(path: String, state: FileState)] = [(mark, .file("1\n"))]
        for unit in OtherProviders.units where Folders.units.contains(where: { Folders.isThere("\($0)/\(unit)") }) {
            wanted.append(("\(units)/\(unit)", .mask))
        }
        for name in OtherProviders.autostart {
            let path = "\(autostart)/\(name)"
            if isOfSystem {
                if let hidden = try OtherProviders.hidden(path) { wanted.append((path, hidden)) }
            } else if Folders.autostart.contains(where: { Folders.isThere("\($0)/\(name)") }) {
                wanted.append((path, .file(OtherProviders.hiddenEntry)))
            }
        }
        for name in OtherProviders.names where ActivationFile.all(of: name).contains(where: \.startsGnomeKeyring) {
            wanted.append(("\(busFiles)/\(name).service", .file(OtherProviders.nobody(name))))
        }
        wanted.append(("\(busFiles)/\(SecretService.usualName).service", .file(activation(daemon))))
        return wanted
    }

    /// What the bus does when a program asks for the service and nobody has it.
    private func activation(_ daemon: String) -> String {
        // As the tools start it: it holds a keychain while that is in use, and `llavero lock --end-agent` ends it.
        var command = ShellWord.quoted(daemon) + " --agent"
        if let root { command += " --home \(ShellWord.quoted(root))" }
        var text = "[D-BUS Service]\nName=\(SecretService.usualName)\nExec=\(command)\n"
        // Used by a bus that the service manager started; the others use the line above. Its unit knows the usual folder.
        let hasUnit = Folders.units.contains { Folders.isThere("\($0)/llaverod.service") }
        if root == nil, hasUnit { text += "SystemdService=llaverod.service\n" }
        return text
    }
}

/// Where things are on a Linux.
enum Folders {
    /// Where the service manager finds units of users, beside their own.
    static let units = [
        "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user", "/lib/systemd/user",
    ]

    /// Where sessions find what to start, beside the user's own.
    static var autostart: [String] {
        (variable("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(separator: ":").map { "\($0)/autostart" }
    }

    /// Where the bus of a session finds what to start: the first file of a name counts.
    static var busFiles: [String] {
        let home = Environment.current().home ?? "/nonexistent"
        let data = variable("XDG_DATA_HOME") ?? "\(home)/.local/share"
        let shared = (variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        var folders: [String] = []
        let first = variable("XDG_RUNTIME_DIR").map { [$0] } ?? []
        for folder in first + [data] + shared + ["/usr/share"] {
            let services = folder + "/dbus-1/services"
            if !folders.contains(services) { folders.append(services) }
        }
        return folders
    }

    /// Absolute, as the base directory specification wants it.
    static func variable(_ name: String) -> String? {
        ProgramSearch.variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    static func isThere(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

/// What starts other providers.
enum OtherProviders {
    static let units = ["gnome-keyring-daemon.socket", "gnome-keyring-daemon.service", "oo7-daemon.service"]
    static let autostart = ["gnome-keyring-secrets.desktop"]
    /// Names besides that of the Secret Service for which the bus would start a provider, which then takes that name, too.
    static let names = ["org.gnome.keyring", "org.freedesktop.impl.portal.Secret"]

    /// For one user: it hides the file of that name for all.
    static let hiddenEntry = """
        [Desktop Entry]
        Type=Application
        Name=Secret Service (served by llaverod)
        Hidden=true

        """

    /// The same for all users: their file itself says so; nil where there is none.
    static func hidden(_ path: String) throws(CommandError) -> FileState? {
        guard case .file(let bytes, let mode) = try FileState(at: path) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.contains("Hidden=true") { return .file(bytes, mode: mode) }
        guard let head = lines.firstIndex(of: "[Desktop Entry]") else { return nil }
        let hidden = lines[...head] + ["Hidden=true"] + lines[(head + 1)...]
        return .file(Array(hidden.joined(separator: "\n").utf8), mode: mode)
    }

    /// A file for the bus with which nothing is started for a name.
    static func nobody(_ name: String) -> String { "[D-BUS Service]\nName=\(name)\nExec=/bin/false\n" }

    /// Files of gnome-keyring that have items in them.
    static var keyrings: [String] {
        let home = Environment.current().home ?? "/nonexistent"
        let folder = (Folders.variable("XDG_DATA_HOME") ?? "\(home)/.local/share") + "/keyrings"
        guard let names = FolderNames.of(folder) else { return [] }
        return names.filter { $0.hasSuffix(".keyring") }.sorted().map { "\(folder)/\($0)" }
    }
}

/// A file that says how the bus starts the owner of a name.
struct ActivationFile {
    let path: String
    let name: String
    let command: String
    let unit: String?

    var startsGnomeKeyring: Bool { command.contains("gnome-keyring-daemon") }
    var startsOurs: Bool {
        let program = command.split(separator: " ").first ?? ""
        return program == "llaverod" || program.hasSuffix("/llaverod") || program.hasSuffix("/llaverod'")
    }

    /// Those of a name, the one that counts first.
    static func all(of name: String) -> [ActivationFile] {
        Folders.busFiles.flatMap { folder in
            // Any file may be for the name, and mostly it is the one that is called so.
            (FolderNames.of(folder) ?? []).filter { $0.hasSuffix(".service") }.sorted().compactMap { file in
                ActivationFile("\(folder)/\(file)", of: name)
            }
        }
    }

    private init?(_ path: String, of name: String) {
        guard let bytes = try? OpenFile(path).bytes(limit: 1 << 16) else { return nil }
        var fields: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: sign)...].drop { $0 == " " }
            fields[line[..<sign].filter { $0 != " " }] = String(value)
        }
        guard fields["Name"] == name else { return nil }
        self.path = path
        self.name = name
        command = fields["Exec"] ?? ""
        unit = fields["SystemdService"]
    }
}

/// The names in a folder.
enum FolderNames {
    /// nil where it cannot be read.
    static func of(_ folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
