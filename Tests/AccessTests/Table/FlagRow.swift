// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// A combination of flags, and what the specification says it demands.
struct FlagRow: Sendable, CustomTestStringConvertible {
    /// What can be shown; a set of these is a way to the secret.
    enum Factor: Sendable {
        case passcode
        case anyFinger
        /// One of those that were enrolled when the item was stored.
        case sameFingers
    }

    /// What becomes of an item with these flags.
    enum Meaning: Sendable {
        /// The access control is not made (semantics §7.2).
        case contradiction
        /// It is made, and an item with it is refused: nobody could ever show what it demands.
        case hopeless
        /// A password with it is never read: it has no rule for reading, and none for all the rest (semantics §7.3).
        case unreadable
        /// Each of these is enough; an empty one demands nothing.
        case ways([Set<Factor>], ownPassword: Bool = false)
    }

    let name: String
    let flags: SecAccessControlCreateFlags
    let meaning: Meaning

    init(_ name: String, _ flags: SecAccessControlCreateFlags, _ meaning: Meaning) {
        (self.name, self.flags, self.meaning) = (name, flags, meaning)
    }

    var testDescription: String { name }
}

extension FlagRow {
    private static let nothing: [Set<Factor>] = [[]]
    /// A finger or the passcode.
    private static let presence: [Set<Factor>] = [[.anyFinger], [.passcode]]
    private static let companionless: [Set<Factor>] = [[.passcode]]

    /// Those that mean something for whatever is stored.
    static let plain: [FlagRow] = [
        FlagRow("no flag", [], .ways(nothing)),
        FlagRow("or alone", [.or], .ways(nothing)),
        FlagRow("and alone", [.and], .ways(nothing)),
        FlagRow("presence", [.userPresence], .ways(presence)),
        FlagRow("finger", [.biometryAny], .ways([[.anyFinger]])),
        FlagRow("same fingers", [.biometryCurrentSet], .ways([[.sameFingers]])),
        FlagRow("passcode", [.devicePasscode], .ways([[.passcode]])),
        FlagRow("own password", [.applicationPassword], .ways(nothing, ownPassword: true)),
        FlagRow("own password, or", [.applicationPassword, .or], .ways(nothing, ownPassword: true)),
        FlagRow(
            "presence and own password", [.userPresence, .applicationPassword], .ways(presence, ownPassword: true)),
        FlagRow("finger or passcode", [.biometryAny, .devicePasscode, .or], .ways([[.anyFinger], [.passcode]])),
        FlagRow("finger and passcode", [.biometryAny, .devicePasscode, .and], .ways([[.anyFinger, .passcode]])),
        FlagRow("finger, passcode: and is meant", [.biometryAny, .devicePasscode], .ways([[.anyFinger, .passcode]])),
        FlagRow(
            "same fingers or passcode", [.biometryCurrentSet, .devicePasscode, .or],
            .ways([[.sameFingers], [.passcode]])),
        FlagRow(
            "same fingers and passcode", [.biometryCurrentSet, .devicePasscode, .and],
            .ways([[.sameFingers, .passcode]])),
        FlagRow(
            "finger and own password", [.biometryAny, .applicationPassword], .ways([[.anyFinger]], ownPassword: true)),
        FlagRow(
            "same fingers and own password", [.biometryCurrentSet, .applicationPassword],
            .ways([[.sameFingers]], ownPassword: true)),
        FlagRow(
            "passcode and own password", [.devicePasscode, .applicationPassword],
            .ways([[.passcode]], ownPassword: true)),
        FlagRow(
            "finger or passcode, and own password", [.biometryAny, .devicePasscode, .or, .applicationPassword],
            .ways([[.anyFinger], [.passcode]], ownPassword: true)),
        FlagRow(
            "finger, passcode and own password", [.biometryAny, .devicePasscode, .and, .applicationPassword],
            .ways([[.anyFinger, .passcode]], ownPassword: true)),
        FlagRow("watch", [.watch], .hopeless),
        FlagRow("watch or passcode", [.watch, .devicePasscode, .or], .ways(companionless)),
        FlagRow("watch and passcode", [.watch, .devicePasscode, .and], .hopeless),
        FlagRow("companion or finger", [.companion, .biometryAny, .or], .ways([[.anyFinger]])),
        FlagRow("a flag that there is not", [SecAccessControlCreateFlags(rawValue: 1 << 20)], .contradiction),
        FlagRow("or, and", [.or, .and], .contradiction),
        FlagRow("any finger, same fingers", [.biometryAny, .biometryCurrentSet], .contradiction),
        FlagRow("presence, finger", [.userPresence, .biometryAny], .contradiction),
        FlagRow("presence, same fingers", [.userPresence, .biometryCurrentSet], .contradiction),
        FlagRow("presence, passcode", [.userPresence, .devicePasscode], .contradiction),
        FlagRow("presence, companion", [.userPresence, .companion], .contradiction),
        FlagRow("presence, or", [.userPresence, .or], .contradiction),
        FlagRow("presence, and", [.userPresence, .and], .contradiction),
    ]

    /// Those for private keys, on a password: it is never read.
    static let keysAlone: [FlagRow] = [
        FlagRow("use of a key", [.privateKeyUsage], .unreadable),
        FlagRow("use of a key, presence", [.privateKeyUsage, .userPresence], .unreadable),
        FlagRow("use of a key, finger", [.privateKeyUsage, .biometryAny], .unreadable),
        FlagRow("use of a key, same fingers", [.privateKeyUsage, .biometryCurrentSet], .unreadable),
        FlagRow("use of a key, passcode", [.privateKeyUsage, .devicePasscode], .unreadable),
        FlagRow("use of a key, own password", [.privateKeyUsage, .applicationPassword], .unreadable),
    ]

    /// Those for private keys, on a key of the enclave: what is demanded, is demanded for a signature.
    static let keys = plain.map { row in
        FlagRow("use of a key, \(row.name)", row.flags.union(.privateKeyUsage), row.meaning)
    }
}
