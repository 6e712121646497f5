// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import KeychainModel
internal import KeychainSystem
internal import ProgramSigning

/// The program behind a connection, as well as it can be known: the bus tells the number of the process that connected, and
/// /proc what that executes.
///
/// It keeps honest programs apart. Another program of the same user can make itself look like any of them, for the kernel lets
/// it steer that one's processes.
package struct BusProgram: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// An application in a sandbox of Flatpak's, by its identifier.
        case flatpak
        case snap
        /// A program by the path of its file.
        case program
        /// A script by the path of the interpreter that runs it and the path of its file.
        case script
        /// One that could not be looked at.
        case unknown
    }

    package let kind: Kind
    package let name: String

    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// By bytes: two files may have names that are one to Unicode, and are two programs.
    package static func == (left: BusProgram, right: BusProgram) -> Bool {
        left.kind == right.kind && left.name.hasSameBytes(as: right.name)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        for byte in name.utf8 { hasher.combine(byte) }
    }

    /// What decisions about it are kept under.
    package var key: String { "\(kind.rawValue):\(name)" }

    /// The program of such a key; nil of what is none.
    package init?(key: String) {
        guard let colon = key.firstIndex(of: ":"), let kind = Kind(rawValue: String(key[..<colon])) else { return nil }
        let name = String(key[key.index(after: colon)...])
        guard !name.isEmpty, name.utf8.count <= BusProgram.longestName,
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }),
            kind != .script || BusProgram.isScript(name)
        else { return nil }
        self.init(kind, name)
    }

    /// Whether `name` is the path of an interpreter and one that is absolute.
    ///
    /// Paths can have spaces: the interpreter's ends at the first where one is named.
    private static func isScript(_ name: String) -> Bool {
        guard name.hasPrefix("/"),
            let end = name.indices.first(where: { name[$0] == " " && Interpreters.contains(String(name[..<$0])) })
        else { return false }
        return name[name.index(after: end)...].hasPrefix("/")
    }

    /// What people see of it.
    package var shown: String {
        switch kind {
        case .program, .script: name
        case .flatpak: "\(name) (Flatpak)"
        case .snap: "\(name) (snap)"
        case .unknown: "A program that could not be identified"
        }
    }

    static let longestName = 4096
    static let unknown = BusProgram(.unknown, "unknown")
}

/// A process that connected to the bus, held by its folder in /proc, which no later process gets.
package struct BusProcess: Sendable {
    package let program: BusProgram
    private let folder: OwnedDescriptor
    private let image: FileFacts?

    /// nil where there is no such process any more.
    package init?(_ process: Int32) {
        let folder = llv_peer_open_process_folder(process)
        guard folder >= 0 else { return nil }
        self.folder = OwnedDescriptor(owning: folder)
        image = try? FileFacts(ofImageIn: folder)
        program = BusProcess.program(of: process, in: self.folder)
        // What was read by number was this process's if it still runs, and the same program's if that is unchanged.
        guard (try? FileFacts(ofImageIn: folder)) == image else { return nil }
    }

    /// Whether the process still executes the file that it was known by.
    var isUnchanged: Bool {
        guard let image, let now = try? FileFacts(ofImageIn: folder.number) else { return image == nil }
        return now.isUnchanged(since: image)
    }

    private static func program(of process: Int32, in folder: OwnedDescriptor) -> BusProgram {
        if let name = flatpak(of: process) { return BusProgram(.flatpak, name) }
        if let name = snap(of: process) { return BusProgram(.snap, name) }
        guard let path = executable(of: process) else { return .unknown }
        guard Interpreters.contains(path), let script = script(of: process, in: folder, path),
            let program = BusProgram(key: "script:\(path) \(script)")
        else { return BusProgram(.program, path) }
        return program
    }

    /// The program that a process says it is, where everybody can read that and the process itself can write it: for no decision
    /// about what a program may do.
    static func claim(of process: Int32) -> BusProgram? {
        guard let word = text(of: process, "cmdline")?.split(separator: "\0").first else { return nil }
        return BusProgram(key: "program:\(word)")
    }

    /// The application that Flatpak wrote into the sandbox's root, where no application can write.
    private static func flatpak(of process: Int32) -> String? {
        guard let text = text(at: "/proc/\(process)/root/.flatpak-info") else { return nil }
        var isApplication = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                isApplication = line == "[Application]"
            } else if isApplication, line.hasPrefix("name=") {
                let name = String(line.dropFirst("name=".count))
                return isIdentifier(name) ? name : nil
            }
        }
        return nil
    }

    /// The snap whose control group it is in: `snap.NAME.APPLICATION…`, which snapd makes.
    private static func snap(of process: Int32) -> String? {
        guard let text = text(of: process, "cgroup") else { return nil }
        for part in text.split(whereSeparator: { $0 == "/" || $0 == "\n" }) where part.hasPrefix("snap.") {
            let names = part.split(separator: ".")
            if names.count >= 3, isIdentifier(String(names[1])) { return String(names[1]) }
        }
        return nil
    }

    private static func executable(of process: Int32) -> String? {
        let image = llv_peer_open_image(process)
        guard image >= 0 else { return nil }
        guard let path = path(of: OwnedDescriptor(owning: image)) else { return nil }
        // An upgrade replaced the file: the program is the same one for whoever decided about it.
        let name = path.hasSuffix(" (deleted)") ? String(path.dropLast(" (deleted)".count)) : path
        return BusProgram(key: "program:\(name)") == nil ? nil : name
    }

    /// The path of the file that an interpreter runs.
    ///
    /// A command line can hold passwords, in code that it gives or in words that another program takes: no word of it is ever
    /// kept, only the path of a file that is there, with its links followed. A process that went to another folder since it
    /// began is known by its interpreter, unless the word names a file there too.
    private static func script(of process: Int32, in folder: OwnedDescriptor, _ interpreter: String) -> String? {
        guard let text = text(of: process, "cmdline") else { return nil }
        // Each word ends with NUL; what follows the last one was cut off.
        let words = text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().dropFirst()
        guard let word = ScriptWord.find(in: words, of: interpreter) else { return nil }
        let file = unsafe llv_peer_open_its_file(folder.number, String(word))
        guard file >= 0 else { return nil }
        return path(of: OwnedDescriptor(owning: file))
    }

    private static func path(of file: OwnedDescriptor) -> String? {
        var bytes = [UInt8](repeating: 0, count: BusProgram.longestName + 16)
        let room = bytes.count
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.baseAddress.map { unsafe llv_peer_read_path(file.number, $0, room) } ?? -1
        }
        return count > 0 ? String(validating: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x2E || byte == 0x5F
            }
    }

    private static func text(of process: Int32, _ name: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: longestText)
        let room = bytes.count
        let count = unsafe llv_peer_read_process_file(process, name, &bytes, room)
        return count > 0 ? String(validating: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }

    private static func text(at path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: longestText)
        let room = bytes.count
        let count = unsafe llv_peer_read_file_at(path, &bytes, room)
        return count > 0 ? String(validating: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }

    private static let longestText = 16 << 10
}
