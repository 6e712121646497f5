// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainCrypto
package import KeychainModel

/// The gates of a software enclave, and the rules they open by; where they are kept is the caller's affair.
package struct GateTable: Sendable {
    private(set) var entries: [GateEntry] = []

    package init() {}

    /// The table of these gates; nil when there are too many, or two of one name.
    init?(_ entries: [GateEntry]) {
        guard entries.count <= Self.largestCount, Set(entries.map(\.id)).count == entries.count else { return nil }
        self.entries = entries
    }

    package var standings: [GateState] { entries.map(\.state) }

    /// Adds a gate that opens for `key` alone; the caller keeps the table before it hands the gate on.
    package mutating func make(
        for key: borrowing SecretBytes, eraseAfter: UInt32
    ) throws(EnclaveError) -> NewGate {
        guard !key.isAllZero else { throw .failed(Int64(EINVAL)) }
        // Each change of passcode makes one and destroys one. So many are not left over by crashes, but by a bug.
        guard entries.count < Self.largestCount else { throw .failed(Int64(ENOSPC)) }
        let id: GateID? = try EnclaveError.catching { () throws(CryptoError) in
            GateID(try unsafe [UInt8](count: 16) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) })
        }
        guard let id else { throw .failed(Int64(EIO)) }
        let keys = try GateKeys(for: key)
        entries.append(GateEntry(id: id, eraseAfter: eraseAfter, keys: keys))
        return NewGate(id: id, secret: keys.secret.clone())
    }

    /// Opens a gate, or throws what the protocol's function throws.
    ///
    /// `save` puts the table where a crash cannot undo it; what it throws is thrown, and nothing is opened.
    package mutating func open(
        _ gate: GateID, with key: borrowing SecretBytes, at now: Double,
        saving save: (GateTable) throws(EnclaveError) -> Void
    ) throws(EnclaveError) -> SecretBytes {
        guard let index = entries.firstIndex(where: { $0.id == gate }) else { throw .noSuchGate }
        guard let keys = entries[index].keys else { throw .gateErased }
        guard !key.isAllZero, now.isFinite else { throw .failed(Int64(EINVAL)) }

        // From the moment a clock that was set back is seen, the delay runs on it. If this were not kept, the delay
        // would last until the clock is where it was.
        if entries[index].failures > 0, now < entries[index].lastFailure {
            entries[index].lastFailure = now
            try save(self)
        }
        let wait = AttemptDelay.remaining(of: entries[index].state, at: now)
        guard wait == 0 else { throw .mustWait(wait) }

        // Before the check, or an attacker who ends the process at the right moment guesses for free.
        entries[index].count(at: now)
        try save(self)
        guard try keys.isOpened(by: key) else { throw try refusal(at: index, saving: save) }

        entries[index].forgetFailures()
        try save(self)
        return keys.secret.clone()
    }

    /// Removes a gate; false when there was none of this name.
    package mutating func destroy(_ gate: GateID) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == gate }) else { return false }
        entries.remove(at: index)
        return true
    }

    /// What a failure, counted already, leads to.
    private mutating func refusal(
        at index: Int, saving save: (GateTable) throws(EnclaveError) -> Void
    ) throws(EnclaveError) -> EnclaveError {
        let (failures, limit) = (entries[index].failures, entries[index].eraseAfter)
        guard limit > 0, failures >= limit else {
            return .wrongPasscode(failures: failures, wait: AttemptDelay.seconds(afterFailures: failures))
        }
        entries[index].keys = nil
        try save(self)
        return .gateErased
    }

    static let largestCount = 16
}

/// One gate of a software enclave.
package struct GateEntry: Sendable {
    let id: GateID
    /// After how many failures it is erased; 0 for never.
    let eraseAfter: UInt32
    /// Nil once it was erased.
    var keys: GateKeys?
    var failures: UInt32 = 0
    var lastFailure: Double = 0

    package var state: GateState {
        GateState(id: id, failures: failures, lastFailure: lastFailure, isErased: keys == nil)
    }

    /// Counts an attempt as failed, which it is until it has been checked.
    mutating func count(at now: Double) {
        if failures < .max { failures += 1 }
        lastFailure = now
    }

    mutating func forgetFailures() {
        failures = 0
        lastFailure = 0
    }
}

/// What a gate guards, and what it knows its key by.
final class GateKeys: Sendable {
    let secret: SecretBytes
    /// Tells a right key from a wrong one; says nothing of either without a search through all keys.
    let verifier: SecretBytes

    init(secret: consuming SecretBytes, verifier: consuming SecretBytes) {
        self.secret = secret
        self.verifier = verifier
    }

    /// A new secret, for holders of `key`.
    init(for key: borrowing SecretBytes) throws(EnclaveError) {
        let secret = try SecretBytes.random(count: Self.secretSize)
        verifier = try Self.verifier(of: key, secret)
        self.secret = secret
    }

    func isOpened(by key: borrowing SecretBytes) throws(EnclaveError) -> Bool {
        try Self.verifier(of: key, secret).isEqualInConstantTime(to: verifier)
    }

    private static func verifier(
        of key: borrowing SecretBytes, _ secret: borrowing SecretBytes
    ) throws(EnclaveError) -> SecretBytes {
        // The secret has one size, so the end of the one and the beginning of the other cannot be mistaken.
        let both = unsafe SecretBytes(count: secretSize + key.count) { both in
            unsafe secret.withUnsafeBytes { unsafe both.copyMemory(from: $0) }
            unsafe key.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: both[secretSize...]).copyMemory(from: $0)
            }
        }
        return try both.derived(count: verifierSize, salt: [], info: "llavero gate verifier")
    }

    static let secretSize = 32
    static let verifierSize = 16
}
