// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// The person's editor, with a text in memory.
///
/// An editor wants a file with a name, so the text lies in a folder of memory that its owner alone can enter, and so does what the
/// editor writes beside it. All of it is wiped and removed whatever ends the editor or this process; after SIGKILL and a crash the
/// next run does that.
enum TextEditor {
    /// What became of a text.
    enum Outcome {
        case kept
        /// The person saved what it was. `advice` is to be added to that: empty, or that the editor ended at once, and what to do
        /// where it may be open still.
        case unchanged(advice: String)
    }

    /// Opens a text, and hands on what the person saved, where that is something else.
    ///
    /// What `keep` refuses may be edited again, so that nothing that was typed is lost by a mistake.
    static func edit(
        _ text: SecretValue, called name: String,
        keep: (SecretValue) throws(CommandError) -> Void
    ) throws(CommandError) -> Outcome {
        let others = "or use --stdin or --fd N"
        try PersonalAnswer.requireAllowed(otherwise: others)
        guard isText(text) else {
            throw .failure("\(name) is no text, so an editor would change it; use --stdin or --fd N")
        }
        let editor = try EditorCommand()
        let failure = llv_stops_note()
        guard failure == 0 else { throw .failure("signals cannot be caught (\(failure))") }
        let result = Result { () throws(CommandError) in
            guard let folder = MemoryFolder(runtimeFolder: ProgramSearch.variable("XDG_RUNTIME_DIR")) else {
                throw .failure(
                    "neither $XDG_RUNTIME_DIR nor /dev/shm is in memory (tmpfs), and no disk may have the text; \(others)"
                )
            }
            defer { folder.remove() }
            return try edit(text, in: folder, editor, keep)
        }
        let stop = llv_stops_release()
        // It is tidied up now; whoever started this sees what ended it.
        if stop != 0 { raise(stop) }
        return try result.get()
    }

    private static func edit(
        _ text: SecretValue, in folder: MemoryFolder, _ editor: EditorCommand,
        _ keep: (SecretValue) throws(CommandError) -> Void
    ) throws(CommandError) -> Outcome {
        let path = folder.path + "/text"
        try write(text, to: path)
        while true {
            let soon = Instant.now.adding(seconds: 2)
            try editor.run(path, in: folder)
            let isSoon = Instant.now < soon
            do throws(CommandError) {
                let saved = try read(path, after: text)
                guard !saved.isEqualInConstantTime(to: text) else {
                    return .unchanged(advice: isSoon && !editor.waits ? editor.endedAtOnce : "")
                }
                try keep(saved)
                return .kept
            } catch {
                guard try isEditedAgain(after: error) else { throw error }
            }
        }
    }

    private static func write(_ text: SecretValue, to path: String) throws(CommandError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw OpenFile.failure("the text cannot be written for the editor") }
        let owned = OwnedDescriptor(owning: file)
        try SecretOutput.write(text, to: owned.number)
    }

    /// Without the line feed that an editor puts behind a last line which had none.
    private static func read(_ path: String, after before: SecretValue) throws(CommandError) -> SecretValue {
        // An editor may have put another file in its place.
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw OpenFile.failure("the text cannot be read behind the editor") }
        let owned = OwnedDescriptor(owning: file)
        let hadLineFeed = unsafe before.withUnsafeBytes { unsafe $0.last == UInt8(ascii: "\n" as Unicode.Scalar) }
        let text = try SecretInput.all(from: owned.number, line: !hadLineFeed)
        guard isText(text) else { throw .failure("the editor wrote something that is no text") }
        return text
    }

    private static func isText(_ text: SecretValue) -> Bool {
        let hasNull = unsafe text.withUnsafeBytes { unsafe $0.contains(0) }
        return text.isText && !hasNull
    }

    /// Asks a person who is at the terminal; others are told why nothing was changed.
    private static func isEditedAgain(after error: CommandError) throws(CommandError) -> Bool {
        guard llv_stops_noted() == 0, Screen.hasInput, Screen.complaints.isTerminal else { return false }
        let answer = try PersonalAnswer.ask(
            "\(error.description); what you wrote is still there. Open it again?", prompt: "Enter, or no:",
            otherwise: "nothing was changed")
        guard let answer, llv_stops_noted() == 0 else { return false }
        return !["no", "n"].contains(answer.lowercased())
    }
}

/// The command that opens a file in the editor of the person: $VISUAL, else $EDITOR, else what the system calls `editor`, else vi.
private struct EditorCommand {
    private let program: String
    private let words: [String]
    /// For messages.
    private let name: String
    /// Whether it is known to end only when the person is done.
    let waits: Bool

    init() throws(CommandError) {
        let variable = ["VISUAL", "EDITOR"].first { ProgramSearch.variable($0) != nil }
        let command =
            variable.flatMap(ProgramSearch.variable) ?? (ProgramSearch.path(of: "editor") == nil ? "vi" : "editor")
        let parts = command.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.compactMap { String($0) }
        guard let first = parts.first else { throw .failure("$\(variable ?? "EDITOR") names no editor") }
        let found = first.contains("/") ? first : ProgramSearch.path(of: first, inRelativeFolders: true)
        let known = EditorCommand.options(of: found)
        waits = !known.isEmpty
        // Some refuse one that is there twice.
        let options = known == ["--wait"] && parts.contains { $0 == "-w" || $0 == "--wait" } ? [] : known
        name = PlainText.shown(first)
        guard command.utf8.allSatisfy(EditorCommand.isPlain) else {
            // As git does it: what a shell has to understand is a shell's.
            program = "/bin/sh"
            words = ["sh", "-c", "\(command) \"$@\"", command] + options
            return
        }
        guard let found else {
            throw .failure(
                "there is no editor \(name)"
                    + (variable.map { ", which $\($0) names" } ?? "; $VISUAL or $EDITOR names another one"))
        }
        program = found
        words = parts + options
    }

    /// What is known where it left the text as it was within two seconds: it may have handed that to a window, where there are any.
    ///
    /// `true` is what people name as their editor to leave everything as it is.
    var endedAtOnce: String {
        let end = "; the editor \(name) ended at once"
        let hasWindows = ["DISPLAY", "WAYLAND_DISPLAY"].contains { ProgramSearch.variable($0) != nil }
        guard hasWindows, name.split(separator: "/").last != "true" else { return end }
        return end
            + ": if its window is still open, close it without saving, and give it an option by which it waits, such as `code --wait`"
    }

    /// Runs it until it is done with the file.
    func run(_ path: String, in folder: MemoryFolder) throws(CommandError) {
        // What it writes for commands and plug-ins of its own is in memory, too.
        let variable = "TMPDIR="
        let environment =
            ImportSource.environment.filter { !$0.utf8.starts(with: variable.utf8) } + [variable + folder.path]
        var arguments = unsafe (words + [path]).map { unsafe strdup($0) }
        var variables = unsafe environment.map { unsafe strdup($0) }
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        unsafe arguments.append(nil)
        unsafe variables.append(nil)
        fflush(nil)
        var status: Int32 = 0
        let failure = unsafe llv_attended_run(&status, program, arguments, variables)
        guard failure != EINTR else { throw .failure("nothing was changed") }
        guard failure == 0 else {
            throw .failure("the editor \(name) cannot be started: \(unsafe String(cString: strerror(failure)))")
        }
        guard status == 0 else {
            let end = status & 0x7F == 0 ? "with \(status >> 8 & 0xFF)" : "by signal \(status & 0x7F)"
            throw .failure("the editor \(name) ended \(end), so nothing was changed")
        }
    }

    /// Those by which it waits until the person is done, where it is known to need some, and by which vim keeps nothing of the text
    /// elsewhere: no swap file, no ~/.viminfo, no backup, no undo file.
    ///
    /// The last two behind the person's own settings, for those would undo them.
    private static func options(of program: String?) -> [String] {
        guard let program, let path = unsafe realpath(program, nil) else { return [] }
        defer { unsafe free(path) }
        func isOne(_ path: String, of names: [String]) -> Bool {
            let name = path.split(separator: "/").last ?? ""
            return names.contains { name == $0 || name.hasPrefix($0 + ".") }
        }
        let file = unsafe String(cString: path)
        if isOne(file, of: ["vim", "nvim", "gvim"]) {
            let nothing = ["-n", "-i", "NONE", "-c", "silent! set nobackup nowritebackup | silent! set noundofile"]
            // Its window, too, where it has one.
            return isOne(file, of: ["nvim"]) ? nothing : ["-f"] + nothing
        }
        // A link may lead to what starts all programs of a kind.
        let option = waiting.first { isOne(program, of: $0.names) || isOne(file, of: $0.names) }?.option
        return option.map { [$0] } ?? []
    }

    private static let waiting = [
        (
            names: [
                "code", "code-insiders", "code-oss", "codium", "vscodium", "cursor", "windsurf", "subl", "sublime_text",
                "atom", "zed", "zeditor", "gedit", "xed",
            ], option: "--wait"
        ),
        (names: ["kate"], option: "--block"), (names: ["gnome-text-editor"], option: "--standalone"),
        (names: ["mousepad"], option: "--disable-server"), (names: ["geany"], option: "--new-instance"),
        (names: ["nvim-qt"], option: "--nofork"),
    ]

    /// Whether it is the same for a shell.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "/._-+:@, \t".utf8.contains(byte)
    }
}
