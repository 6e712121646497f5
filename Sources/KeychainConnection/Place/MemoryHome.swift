// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclaveSoftware
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainSystem

/// What a keychain in memory has instead of a folder.
final class MemoryHome: KeychainHome {
    private let current: ForkSafeMutex<MemoryEnclave?>
    private let pending = ForkSafeMutex<MemoryEnclave?>(nil)
    private let wishes = ForkSafeMutex(KeychainSettings.usual)
    private let turn = ForkSafeMutex<Void>(())

    init(_ enclave: MemoryEnclave) { current = ForkSafeMutex(enclave) }

    func enclave(_ kind: EnclaveKind) throws(EnclaveError) -> any Enclave {
        guard kind == .software else { throw .notBuilt }
        guard let enclave = current.withLock({ $0 }) else { throw .missing }
        return enclave
    }

    func makeEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave {
        guard kind == .software else { throw .notBuilt }
        let enclave = try MemoryEnclave()
        current.withLock { $0 = enclave }
        return enclave
    }

    func makePendingEnclave(
        _ kind: EnclaveKind, for keychain: KeychainUUID, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> any Enclave {
        guard kind == .software else { throw .notBuilt }
        let enclave = try MemoryEnclave()
        pending.withLock { $0 = enclave }
        return enclave
    }

    func pendingEnclave(_ kind: EnclaveKind) -> (any Enclave)? { kind == .software ? pending.withLock { $0 } : nil }

    func settlePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        guard let enclave = pending.withLock({ $0.take() }) else { return }
        current.withLock { $0 = enclave }
    }

    func setAsidePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        pending.withLock { $0 = nil }
    }

    func removePendingEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) { pending.withLock { $0 = nil } }

    func copyOfTally() -> (any TallyCopy)? { nil }

    func takeReserve() {}

    func giveUpReserve() -> Bool { false }

    func removeEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        if kind == .software { current.withLock { $0 = nil } }
    }

    func setAsideEnclave(_ kind: EnclaveKind, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        try removeEnclave(kind, turn)
    }

    var hasUnfinishedFiles: Bool { false }

    func removeUnfinishedFiles(_ turn: borrowing OwnerLock) throws(EnclaveError) {}

    func hasEnclave(_ kind: EnclaveKind) -> Bool { kind == .software && current.withLock { $0 != nil } }

    func withOwnersTurn<Result>(
        _ body: (borrowing OwnerLock) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try turn.withLock { _ -> Outcome<Result> in
            do throws(KeychainError) {
                return Outcome(result: .success(try body(OwnerLock(uncheckedHoldingOwnerLock: ()))))
            } catch { return Outcome(result: .failure(error)) }
        }.result.get()
    }

    // Sendable: made inside the lock and handed straight to the one caller.
    private struct Outcome<Success>: @unchecked Sendable {
        let result: Result<Success, KeychainError>
    }

    func withOwnersTurnIfFree(_ body: (borrowing OwnerLock) -> Void) {
        _ = turn.withLockIfFree { _ in body(OwnerLock(uncheckedHoldingOwnerLock: ())) }
    }

    func settings() throws(KeychainError) -> KeychainSettings { wishes.withLock { $0 } }

    func keep(_ settings: KeychainSettings) throws(KeychainError) { wishes.withLock { $0 = settings } }

    var keepsKeybagCopy: Bool { false }

    var keybagCopy: [UInt8]? { nil }

    func keepCopy(ofKeybag bytes: [UInt8], _ turn: borrowing OwnerLock) {}

    func setAsideKeybagCopy(_ turn: borrowing OwnerLock) {}
}
