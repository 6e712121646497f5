// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

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
    let standing: KeychainStanding?
    /// Why its device key does not open it, and what to do; nil where it does.
    let trouble: DeviceTrouble?

    /// What there is to say; members of the same names in every version.
    var members: [(String, JSONText)] {
        var members: [(String, JSONText)] = [
            ("keychain", .text(name)), ("path", .optional(path)),
            ("exists", .boolean(standing != nil || trouble != nil)),
            ("keys", .text(socket == nil ? "process" : "daemon")),
            ("socket", .optional(socket)), ("folder", .optional(folder)),
        ]
        if let trouble { return members + trouble.members }
        guard let standing else { return members }
        members += [
            ("state", .text(KeychainReport.name(of: standing.lockState))),
            ("enclave", .text(standing.enclave.kind == .tpm ? "tpm" : "software")),
            ("enclave-summary", .text(standing.enclave.summary)), ("warnings", .list(warnings.map { .text($0) })),
            ("wrong-attempts", .number(Int64(standing.attempts.failures))),
            ("wait-seconds", .number(Int64(standing.attempts.wait))),
            ("erases-after", standing.eraseAfter == 0 ? .null : .number(Int64(standing.eraseAfter))),
            ("erased", .boolean(standing.attempts.isErased)), ("recovery-key", .boolean(standing.hasRecoveryKey)),
            ("generation", .number(Int64(standing.generation))), ("resealing", .boolean(standing.isResealing)),
            ("format", .number(standing.format)), ("problem", .null), ("fix", .null),
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
        guard let standing else { return lines + ["state: not there yet; the first item or passcode makes it"] }
        lines.append("state: \(KeychainReport.words(for: standing.lockState))")
        lines.append("enclave: \(standing.enclave.summary)")
        lines += warnings.map { "warning: \($0)" }
        let attempts = standing.attempts
        if attempts.failures > 0 {
            let wait = attempts.wait > 0 ? "; the next may be tried in \(attempts.wait) seconds" : ""
            lines.append("wrong passcodes: \(attempts.failures) in a row\(wait)")
        }
        if attempts.isErased {
            lines.append("erased: what the passcode protected is gone, after too many wrong ones")
        } else if standing.eraseAfter > 0 {
            lines.append("erases: what the passcode protects, after \(standing.eraseAfter) wrong ones in a row")
        }
        lines.append("recovery key: \(standing.hasRecoveryKey ? "yes" : "none")")
        lines.append("generation: \(standing.generation)\(standing.isResealing ? ", and older ones" : "")")
        return lines
    }

    private var warnings: [String] {
        guard let standing else { return [] }
        return standing.enclave.warnings
            + standing.damagedClasses.map { "the key of class \($0.name) is damaged; unlock to get a new one" }
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
