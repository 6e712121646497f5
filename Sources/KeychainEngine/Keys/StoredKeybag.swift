// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore

/// The keybag as it is stored, the rest of the database's own row, and the file it stands in.
struct StoredKeybag: Sendable {
    let keybag: LockedKeybag
    let row: KeychainRow
    let file: FileIdentity?

    /// Reads it; refuses a keychain that another owner has.
    init(in sqlite: SQLiteConnection, of file: FileIdentity?, owner: String) throws(KeychainError) {
        row = try translating { () throws(StoreError) in try KeychainRow.read(from: sqlite) }
        guard row.owner == owner, row.movedTo.isEmpty else { throw .handedOver }
        let bytes = row.keybag
        keybag = try translating { () throws(KeybagError) in try LockedKeybag(decoding: bytes) }
        guard keybag.header.keychain == row.keychain else { throw KeychainError(KeybagError.damaged) }
        self.file = file
    }

    /// Refuses a keybag that only later software may change.
    func checkMayWrite() throws(KeychainError) {
        guard row.mayWrite else { throw KeychainError(StoreError.newerFormat(forWriting: true)) }
    }

    /// The keys that hang on the device alone.
    func opened(with device: RootedEnclave) throws(KeychainError) -> UnlockedKeybag {
        try translating { () throws(KeybagError) in try keybag.opened(with: device.root) }
    }

    /// Keys as those of this moment of the database.
    func loaded(_ keys: UnlockedKeybag) -> LoadedKeybag {
        LoadedKeybag(
            keychain: row.keychain, keys: keys, version: row.version, mayWrite: row.mayWrite,
            isOfEarlierFormat: row.format < DatabaseSchema.format)
    }

    /// The copy of the keybag, if it is a later one of this keychain: then the stored one was put back from a backup.
    func laterCopy(in home: any KeychainHome) -> LockedKeybag? {
        guard let bytes = home.keybagCopy, bytes != row.keybag, let copy = try? LockedKeybag(decoding: bytes),
            keybag.isOlder(than: copy)
        else { return nil }
        return copy
    }

    /// Whether there is something to clean: what a crash left over, beside the database and the enclave in force, or a half of
    /// the keybag or of the enclave's file that the other half can mend.
    ///
    /// Asked whenever a keychain is opened, so the usual answer must come fast.
    func hasLeftovers(in home: any KeychainHome, besides enclave: any Enclave) -> Bool {
        let passcodeGate = keybag.header.passcode?.gate
        guard let gates = try? enclave.gates(),
            // A keybag whose own gate is missing is not known to be the one in force.
            passcodeGate == nil || gates.contains(where: { $0.id == passcodeGate })
        else { return false }
        let isCopied = !home.keepsKeybagCopy || home.keybagCopy == row.keybag
        if !isCopied, laterCopy(in: home) != nil { return false }
        if keybag.isHalfDamaged || (try? enclave.isWhole()) == false { return true }
        if home.hasUnfinishedFiles || gates.contains(where: { $0.id != passcodeGate }) { return true }
        for kind in EnclaveKind.allCases {
            if kind != keybag.header.enclave, home.hasEnclave(kind) { return true }
            if home.pendingEnclave(kind) != nil { return true }
        }
        if isCopied { return false }
        // One of the stored keybag's own copies may be damaged: then what is kept is what it would be if it were whole.
        return (try? keybag.encoded()).map { home.keybagCopy != $0 } ?? false
    }
}

/// An enclave with its root.
final class RootedEnclave {
    let enclave: any Enclave
    let root: DeviceRoot
    /// Whether it is in force, and still beside the place that is its own.
    let isPending: Bool

    init(_ enclave: any Enclave, isPending: Bool = false) throws(EnclaveError) {
        root = try enclave.deviceRoot()
        self.enclave = enclave
        self.isPending = isPending
    }
}

/// Which enclave a keybag hangs on.
extension KeychainHome {
    /// The enclave that a keybag hangs on, and its root.
    ///
    /// After a recovery that was cut short at its very end, that is the one that was made beside the old one.
    func enclave(of header: KeybagHeader) throws(KeychainError) -> RootedEnclave {
        try header.explaining { () throws(EnclaveError) in
            do throws(EnclaveError) {
                let device = try placedEnclave(of: header)
                if device.root.binding == header.enclaveBinding { return device }
            } catch { guard error == .missing else { throw error } }
            // Another process may have given the pending one its place between two of our looks.
            return try placedEnclave(of: header)
        }
    }

    /// The enclave at its place, or the pending one where that is the keybag's; another keybag's where neither is.
    func placedEnclave(of header: KeybagHeader) throws(EnclaveError) -> RootedEnclave {
        do throws(EnclaveError) {
            let device = try RootedEnclave(try enclave(header.enclave))
            if device.root.binding == header.enclaveBinding { return device }
            return try pendingEnclave(of: header) ?? device
        } catch {
            if let pending = try? pendingEnclave(of: header) { return pending }
            throw error
        }
    }

    private func pendingEnclave(of header: KeybagHeader) throws(EnclaveError) -> RootedEnclave? {
        guard let enclave = pendingEnclave(header.enclave) else { return nil }
        let device = try RootedEnclave(enclave, isPending: true)
        return device.root.binding == header.enclaveBinding ? device : nil
    }
}

extension KeybagHeader {
    /// Runs what asks the keybag's enclave, and says of a refusal what it means for this keychain.
    func explaining<Result: ~Copyable>(
        _ body: () throws(EnclaveError) -> Result
    ) throws(KeychainError) -> Result {
        try enclave.explaining(hasRecoveryKey: recovery != nil, body)
    }
}
