// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero status`.
enum StatusVerb: Verb {
    static let name = "status"
    static let summary = "says how the keychain stands"
    static let help = """
        usage: llavero status [--keychain NAME] [--json | --plain]

        Says which keychain it is, who has the keychain, whether it is locked, what guards its keys, and what is wrong with that.

          --keychain NAME   how another keychain stands, by its name or its path
          --json            one object
          --plain           a line for each thing: its name, a tab, its value
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        guard !options.has("--json") || !options.has("--plain") else { throw .usage("either --json or --plain") }
        let keychain = try Keychains.one(options)
        // First of all: where a daemon was gone it is there after that.
        var state: KeychainState?
        var trouble: DeviceTrouble?
        if try keychain.isThere {
            do throws(CommandError) { state = try keychain.state() } catch {
                trouble = DeviceTrouble(of: keychain)
                if trouble == nil { throw error }
            }
        }
        let report = KeychainReport(
            name: KeychainNames.name(of: keychain.place),
            path: trouble == nil ? keychain.location : keychain.host.embedded.folder,
            socket: keychain.hasDaemon ? keychain.host.socket : nil, folder: keychain.folder, state: state,
            trouble: trouble)
        if options.has("--json") {
            print(JSONText.object(report.members).line)
        } else if options.has("--plain") {
            for line in report.plain { print(line) }
        } else {
            for line in report.sentences { print(line) }
        }
    }
}

/// How a keychain stands, for people and for programs.
struct KeychainReport {
    /// What it is called.
    let name: String
    /// Where it lies; nil in memory, and where a daemon has it in a place of its own.
    let path: String?
    /// Where the daemon listens that has the keys; nil when this process has them.
    let socket: String?
    let folder: String?
    /// nil of a keychain that is not there yet, or that its device key does not open.
    let state: KeychainState?
    /// Why its device key does not open it, and what to do; nil where it does.
    let trouble: DeviceTrouble?

    /// What there is to say; members of the same names in every version.
    var members: [(String, JSONText)] {
        var members: [(String, JSONText)] = [
            ("keychain", .text(name)), ("path", .optional(path)),
            ("exists", .boolean(state != nil || trouble != nil)),
            ("keys", .text(socket == nil ? "process" : "daemon")),
            ("socket", .optional(socket)), ("folder", .optional(folder)),
        ]
        if let trouble { return members + trouble.members }
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
            ("format", .number(state.format)), ("problem", .null), ("fix", .null),
        ]
        return members
    }

    /// Nothing for what is not there, and a line for each element of a list.
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
        let place = path.map { "in \($0)" } ?? (socket == nil ? "in memory" : "in a folder of the daemon's")
        var lines = ["keychain: \(name), \(place)"]
        lines.append("keys: \(socket.map { "with the daemon at \($0)" } ?? "with this process alone")")
        if let trouble { return lines + trouble.sentences }
        guard let state else { return lines + ["state: not there yet; the first item or passcode makes it"] }
        lines.append("state: \(KeychainReport.words(for: state.lockState))")
        lines.append("enclave: \(state.enclave.summary)")
        lines += warnings.map { "warning: \($0)" }
        let attempts = state.attempts
        if attempts.failures > 0 {
            let wait = attempts.wait > 0 ? "; the next may be tried in \(attempts.wait) seconds" : ""
            lines.append("wrong passcodes: \(attempts.failures) in a row\(wait)")
        }
        if attempts.isErased {
            lines.append("erased: what the passcode protected is gone, after too many wrong ones")
        } else if state.eraseAfter > 0 {
            lines.append("erases: what the passcode protects, after \(state.eraseAfter) wrong ones in a row")
        }
        lines.append("recovery key: \(state.hasRecoveryKey ? "yes" : "none")")
        lines.append("generation: \(state.generation)\(state.isResealing ? ", and older ones" : "")")
        return lines
    }

    private var warnings: [String] {
        guard let state else { return [] }
        return state.enclave.warnings
            + state.damagedClasses.map { "the key of class \($0.name) is damaged; unlock to get a new one" }
    }

    private static func word(_ value: JSONText) -> String {
        guard case .text(let text) = value else { return value.line }
        // A line and a tab mean something here.
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
        case .beforeFirstUnlock: "locked, and not unlocked yet"
        case .unlocked: "unlocked"
        case .locked: "locked"
        }
    }
}

/// A keychain whose device key does not open it, for those who ask how it stands.
struct DeviceTrouble {
    private let loss: DeviceLoss
    /// What to do about it.
    let fix: String

    /// nil where the device key opens it, or where that cannot be told from here.
    init?(of keychain: ToolKeychain) {
        guard let loss = keychain.host.deviceLoss() else { return nil }
        self.loss = loss
        fix =
            loss.isExposed
            ? "have the device key owned by you with mode 0600 (chmod), and think of who could read it before"
            : loss.hasRecoveryKey
                ? "llavero recovery use\(keychain.option)"
                : "put the device key back, from a backup, for nothing else opens the keychain; to begin anew: \(keychain.setAsideCommand)"
    }

    var text: String { loss.cause.description }

    /// All that a keychain has which opens, and null for what nobody can tell.
    var members: [(String, JSONText)] {
        [
            ("state", .text("no-device-key")), ("enclave", .text(loss.enclave == .tpm ? "tpm" : "software")),
            ("enclave-summary", .null), ("warnings", .list([])), ("wrong-attempts", .null), ("wait-seconds", .null),
            ("erases-after", .null), ("erased", .null), ("recovery-key", .boolean(loss.hasRecoveryKey)),
            ("generation", .number(Int64(loss.generation))), ("resealing", .null), ("format", .number(loss.format)),
            ("problem", .text(text)), ("fix", .text(fix)),
        ]
    }

    var sentences: [String] {
        [
            "state: the device key does not open it", "problem: \(text)", "do: \(fix)",
            "recovery key: \(loss.hasRecoveryKey ? "yes" : "none")", "generation: \(loss.generation)",
        ]
    }
}
