// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// `llavero status`.
enum StatusVerb: Verb {
    static let name = "status"
    static let summary = "shows the state of the keychain"
    static let help = """
        usage: llavero status [--keychain NAME] [--json | --plain]

        Shows the keychain's name and folder, which process serves it, whether it is locked, what protects its keys, warnings, such as
        that its database is damaged, as far as that is known without reading each item, and when it was last backed up. Of a
        database of more than 16 MiB it looks at a sample; `llavero check` reads all of it. It ends with 0 where the state could be
        told, whatever it is: a monitor looks at `state`, `problem` and `warnings` of --json, or calls `llavero doctor`, which ends
        with 1 where something is wrong; a keychain that is locked, as it was left, is not wrong to it.

          --keychain NAME   the state of another keychain, by name or path
          --json            one object
          --plain           a line for each field: its name, a tab, its value
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        guard !options.has("--json") || !options.has("--plain") else {
            throw .usage("--json and --plain cannot be used together")
        }
        do throws(CommandError) { show(try report(on: try Keychains.one(options)), options) } catch {
            // A program that reads objects gets one, whatever is wrong; the exit code says that it is.
            if options.has("--json") {
                print(
                    JSONText.object([
                        ("keychain", .text(options.value("--keychain") ?? Place.usualName)), ("exists", .null),
                        ("state", .text("unknown")), ("problem", .text(error.description)), ("fix", .null),
                    ]).line)
            }
            throw error
        }
    }

    private static func report(on keychain: ToolKeychain) throws(CommandError) -> KeychainReport {
        // First, since this restarts a daemon that is gone.
        var state: KeychainState?
        var trouble: DeviceTrouble?
        if try keychain.isThere {
            do throws(CommandError) { state = try examinedState(of: keychain) } catch {
                trouble = DeviceTrouble(of: keychain)
                if trouble == nil { throw error }
            }
        }
        // Of one that its device key does not open nothing says who has it.
        let isOpen = trouble == nil
        let folder = isOpen ? keychain.location : keychain.host.embedded.folder
        let lastBackup = isOpen ? BackupMark(keychain) : folder.flatMap { BackupMark(beside: $0) }
        return KeychainReport(
            name: KeychainNames.name(of: keychain.place), beginning: keychain.beginning,
            repairAdvice: keychain.repairAdvice,
            path: folder,
            socket: keychain.hasDaemon ? keychain.host.socket : nil, folder: keychain.folder, state: state,
            trouble: trouble, lastBackup: lastBackup?.time, snapshot: Snapshots(of: keychain)?.all.first,
            hidden: HiddenKeychain(by: keychain)?.text,
            vanished: state == nil && trouble == nil ? MissedKeychain(keychain) : nil,
            room: DiskRoom(of: keychain).trouble)
    }

    /// A daemon knows what it met, and looks each day; here nobody has looked yet.
    private static func examinedState(of keychain: ToolKeychain) throws(CommandError) -> KeychainState {
        let state = try keychain.state()
        guard !keychain.hasDaemon, !state.isDamaged else { return state }
        keychain.host.embedded.examineQuickly(atMost: mostPages)
        return try keychain.state()
    }

    /// 16 MiB, which are read in a few hundredths of a second: who looks how a large keychain stands does not wait for all of it.
    private static let mostPages = 4096

    private static func show(_ report: KeychainReport, _ options: Options) {
        if options.has("--json") {
            print(JSONText.object(report.members).line)
        } else if options.has("--plain") {
            for line in report.plain { print(line) }
        } else {
            for line in report.sentences { print(line) }
        }
    }
}

/// The state of a keychain, for people and for programs.
struct KeychainReport {
    /// Its name.
    let name: String
    /// What makes one that does not exist.
    let beginning: String
    /// What to do where its database is damaged.
    let repairAdvice: String
    /// Its folder; nil in memory, and where a daemon keeps it in a folder of its own.
    let path: String?
    /// The socket of the daemon that has the keys; nil when this process has them.
    let socket: String?
    let folder: String?
    /// nil for a keychain that does not exist yet, or that its device key does not open.
    let state: KeychainState?
    /// Why its device key does not open it, and what to do; nil if it does.
    let trouble: DeviceTrouble?
    /// When it was last backed up from here, in seconds since 2001.
    let lastBackup: Double?
    /// The newest one beside its folder.
    let snapshot: KeychainSnapshot?
    /// That the system's daemon has another one of that name; nil where that is not so.
    let hidden: String?
    /// That it was here and is gone; nil for another one.
    let vanished: MissedKeychain?
    /// What is wrong with the disk of its folder; nil where nothing is.
    let room: String?

    /// The members of the report; their names stay the same in every version.
    var members: [(String, JSONText)] {
        var members: [(String, JSONText)] = [
            ("keychain", .text(name)), ("path", .optional(path)),
            ("exists", .boolean(state != nil || trouble != nil)),
            ("keys", .text(socket == nil ? "process" : "daemon")),
            ("socket", .optional(socket)), ("folder", .optional(folder)),
        ]
        let backup = JSONText.optional(lastBackup.map(PastItem.time))
        if let trouble { return members + trouble.members(lastBackup: backup) }
        if let vanished {
            return members + [
                ("state", .text("gone")), ("last-backup", backup), ("problem", .text("it \(vanished.text)")),
                ("fix", .text(vanished.fix())),
            ]
        }
        guard let state else { return members }
        members += [
            ("state", .text(KeychainReport.name(of: state.lockState))),
            ("enclave", .text(state.enclave.kind == .tpm ? "tpm" : "software")),
            ("enclave-summary", .text(state.enclave.summary)), ("warnings", .list(warnings.map { .text($0) })),
            ("wrong-attempts", .number(Int64(state.attempts.failures))),
            ("wait-seconds", .number(Int64(state.attempts.wait))),
            ("erases-after", state.eraseAfter == 0 ? .null : .number(Int64(state.eraseAfter))),
            ("erased", .boolean(state.attempts.isErased)), ("recovery-key", .boolean(state.hasRecoveryKey)),
            ("generation", .number(Int64(state.generation))), ("resealing", .boolean(state.isResealing)),
            ("format", .number(state.format)), ("last-backup", backup), ("newest-snapshot", .optional(snapshot?.time)),
            ("problem", .optional(problem?.text)), ("fix", .optional(problem?.fix)),
        ]
        return members
    }

    /// What keeps items from being read, and what to do.
    private var problem: (text: String, fix: String)? {
        guard state?.isDamaged ?? false else { return nil }
        return ("the database is damaged", repairAdvice)
    }

    /// No line for a missing value, and a line for each element of a list.
    var plain: [String] {
        members.flatMap { name, value -> [String] in
            switch value {
            case .null: []
            case .list(let values): values.map { "\(name)\t\(KeychainReport.word($0))" }
            default: ["\(name)\t\(KeychainReport.word(value))"]
            }
        }
    }

    var sentences: [String] {
        let place = path.map { "in \($0)" } ?? (socket == nil ? "in memory" : "in a folder of the daemon")
        var lines = ["keychain: \(name), \(place)"]
        lines.append("keys: \(socket.map { "with the daemon at \($0)" } ?? "with this process only")")
        if let trouble { return lines + trouble.sentences + [lastBackupLine] }
        if let vanished { return lines + ["state: gone", "problem: it \(vanished.text)", "do: \(vanished.fix())"] }
        guard let state else {
            return lines + ["state: does not exist yet; \(beginning)"] + (hidden.map { ["warning: \($0)"] } ?? [])
        }
        lines.append("state: \(KeychainReport.words(for: state.lockState))")
        lines.append("enclave: \(state.enclave.summary)")
        lines += warnings.map { "warning: \($0)" }
        let attempts = state.attempts
        if attempts.failures > 0 {
            let wait = attempts.wait > 0 ? "; the next attempt is possible in \(attempts.wait) seconds" : ""
            lines.append("wrong passcodes: \(attempts.failures) in a row\(wait)")
        }
        if attempts.isErased {
            lines.append("erased: everything that the passcode protected was erased, after too many wrong ones")
        } else if state.eraseAfter > 0 {
            lines.append("erases: everything that the passcode protects, after \(state.eraseAfter) wrong ones in a row")
        }
        lines.append("recovery key: \(state.hasRecoveryKey ? "yes" : "none")")
        lines.append("generation: \(state.generation)\(state.isResealing ? ", and older ones" : "")")
        lines.append(lastBackupLine)
        if let snapshot { lines.append("newest snapshot: \(snapshot.description)") }
        return lines
    }

    private var lastBackupLine: String { "last backup: \(lastBackup.map(PastItem.time) ?? "none")" }

    private var warnings: [String] {
        guard let state else { return [] }
        return state.enclave.warnings
            + state.damagedClasses.map {
                "the key of class \($0.name) is damaged; unlock the keychain to create a new one"
            }
            + (state.isDamaged ? ["the database is damaged; `llavero repair` saves what is intact"] : [])
            + [state.lackOfRoom?.words].compactMap(\.self)
            + [state.lostChanges].compactMap { $0?.words } + [hidden, room].compactMap(\.self)
    }

    private static func word(_ value: JSONText) -> String {
        guard case .text(let text) = value else { return value.line }
        // Line ends and tabs are separators here.
        return String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    private static func name(of state: LockState) -> String {
        switch state {
        case .noPasscode: "no-passcode"
        case .beforeFirstUnlock: "before-first-unlock"
        case .unlocked: "unlocked"
        case .locked: "locked"
        }
    }

    private static func words(for state: LockState) -> String {
        switch state {
        case .noPasscode: "no passcode, so never locked"
        case .beforeFirstUnlock: "locked since the start"
        case .unlocked: "unlocked"
        case .locked: "locked"
        }
    }
}

/// A keychain that the system's daemon has for this user, and that a keychain or a daemon of the user's own hides.
struct HiddenKeychain {
    let text: String
    let fix: String

    /// nil where there is none.
    init?(by keychain: ToolKeychain) {
        guard !keychain.host.isWithSystemDaemon, let isThere = try? keychain.host.isThere else { return nil }
        let ending = Agent.endingCommand(of: keychain.host)
        switch (DaemonSocket.systemsOther(for: keychain.place, in: .current()), isThere) {
        // Who made one in a home of its own wants that.
        case (.none, _), (.silent, false), (.ofOtherHome, true), (.stopped, true): return nil
        case (.stopped, false):
            text =
                "the system's daemon, which is not enabled any more, keeps keychains of users; this one may be among them"
            fix = "sudo systemctl enable --now llaverod.socket has your programs use it again"
        case (.ofOtherHome, false):
            text =
                "the system's daemon has a keychain of this name for you, and is not asked: HOME is not that of your account"
            fix = "HOME as it is in /etc/passwd has your programs use it"
        case (.there, false):
            text =
                "the system's daemon has a keychain of this name for you; while a daemon of your own runs, nothing shows the items of that one"
            fix = "\(ending) has your programs use the system's daemon again"
        case (.there, true):
            text =
                "the system's daemon has a keychain of this name for you, too; while you have one of your own, nothing shows the items of that one"
            let circle =
                CircleTool.isInCircle(keychain) == true
                ? "; it is in a circle, which the one that is then used is not in: llavero circle join brings that in"
                : ""
            fix =
                "\(HiddenKeychain.moving(keychain)) has the system's daemon keep all of them; then remove FILE\(circle)"
        case (.silent, true):
            text =
                "the system's daemon keeps the keychains of this machine's users, and does not answer; if it has one of this name for you, your own hides its items"
            fix = "sudo systemctl start llaverod.socket, then llavero doctor again"
        }
    }
}

extension HiddenKeychain {
    /// What has the system's daemon keep the items of a user's own keychain.
    static func moving(_ keychain: ToolKeychain) -> String {
        let name = ShellWord.quoted(KeychainNames.name(of: keychain.place))
        // Behind the export, which may have started an agent.
        let ending = Agent.endingCommand(of: keychain.host)
        return
            "llavero export FILE --all --keychain \(name) && \(ending) && \(keychain.setAsideCommand) && llavero import FILE --keychain \(name)"
    }
}

/// Whether anything can be stored in a keychain's folder, as far as this user sees it.
struct DiskRoom {
    let trouble: String?
    let fix: String

    init(of keychain: ToolKeychain) {
        // Of one that is not there nothing is wrong.
        guard let folder = keychain.folder, unsafe access(folder, F_OK) == 0 else {
            (trouble, fix) = (nil, "")
            return
        }
        let lack = FolderRoom(of: folder)
        if case .readOnly? = lack {
            trouble = "its folder is on a read-only file system, so nothing can be stored"
            fix = "mount it for writing; if it became read-only by itself, the disk is failing: see dmesg"
        } else if unsafe access(folder, W_OK) != 0 {
            var facts = stat()
            let mode = unsafe stat(folder, &facts) == 0 ? String(facts.st_mode & 0o777, radix: 8) : "?"
            trouble = "its folder has the mode \(mode), so you can store nothing"
            fix = "chmod 700 \(ShellWord.quoted(folder)), as its owner"
        } else if case .full(let left)? = lack {
            trouble = "the disk of its folder is full, so nothing can be stored: \(left / 1024) KiB are left"
            fix = "free some space on the disk of \(ShellWord.quoted(folder)); items are found and removed meanwhile"
        } else {
            (trouble, fix) = (nil, "")
        }
    }
}

extension KeychainState.LackOfRoom {
    var words: String {
        switch self {
        case .quota: "less than 1 MiB is left of what llaverod gives each user of the disk, so items are refused"
        case .fullDisk: "the disk on which llaverod keeps it is full, so nothing can be stored"
        case .readOnlyDisk: "the disk on which llaverod keeps it is read-only, so nothing can be stored"
        }
    }

    var fix: String {
        switch self {
        case .quota:
            "llavero forget NAME or llavero remove --forever NAME, for what was changed or removed is kept for 30 days, then llavero compact; or ask the administrator for more (Docs/Daemon.md, Between users)"
        case .fullDisk: "the administrator frees some space there; items are found and removed meanwhile"
        case .readOnlyDisk:
            "the administrator mounts it for writing; if it became read-only by itself, the disk is failing: see dmesg"
        }
    }
}

/// A keychain whose device key does not open it.
struct DeviceTrouble {
    private let loss: DeviceLoss
    /// What to do about it.
    let fix: String

    /// nil if the device key opens it, or if that cannot be determined.
    init?(of keychain: ToolKeychain) {
        guard let loss = keychain.host.deviceLoss() else { return nil }
        self.loss = loss
        fix =
            switch loss.hindrance {
            case .exposed:
                "make the device key owned by you with mode 0600 (chown, chmod), and consider which users could read it before"
            case .forbidden:
                "nothing is lost: the device key is there, and its owner or mode keeps you out; make it owned by you with mode 0600 (chown, chmod)"
            case nil where loss.hasRecoveryKey: "llavero recovery use\(keychain.option)"
            case nil:
                (loss.enclave == .software ? "put that file back, from another copy of the folder; " : "")
                    + "to start over, \(keychain.startingOver(""))"
            }
    }

    var text: String { loss.cause.description }

    /// The same members as for an open keychain, with null for values that are not known.
    func members(lastBackup: JSONText) -> [(String, JSONText)] {
        [
            ("state", .text("no-device-key")), ("enclave", .text(loss.enclave == .tpm ? "tpm" : "software")),
            ("enclave-summary", .null), ("warnings", .list([])), ("wrong-attempts", .null), ("wait-seconds", .null),
            ("erases-after", .null), ("erased", .null), ("recovery-key", .boolean(loss.hasRecoveryKey)),
            ("generation", .number(Int64(loss.generation))), ("resealing", .null), ("format", .number(loss.format)),
            ("last-backup", lastBackup), ("problem", .text(text)), ("fix", .text(fix)),
        ]
    }

    var sentences: [String] {
        [
            "state: the device key does not open it", "problem: \(text)", "do: \(fix)",
            "recovery key: \(loss.hasRecoveryKey ? "yes" : "none")", "generation: \(loss.generation)",
        ]
    }
}

extension LostChanges {
    /// What is missing, for a warning.
    var words: String {
        "\(commits == 1 ? "one change is" : "\(commits) changes are") missing that had been stored, the last on \(PastItem.time(time))"
    }
}
