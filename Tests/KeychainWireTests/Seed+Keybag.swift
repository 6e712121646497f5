// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed

extension Seed {
    mutating func keybagRequest() -> KeybagRequest {
        switch below(32) {
        case 30: .lostItems
        case 0: .state
        case 1: .lock
        case 2: .unlock(passcode(), lockingAfter: UInt32(truncatingIfNeeded: next()))
        case 3: .verify(passcode())
        case 4: .setPasscode(passcode(), erasingAfter: UInt32(truncatingIfNeeded: next()))
        case 5: .changePasscode(from: passcode(), to: passcode())
        case 6: .removePasscode(passcode())
        case 7: .abandonErasedPasscode
        case 8: .makeRecoveryKey(authorization(), seed: maybe { $0.secret() })
        case 9: .removeRecoveryKey(authorization())
        case 10: .recover(secret(), into: pick(EnclaveKind.allCases), passcode: maybe { $0.passcode() })
        case 11: .rotateKeys(authorization())
        case 12: .reseal(isSecondRound: flip())
        case 13: .enclaveKeys
        case 14: .settings
        case 15: .change(settings())
        case 16: .history(of: maybe { .item($0.itemClass(), $0.id()) }, before: maybe { $0.integer() })
        case 17: .pastVersion(integer())
        case 18: .bringBack(integer())
        case 20: .acceptItems
        case 28: .sync(syncRequest())
        case 29: .unreached
        case 21: .backupSecrets
        case 24: .compact
        case 25: .holdView
        case 26: .letGoOfView(ViewID(integer()))
        case 27: .stamps(itemClass(), behind: integer(), in: maybe { ViewID($0.integer()) })
        case 22:
            .restore(
                RestoreRequest(
                    items: some(upTo: 3) { $0.foundItem() }, replaces: flip(), isWhole: flip(), isRehearsal: flip()))
        case 23: .retain(some(upTo: 4) { $0.id() }, isRehearsal: flip())
        case 19: .forget(maybe { .item($0.itemClass(), $0.id()) })
        default:
            .move(
                EnclaveMove(
                    to: pick(EnclaveKind.allCases), passcode: maybe { $0.passcode() }, abandonsEnclaveKeys: flip(),
                    makesRecoveryKey: flip()), authorization())
        }
    }

    private mutating func removedItems() -> RemovedItems {
        var items = RemovedItems()
        for _ in 0..<below(4) { items.add(.item(.key, id())) }
        return items
    }

    mutating func keybagReply() -> KeybagReply {
        switch below(15) {
        case 0: .done
        case 1: .state(state())
        case 2: .removed(below(1000))
        case 3: .recoverySeed(maybe { $0.secret() })
        case 4:
            .resealed(
                ResealingProgress(
                    examined: below(1000), total: below(1000), end: pick(ResealingProgress.End.allCases)))
        case 5: .settings(settings())
        case 9: .compacted(below(1_000_000))
        case 7: .backup(backupSecrets())
        case 8: .restored(some(upTo: 4) { $0.pick(RestoreOutcome.allCases) }, removed: removedItems())
        case 6: .past(some(upTo: 3) { $0.pastVersion() })
        case 10: .view(maybe { ViewID($0.integer()) })
        case 12: .sync(syncReply())
        case 13: .unreached(some(upTo: 3) { GroupCount(group: $0.text(), items: $0.below(1000)) })
        case 11: .stamps(some(upTo: 4) { RowStamp(row: $0.integer(), id: $0.id(), stamp: $0.next()) })
        default: .references(some(upTo: 4) { .item(.key, $0.id()) })
        }
    }

    private mutating func backupSecrets() -> BackupSecrets {
        BackupSecrets(
            keychain: KeychainUUID(bytes(16)) ?? backupSecrets().keychain, signer: SecretValue(copying: bytes(32)),
            device: SecretValue(copying: bytes(32)), snapshot: maybe { SecretValue(copying: $0.bytes(32)) },
            recovery: maybe { $0.bytes(32) }, commits: UInt64(below(1000)))
    }

    private mutating func pastVersion() -> PastVersion {
        PastVersion(
            number: integer(), end: pick(PastVersion.End.allCases), since: Double(below(1000)),
            until: Double(below(1000)), item: foundItem())
    }

    private mutating func settings() -> KeychainSettings {
        KeychainSettings(locksWithSession: flip(), timeout: maybe { UInt32(truncatingIfNeeded: $0.next()) })
    }

    mutating func changes() -> KeychainChanges {
        let events = some(upTo: 4) { seed in
            ItemEvent(seed.pick([.added, .updated, .deleted]), seed.itemClass(), group: seed.text(), seed.id())
        }
        return KeychainChanges(events, isIncomplete: flip())
    }

    mutating func terminal() -> ClientTerminal {
        let names = ClientTerminal.names.shuffled(using: &self).prefix(below(ClientTerminal.names.count))
        let values = [
            "DISPLAY": ["\(flip() ? "host" : ""):\(below(99))"], "XAUTHORITY": ["/run/user/1/xauth_\(below(99))"],
        ]
        return ClientTerminal(
            names.map {
                ClientTerminal.Variable(name: $0, value: pick(values[$0] ?? ["C", "en", "xterm", "wayland0"]))
            })
            ?? terminal()
    }

    mutating func personQuestion() -> PersonQuestion {
        PersonQuestion(
            title: text(), description: text(), prompt: text(), error: maybe { $0.text() }, confirms: flip(),
            okTitle: maybe { $0.text() }, cancelTitle: maybe { $0.text() }, timeout: UInt32(below(3601)))
    }

    mutating func personAnswer() -> PersonAnswer {
        pick([.secret(SecretValue(copying: bytes(below(1001)))), .refused, .timedOut, .notAvailable, .failed])
    }

    mutating func passcode() -> Passcode {
        let bytes = bytes(1 + below(Passcode.longest))
        return Passcode(count: bytes.count) { $0.copyBytes(from: bytes) } ?? passcode()
    }

    private mutating func authorization() -> KeybagAuthorization { flip() ? .unlocked : .passcode(passcode()) }

    private mutating func state() -> KeychainState {
        var state = KeychainState(
            lockState: pick(LockState.allCases),
            enclave: EnclaveDescription(
                kind: pick(EnclaveKind.allCases), summary: text(), warnings: some(upTo: 3) { $0.text() }),
            eraseAfter: UInt32(truncatingIfNeeded: next()),
            attempts: KeychainState.Attempts(
                failures: 3, wait: UInt32(truncatingIfNeeded: next()), isErased: flip()),
            hasRecoveryKey: flip(), generation: UInt32(truncatingIfNeeded: next()), isResealing: flip(),
            damagedClasses: Array(Accessibility.allCases.prefix(below(4))), format: integer(),
            isDamaged: flip())
        state.lostChanges = maybe { LostChanges(commits: UInt64(1 + $0.below(1000)), time: Double($0.below(1000))) }
        state.lackOfRoom = maybe { KeychainState.LackOfRoom.allCases[$0.below(3)] }
        return state
    }
}
