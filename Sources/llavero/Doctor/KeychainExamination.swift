// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// The findings about one keychain: its files, its keys, its items.
enum KeychainExamination {
    static func findings(of keychain: ToolKeychain) -> [Diagnosis] {
        let name = "keychain \(PlainText.shown(KeychainNames.name(of: keychain.place)))"
        do throws(CommandError) {
            guard try keychain.isThere else {
                if let vanished = MissedKeychain(keychain) {
                    return [.wrong(name, PlainText.shown(vanished.text), fix: vanished.fix())]
                }
                guard keychain.beginsByItself else {
                    return [.advice(name, "does not exist", fix: keychain.creationCommand)]
                }
                if let hidden = HiddenKeychain(by: keychain) {
                    return [.wrong(name, PlainText.shown(hidden.text), fix: hidden.fix)]
                }
                return [.good(name, "does not exist yet; the first item creates it")]
            }
        } catch { return [unreachable(keychain, name, error)] }
        var findings = permissions(keychain, name)
        if let hidden = HiddenKeychain(by: keychain) {
            findings.append(.advice(name, PlainText.shown(hidden.text), fix: hidden.fix))
        } else if !keychain.host.isWithSystemDaemon, DaemonSocket.systemMightHave(keychain.place, in: .current()) {
            findings.append(
                .advice(
                    name, "the system's daemon runs, and does not have this one, which was here before it",
                    fix: "leave it, or have the daemon keep all of it: \(HiddenKeychain.moving(keychain))"))
        }
        if findings.contains(where: { $0.grade == .wrong }) { return findings }
        let room = DiskRoom(of: keychain)
        if let trouble = room.trouble { findings.append(.wrong(name, PlainText.shown(trouble), fix: room.fix)) }
        findings += clock(keychain, name)
        // An examination changes nothing, so it starts no daemon.
        if keychain.host.isAbandoned { return findings + [abandonment(keychain, name)] }
        do throws(CommandError) {
            findings += state(try keychain.state(), of: keychain, name)
            findings += auditLog(of: keychain, name)
            let checked: CheckedKeychain
            do throws(CommandError) { checked = try keychain.checked("checking") } catch {
                // Items of all programs are examined by programs that an administrator chose.
                guard keychain.host.isWithSystemDaemon, case .keychain(let cause) = error,
                    cause.reason == .missingEntitlement
                else { throw error }
                return findings + [
                    .good(name, "the system's daemon has it; its items are checked by its administrator")
                ]
            }
            findings += checked.findings.map {
                .wrong(
                    name, $0,
                    fix:
                        "llavero repair\(keychain.option) saves what is intact, and keeps the damaged files; or llavero restore puts back what a backup has\(snapshot(of: keychain))"
                )
            }
            findings += backup(of: keychain, name, items: checked.total)
            if checked.locked > 0 {
                findings.append(
                    .advice(
                        name, "it is locked: \(checked.lockedWords)",
                        fix: "llavero unlock\(keychain.option), then run llavero doctor again")
                )
            } else if checked.findings.isEmpty, let lost = keychain.lostWords {
                findings.append(
                    .advice(
                        name, "every other item is intact: \(lost)",
                        fix:
                            "store anew what programs of this device miss; circle: llavero circle leave\(keychain.option), then join"
                    ))
            } else if checked.findings.isEmpty {
                findings.append(.good(name, "every item is intact"))
            }
        } catch {
            if let trouble = DeviceTrouble(of: keychain) {
                findings.append(.wrong(name, PlainText.shown(trouble.text), fix: trouble.fix))
            } else {
                findings.append(.wrong(name, error.description, fix: advice(for: error, keychain)))
            }
        }
        return findings
    }

    /// One that a daemon keeps, or kept; whoever may not read it learns nothing of it.
    private static func auditLog(of keychain: ToolKeychain, _ name: String) -> [Diagnosis] {
        guard case .verdict(let verdict)? = try? keychain.audit(.verdict) else { return [] }
        guard !verdict.isIntact, verdict.records > 0 || keychain.hasDaemon else { return [] }
        return [
            .wrong(
                name, "its audit log was modified or damaged",
                fix:
                    "llavero audit --verify\(keychain.option) shows where; once that is looked into, the folder audit beside the keychain, laid aside while llaverod is stopped, makes way for a new one"
            )
        ]
    }

    /// Where else damaged items may be; empty where there is no snapshot.
    private static func snapshot(of keychain: ToolKeychain) -> String {
        guard let newest = Snapshots(of: keychain)?.all.first else { return "" }
        return ", or, with --snapshot\(keychain.option), the snapshot of \(newest.time)"
    }

    /// Ten items are worth a backup, and one of last month may miss what matters.
    private static func backup(of keychain: ToolKeychain, _ name: String, items all: Int) -> [Diagnosis] {
        // What it has of its circle is in no backup.
        let items = all - ((try? circleRecords(of: keychain)) ?? 0)
        guard items >= 10, let mark = BackupMark(keychain) else { return [] }
        let fix = "llavero backup --into FOLDER\(keychain.option)"
        guard let time = mark.time else {
            // A locked keychain counts all alike.
            let further = (try? FurtherItem.all(in: keychain))?.values.reduce(0) { $0 + $1.count } ?? 0
            let counted = FurtherItem.counted(items, including: further)
            return [.advice(name, "has \(counted) and was never backed up", fix: fix)]
        }
        let days = Int((BackupText.now - time) / 86_400)
        return days > 30 ? [.advice(name, "was last backed up \(days) days ago", fix: fix)] : []
    }

    private static func circleRecords(of keychain: ToolKeychain) throws(CommandError) -> Int {
        var count = 0
        for itemClass in ItemClass.allCases {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .named(AccessGroup.sync.name),
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            let request = MatchRequest(predicate: predicate, returning: [.attributes], limit: .all)
            count += try keychain.matchWithDamaged(request, of: .everybody).count
        }
        return count
    }

    /// Files from the future: the clock is wrong now, or was then, and what goes by dates goes wrong.
    private static func clock(_ keychain: ToolKeychain, _ name: String) -> [Diagnosis] {
        guard let folder = keychain.folder else { return [] }
        let times = ["keychain.db", "keychain.db-wal"].compactMap { file -> Double? in
            var facts = stat()
            guard unsafe lstat("\(folder)/\(file)", &facts) == 0 else { return nil }
            return Double(Int64(facts.st_mtim.tv_sec) - UTCTime.secondsFrom1970To2001)
        }
        let latest = (times + [BackupMark(keychain)?.time].compactMap(\.self)).max() ?? 0
        guard latest > BackupText.now + 86_400 else { return [] }
        return [
            .advice(
                name,
                "was changed or backed up on \(PastItem.time(latest)), and this machine's clock says \(PastItem.time(BackupText.now))",
                fix:
                    "see that the clock is right (timedatectl): one-time codes, dates of items and which backup is the newest go by it; where it is, change something and make a new backup"
            )
        ]
    }

    /// The finding where it cannot be determined whether the keychain exists.
    private static func unreachable(_ keychain: ToolKeychain, _ name: String, _ error: CommandError) -> Diagnosis {
        if keychain.isOfSystem {
            return .wrong(name, PlainText.shown(error.description), fix: advice(for: error, keychain))
        }
        var fix = "export HOME=/your/home, or LLAVERO_HOME=/a/folder/of/yours"
        if case .keychain(let cause) = error, cause.code != nil, case .folder(let root, _) = keychain.place {
            fix = "get access to \(root) and its parent folders: `namei -l \(root)` shows which one denies it"
        }
        return .wrong(name, PlainText.shown(error.description), fix: PlainText.shown(fix))
    }

    private static func permissions(_ keychain: ToolKeychain, _ name: String) -> [Diagnosis] {
        guard !keychain.hasDaemon, case .folder(let root, let folder) = keychain.place else { return [] }
        var findings: [Diagnosis] = []
        for path in [root, "\(root)/\(folder)"] {
            let isRoot = path == root
            do throws(KeychainError) {
                if isRoot {
                    try KeychainFolder.refuseUnsafe(path)
                } else {
                    try KeychainFolder(root: root, name: folder).refuseUnsafe()
                }
            } catch {
                let fix =
                    (isRoot ? "chmod 700 " : "chmod -R go= ") + ShellWord.quoted(path)
                    + (error.text.contains("belongs") ? ", as its owner" : "")
                findings.append(.wrong(name, PlainText.shown(error.description), fix: PlainText.shown(fix)))
            }
        }
        if findings.isEmpty { findings.append(.good(name, "no other user can read its folder")) }
        return findings
    }

    /// The other commands start a daemon here; this one only reports it.
    private static func abandonment(_ keychain: ToolKeychain, _ name: String) -> Diagnosis {
        .wrong(
            name, "was served by a llaverod that is gone: killed, or ended with the machine",
            fix: keychain.unlockCommand)
    }

    private static func state(
        _ state: KeychainState, of keychain: ToolKeychain, _ name: String
    ) -> [Diagnosis] {
        var findings: [Diagnosis] = []
        switch state.lockState {
        case .noPasscode:
            let (text, fix) = keychain.exposure(state)
            findings.append(fix.map { .advice(name, text, fix: $0) } ?? .good(name, text))
        case .unlocked: findings.append(.good(name, "is unlocked"))
        case .locked, .beforeFirstUnlock:
            findings.append(
                .advice(name, "is locked, so operations that need it unlocked fail", fix: keychain.unlockCommand))
        }
        if state.attempts.wait > 0 {
            findings.append(
                .wrong(
                    name, "has had \(state.attempts.failures) wrong passcodes in a row",
                    fix:
                        "wait \(state.attempts.wait) seconds before the next one; "
                        + keychain.forgottenAdvice(hasRecoveryKey: state.hasRecoveryKey, "")))
        }
        if state.attempts.isErased {
            findings.append(
                .wrong(
                    name, "everything that the passcode protected was erased, after too many wrong passcodes",
                    fix: state.hasRecoveryKey
                        ? "llavero recovery use\(keychain.option)" : "to start over, \(keychain.startingOver(""))"))
        }
        findings += state.damagedClasses.map {
            .wrong(name, "the key of class \($0.name) is damaged", fix: "\(keychain.unlockCommand) creates a new one")
        }
        if let lost = state.lostChanges {
            findings.append(
                .wrong(
                    name, lost.words,
                    fix: "put the later copy back, or accept what is there: llavero check --accept\(keychain.option)"))
        }
        if let lack = state.lackOfRoom { findings.append(.wrong(name, lack.words, fix: lack.fix)) }
        if state.isDamaged {
            findings.append(
                .wrong(
                    name, "the database is damaged",
                    fix: keychain.repairAdvice + (keychain.isOfSystem ? "" : " saves what is intact")))
        }
        // Who may not administer the keychain is not told.
        let unreached = keychain.hasDaemon ? try? keychain.unreached() : nil
        if let unreached, !unreached.isEmpty {
            findings.append(.advice(name, "has \(GroupCount.words(unreached))", fix: GroupCount.advice))
        }
        findings.append(.good("enclave", PlainText.shown(state.enclave.summary)))
        findings += state.enclave.warnings.map {
            .advice("enclave", PlainText.shown($0), fix: "llavero status\(keychain.option) shows details")
        }
        if !state.hasRecoveryKey {
            findings.append(
                .advice(
                    name, "has no recovery key, so it cannot be opened any more if its device key is lost",
                    fix: keychain.isOfSystem && unreached == nil
                        ? "llavero recovery make, once the administrator's file for llavero says administers-keys; else a backup of /var/lib/llavero"
                        : "llavero recovery make\(keychain.option)"))
        }
        return findings
    }

    private static func advice(for error: CommandError, _ keychain: ToolKeychain) -> String {
        guard case .keychain(let cause) = error else { return "llavero status\(keychain.option) shows details" }
        if cause.reason == .interactionNotAllowed { return keychain.unlockCommand }
        if cause.reason == .missingEntitlement { return "see Docs/Daemon.md, Who asks" }
        if cause.reason == .noDaemon, cause.code == Int64(EAFNOSUPPORT) {
            return "add AF_UNIX to RestrictAddressFamilies= of the unit that runs this, or run it outside"
        }
        guard [.notAvailable, .noDaemon].contains(cause.reason) else {
            return "llavero check\(keychain.option) shows details"
        }
        // The line above says it of damage that can be mended.
        if cause.text.contains("`llavero repair`") { return keychain.repairAdvice }
        if keychain.isOfSystem {
            return cause.text.contains("systemctl start")
                ? "sudo systemctl start llaverod.socket"
                : cause.text.contains("`sudo chown")
                    ? "the command that the line above names"
                    : "the administrator does what the line above says; sudo journalctl -u llaverod has the rest"
        }
        return keychain.hasDaemon
            ? "end the llaverod that serves it, and try again to see why"
            : "do what the line above says, then run llavero status\(keychain.option)"
    }
}
