// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest

/// The keys for those who ask by request.
extension KeychainEngine: KeybagService {
    package func perform(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) -> KeybagReply {
        let work = caller.work
        switch try Authorization.authorize(request, from: caller).request {
        case .standing: return .standing(try standing())
        case .lock: try lock()
        case .unlock(let passcode, _): try unlock(with: passcode, work)
        case .verify(let passcode): try verify(passcode, work)
        case .setPasscode(let passcode, let limit): try setPasscode(passcode, eraseAfter: limit, work)
        case .changePasscode(let old, let new): try changePasscode(from: old, to: new, work)
        case .removePasscode(let passcode): return .removed(try removePasscode(passcode, work))
        case .abandonErasedPasscode: try abandonErasedPasscode()
        case .makeRecoveryKey(let shown): return .recoverySeed(SecretValue(of: try makeRecoveryKey(shown, work)))
        case .removeRecoveryKey(let shown): try removeRecoveryKey(shown, work)
        case .recover(let seed, let kind, let passcode):
            try recover(with: try RecoveryKey(typed: seed), into: kind, passcode: passcode, work)
            // It is done, whatever comes of the counting.
            if let count = try? lostItems() { return .removed(count) }
        case .rotateKeys(let shown): try rotateKeys(shown, work)
        case .reseal(let isSecondRound): return .resealed(try reseal(isSecondRound: isSecondRound))
        case .enclaveKeys: return .references(try enclaveKeys().map { .item(.key, $0) })
        case .move(let move, let shown):
            return .recoverySeed(try self.move(move, shown, work).map(SecretValue.init(of:)))
        case .settings: return .settings(try home.settings())
        case .change(let settings): try home.keep(settings)
        }
        return .done
    }
}

extension SecretValue {
    fileprivate convenience init(of key: RecoveryKey) { self.init(copying: key.seed) }
}

extension RecoveryKey {
    fileprivate convenience init(typed seed: SecretValue) throws(KeychainError) {
        guard seed.count == RecoveryKey.seedSize else {
            throw KeychainError(.parameter, "a recovery key has fourteen words")
        }
        do throws(CryptoError) {
            try self.init(seed: unsafe seed.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) })
        } catch { throw KeychainError(error) }
    }
}
