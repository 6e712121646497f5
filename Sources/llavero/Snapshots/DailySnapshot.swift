// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem
internal import KeychainTools

/// The snapshot of a day: before its first change, so that it has what was there the evening before.
enum DailySnapshot {
    /// What came of it; none of these is a failure of what the keychain was opened for.
    enum Outcome {
        case made(KeychainSnapshot)
        /// There is nothing new, none is wanted, or it would keep somebody waiting.
        case notNeeded
        case locked
        case failed(CommandError)
    }

    /// Makes it where it is due; a `patient` caller has time for a large keychain.
    static func make(of keychain: ToolKeychain, isPatient: Bool) -> Outcome {
        do throws(CommandError) {
            // By names and sizes first: whose the folder is has to be asked of its database.
            guard isPatient || isOldAndSmall(keychain.host.embedded.folder ?? ""),
                let snapshots = Snapshots(of: keychain),
                snapshots.areDaily, !snapshots.all.contains(where: { $0.day == KeychainSnapshot.today }),
                try keychain.isThere
            else { return .notNeeded }
            let state = try keychain.state()
            switch state.lockState {
            case .noPasscode, .unlocked: break
            case .locked, .beforeFirstUnlock: return .locked
            }
            let secrets = try keychain.backupSecrets()
            let isUpgrade = state.format < DatabaseSchema.format
            // An earlier format does not count its changes.
            if !isUpgrade, let before = snapshots.opening(with: secrets).first, before.commits == secrets.commits {
                return .notNeeded
            }
            return .made(try snapshots.make(isUpgrade ? .upgrade : .daily, of: keychain))
        } catch { return .failed(error) }
    }

    /// On its first day there is nothing to go back to.
    private static func isOldAndSmall(_ location: String) -> Bool {
        var (owner, database) = (stat(), stat())
        guard unsafe lstat("\(location)/owner", &owner) == 0, unsafe lstat("\(location)/keychain.db", &database) == 0
        else { return false }
        let made = UTCTime(secondsSince1970: Int64(owner.st_mtim.tv_sec)).digits.prefix(8)
        return made != KeychainSnapshot.today && Int64(database.st_size) <= largest
    }

    /// Two thousand passwords.
    private static let largest: Int64 = 3 << 20
}

extension ToolKeychain {
    /// Runs what changes items, behind the snapshot of the day.
    ///
    /// Where the keychain is locked until the change asks for its passcode, the snapshot comes after it.
    func changing<Result>(_ change: () throws(CommandError) -> Result) throws(CommandError) -> Result {
        let outcome = DailySnapshot.make(of: self, isPatient: false)
        let result = try change()
        if case .locked = outcome { _ = DailySnapshot.make(of: self, isPatient: false) }
        return result
    }
}
