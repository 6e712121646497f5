// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension KeybagRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .state
        case 2: self = .lock
        case 3: self = .unlock(try fields.next(), lockingAfter: try fields.next())
        case 4: self = .verify(try fields.next())
        case 5:
            let passcode: Passcode = try fields.next()
            self = .setPasscode(passcode, erasingAfter: try fields.next())
        case 6: self = .changePasscode(from: try fields.next(), to: try fields.next())
        case 7: self = .removePasscode(try fields.next())
        case 8: self = .abandonErasedPasscode
        case 9: self = .makeRecoveryKey(try fields.next(), seed: try fields.next())
        case 10: self = .removeRecoveryKey(try fields.next())
        case 11: self = .recover(try fields.next(), into: try fields.next(), passcode: try fields.next())
        case 12: self = .rotateKeys(try fields.next())
        case 13: self = .reseal(isSecondRound: try fields.next())
        case 14: self = .enclaveKeys
        case 15: self = .move(try fields.next(), try fields.next())
        case 16: self = .settings
        case 17: self = .change(try fields.next())
        case 18: self = .history(of: try fields.next(), before: try fields.next())
        case 19: self = .pastVersion(try fields.number())
        case 20: self = .bringBack(try fields.number())
        case 21: self = .forget(try fields.next())
        case 22: self = .acceptItems
        case 23: self = .backupSecrets
        case 26: self = .compact
        case 27: self = .holdView
        case 28: self = .letGoOfView(try fields.next())
        case 29: self = .stamps(try fields.next(), behind: try fields.number(), in: try fields.next())
        case 31: self = .unreached
        case 32: self = .lostItems
        case 24:
            self = .restore(
                RestoreRequest(
                    items: try fields.array(atMost: RestoreRequest.mostItems), replaces: try fields.next(),
                    isWhole: try fields.next(), isRehearsal: try fields.next()))
        case 30: self = .sync(try fields.next())
        case 25: self = .retain(try fields.array(atMost: WireLimits.designations), isRehearsal: try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .state: writer.number(1)
        case .lock: writer.number(2)
        case .unlock(let passcode, let seconds):
            try writer.write(3, passcode)
            try writer.write(seconds)
        case .verify(let passcode): try writer.write(4, passcode)
        case .setPasscode(let passcode, let limit):
            try writer.write(5, passcode)
            try writer.write(limit)
        case .changePasscode(let old, let new):
            try writer.write(6, old)
            try writer.write(new)
        case .removePasscode(let passcode): try writer.write(7, passcode)
        case .abandonErasedPasscode: writer.number(8)
        case .makeRecoveryKey(let shown, let seed):
            try writer.write(9, shown)
            try writer.write(seed)
        case .removeRecoveryKey(let shown): try writer.write(10, shown)
        case .recover(let seed, let kind, let passcode):
            try writer.write(11, seed)
            try writer.write(kind)
            try writer.write(passcode)
        case .rotateKeys(let shown): try writer.write(12, shown)
        case .reseal(let isSecondRound): try writer.write(13, isSecondRound)
        case .enclaveKeys: writer.number(14)
        case .move(let move, let shown):
            try writer.write(15, move)
            try writer.write(shown)
        case .settings: writer.number(16)
        case .change(let settings): try writer.write(17, settings)
        case .history(let reference, let before):
            try writer.write(18, reference)
            try writer.write(before)
        case .pastVersion(let number): try writer.write(19, number)
        case .bringBack(let number): try writer.write(20, number)
        case .forget(let reference): try writer.write(21, reference)
        case .acceptItems: writer.number(22)
        case .backupSecrets: writer.number(23)
        case .compact: writer.number(26)
        case .holdView: writer.number(27)
        case .letGoOfView(let view): try writer.write(28, view)
        case .stamps(let itemClass, let row, let view):
            try writer.write(29, itemClass)
            writer.number(row)
            try writer.write(view)
        case .unreached: writer.number(31)
        case .lostItems: writer.number(32)
        case .restore(let request):
            writer.number(24)
            try writer.array(request.items)
            try writer.write(request.replaces)
            try writer.write(request.isWhole)
            try writer.write(request.isRehearsal)
        case .sync(let request): try writer.write(30, request)
        case .retain(let kept, let isRehearsal):
            writer.number(25)
            try writer.array(kept)
            try writer.write(isRehearsal)
        }
    }
}

extension KeybagAuthorization: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> KeybagAuthorization {
        let passcode: Passcode? = try fields.next()
        return passcode.map { .passcode($0) } ?? .unlocked
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .passcode(let passcode): try writer.write(passcode)
        case .unlocked: writer.null()
        }
    }
}

extension EnclaveMove: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            to: try fields.next(), passcode: try fields.next(), abandonsEnclaveKeys: try fields.next(),
            makesRecoveryKey: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(kind)
        try writer.write(passcode)
        writer.boolean(abandonsEnclaveKeys)
        writer.boolean(makesRecoveryKey)
    }
}

/// Among the secrets; as long as a passcode may be.
extension Passcode: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> Self {
        let secret: SecretValue = try fields.next()
        let passcode = unsafe secret.withUnsafeBytes { bytes in unsafe Self(copying: bytes) }
        guard let passcode else { throw .outOfRange }
        return passcode
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.secret(SecretValue(copying: bytes)) }
}

extension EnclaveKind: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .software: 1
        case .tpm: 2
        }
    }
}
