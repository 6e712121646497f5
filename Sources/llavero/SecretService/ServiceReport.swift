// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainConnection
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainTools

/// What is known of the Secret Service on this machine now, and at the next login.
struct ServiceReport {
    enum NameState {
        case none
        case silent
        case free
        case owned(NameOwner)
    }

    let bus: NameState
    /// Whether our daemon is to serve: for this user, and for all.
    let isEnabled: Bool
    let isEnabledForAll: Bool
    /// How the bus starts the service, the file that counts first.
    let activation: [ActivationFile]
    /// What starts another provider, in spite of everything.
    let starters: [String]
    /// What was changed by `enable` and is not so any more.
    let changed: [String]

    init() throws(CommandError) {
        let scope = try ServiceScope.user()
        if let address = Bus.ofSession {
            if let connection = Bus(address) {
                let owner = try Handover.owner(on: connection)
                bus = owner.map { .owned($0) } ?? .free
            } else {
                bus = .silent
            }
        } else {
            bus = .none
        }
        isEnabled = Folders.isThere(scope.mark)
        isEnabledForAll = Folders.isThere(ServiceScope.system.mark)
        activation = ActivationFile.all(of: SecretService.usualName)
        starters = ServiceReport.starters(scope)
        let own = try Takeover(at: scope.record, isOfSystem: false)?.changedSince() ?? []
        let all = try? Takeover(at: ServiceScope.system.record, isOfSystem: true)?.changedSince()
        changed = own + (all ?? [])
    }

    private static func starters(_ scope: ServiceScope) -> [String] {
        var starters: [String] = []
        for unit in OtherProviders.units {
            let places = ([scope.units] + Folders.units).map { "\($0)/\(unit)" }
            guard let first = places.first(where: isThereOrLink) else { continue }
            if (try? FileState(at: first)) != .mask { starters.append(first) }
        }
        for name in OtherProviders.autostart {
            let places = ([scope.autostart] + Folders.autostart).map { "\($0)/\(name)" }
            guard let first = places.first(where: Folders.isThere),
                let bytes = try? OpenFile(first).bytes(limit: 1 << 20)
            else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            if !lines.contains("Hidden=true") { starters.append(first) }
        }
        for name in OtherProviders.names {
            if let first = ActivationFile.all(of: name).first, first.startsGnomeKeyring { starters.append(first.path) }
        }
        return starters
    }

    private static func isThereOrLink(_ path: String) -> Bool {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0
    }

    // MARK: Words

    /// Who has the name now.
    var now: String {
        switch bus {
        case .none: "there is no session bus here"
        case .silent: "the session bus cannot be reached"
        case .free: "nobody provides it now"
        case .owned(let owner): ServiceReport.words(owner)
        }
    }

    static func words(_ owner: NameOwner) -> String {
        let process = owner.process.map { ", process \($0)" } ?? ""
        return "\(owner.program.shown)\(process)"
    }

    var enabled: String {
        if isEnabled { return isEnabledForAll ? "for you, and for all users" : "for you" }
        return isEnabledForAll ? "for all users" : "no"
    }

    /// What the bus starts for a program that asks while nobody provides it.
    var started: String {
        guard let first = activation.first else { return "nothing" }
        let unit = first.unit.map { ", or the unit \($0)" } ?? ""
        return "\(first.command)\(unit) (\(first.path))"
    }

    var next: String {
        guard isEnabled || isEnabledForAll else { return "as without Llavero" }
        guard activation.first?.startsOurs ?? false else {
            return "whatever starts first; the bus starts another provider: `llavero secret-service enable` mends that"
        }
        guard let first = starters.first else { return "llaverod" }
        return "llaverod, unless \(first) starts another provider first: `llavero secret-service enable` mends that"
    }

    /// Names and values; the names stay the same in every version.
    var members: [(String, JSONText)] {
        var owner: NameOwner?
        if case .owned(let found) = bus { owner = found }
        return [
            ("name", .text(SecretService.usualName)), ("owner", .optional(owner?.program.shown)),
            ("owner-process", .optional(owner?.process.map { Int64($0) })), ("ours", .boolean(owner?.isOurs ?? false)),
            ("enabled", .boolean(isEnabled)), ("enabled-for-all", .boolean(isEnabledForAll)),
            ("activation", .list(activation.map { .text($0.path) })),
            ("activation-ours", .boolean(activation.first?.startsOurs ?? false)),
            ("others-started-by", .list(starters.map { .text($0) })),
            ("changed-since", .list(changed.map { .text($0) })),
        ]
    }

    var sentences: [String] {
        var lines = [
            "now: \(now)", "enabled: \(enabled)", "started by the bus: \(started)", "at the next login: \(next)",
        ]
        for file in activation.dropFirst() { lines.append("not used: \(file.path)") }
        for path in changed { lines.append("changed by somebody else: \(path)") }
        if let line = ServiceReport.pam { lines.append("note: \(line)") }
        return lines.map { PlainText.lines($0) }
    }

    /// PAM starts gnome-keyring in some logins; it takes the name only when something tells it to.
    private static var pam: String? {
        for name in (FolderNames.of("/etc/pam.d") ?? []).sorted() {
            guard let bytes = try? OpenFile("/etc/pam.d/\(name)").bytes(limit: 1 << 16) else { continue }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let starts = lines.contains { line in
                !line.hasPrefix("#") && line.contains("pam_gnome_keyring.so") && line.contains("auto_start")
            }
            if starts {
                return "/etc/pam.d/\(name) has gnome-keyring started at login (pam_gnome_keyring.so auto_start)"
            }
        }
        return nil
    }
}
