// SPDX-License-Identifier: Apache-2.0

/// What somebody did, or tried to do; the numbers are those of the file.
package enum AuditOperation: Int64, Sendable, CaseIterable {
    case add = 1
    /// Found items, without their secrets.
    case find = 2
    /// Found items together with their secrets.
    case findSecrets = 3
    case update = 4
    case delete = 5
    case generateKey = 6
    case sign = 7
    case encrypt = 8
    case decrypt = 9
    case exchange = 10
    /// Took a sensitive key out, under a password.
    case release = 11

    /// Had a person show something, or showed something in a person's place.
    case authenticate = 20
    case giveCredential = 21

    case admit = 30
    /// Came, and was not served.
    case refuse = 31

    case lock = 40
    case unlock = 41
    case setPasscode = 42
    case changePasscode = 43
    case removePasscode = 44
    case rotateKeys = 45
    case changeRecoveryKey = 46
    case moveEnclave = 47
    case check = 48
    /// Read the log itself.
    case readLog = 49

    /// Changed when it locks by itself.
    case changeSettings = 50

    /// The daemon begins and ends to serve.
    case start = 60
    case stop = 61

    /// Whether it gives a secret away, uses one, or changes something: without a record of it, where one is required, it
    /// does not happen.
    package var isSensitive: Bool {
        switch self {
        case .find, .admit, .refuse, .lock, .check, .readLog, .start, .stop: false
        case .add, .findSecrets, .update, .delete, .generateKey, .sign, .encrypt, .decrypt, .exchange, .release,
            .authenticate, .giveCredential, .unlock, .setPasscode, .changePasscode, .removePasscode, .rotateKeys,
            .changeRecoveryKey, .moveEnclave, .changeSettings:
            true
        }
    }
}
