// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What a backup should have, and has not.
struct BackupLack {
    /// What could not be read.
    var damage = MetDamage()
    /// What the daemon's rules give to other programs only.
    var unreached: [GroupCount] = []
    /// Why it does not give a person's own passwords to this one, where it says so.
    var refusal: String?

    var isAny: Bool { damage.isAny || !unreached.isEmpty }

    func say() {
        damage.say()
        if !unreached.isEmpty { Tool.say(unreachedWords) }
    }

    /// Fails where a backup lacks anything.
    func refuseBackup() throws(CommandError) {
        if !unreached.isEmpty, damage.isAny { Tool.say(unreachedWords) }
        try damage.refuseBackup()
        guard unreached.isEmpty else { throw .failure(unreachedWords) }
    }

    private var unreachedWords: String {
        "not in the backup: \(GroupCount.words(unreached)); \(refusal ?? GroupCount.advice)"
    }
}

extension GroupCount {
    /// What they have, and who does not get it.
    static func words(_ counts: [GroupCount]) -> String {
        let sum = counts.reduce(0) { $0 + $1.items }
        let groups = counts.map { "\(PlainText.shown($0.group)) (\($0.items))" }.joined(separator: ", ")
        return
            "\(sum == 1 ? "1 item" : "\(sum) items") in access groups that the daemon's rules do not give llavero: \(groups)"
    }

    static var advice: String {
        "have root name these groups in the file of /etc/llavero/entitlements.d that lists llavero, or leave the whole backup to the administrator (Daemon.md)"
    }
}

extension ToolKeychain {
    /// What a daemon says to who asks for a person's own passwords and does not get them; nil for who does.
    func refusalOfPasswords() -> String? {
        let request = MatchRequest(
            predicate: FurtherItem.predicate(AttributeList()), returning: [], limit: .single)
        do throws(CommandError) { _ = try match(request, of: .person) } catch {
            if case .keychain(let cause) = error, cause.reason == .missingEntitlement { return error.description }
        }
        return nil
    }

    /// The items that a daemon does not show to this program.
    func unreached() throws(CommandError) -> [GroupCount] {
        guard case .unreached(let counts) = try perform(.unreached, of: .everybody) else {
            throw ToolKeychain.otherReply
        }
        return counts
    }
}
