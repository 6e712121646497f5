// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainEnclaveTPM
import KeychainModel
import TestProcesses
import TestSwtpm

/// What lies in a keychain's folder and in its TPM, beside what the keychain needs.
struct Leftovers {
    let login: String
    let tpm: SwtpmProcess?

    init(home: String, tpm: SwtpmProcess?) {
        login = home + "/login"
        self.tpm = tpm
    }

    /// What is there and should not be, or the other way round.
    func complaints(in state: CrashedKeychain, allowingAsides allowsAsides: Bool) throws -> [String] {
        var complaints: [String] = []
        let needed: Set = [
            "keychain.db", "keybag.copy", "owner", "queue", "reserve", state.isInTPM ? "device.tpm" : "device.key",
        ]
        let names = Set(TestFolder.names(in: login) ?? [])
        complaints += needed.subtracting(names).sorted().map { "\($0) is missing" }
        let asides = names.filter { $0.contains(".aside-") }
        let others = names.subtracting(needed).subtracting(allowsAsides ? asides : [])
        complaints += others.sorted().map { "\($0) was left over" }
        let gates = try gates(isInTPM: state.isInTPM)
        let expected = state.passcode == nil ? 0 : 1
        if gates.count != expected { complaints.append("\(gates.count) gates instead of \(expected)") }
        // What was put aside may have gates of its own.
        if let tpm, asides.isEmpty {
            let indices = try tpm.indexCount()
            let expected = state.isInTPM ? expected : 0
            if indices != expected { complaints.append("\(indices) indices in the TPM instead of \(expected)") }
        }
        return complaints
    }

    /// Whether a recovery key opens the keybag.
    func isOpened(by words: String) throws -> Bool {
        let text = Array(words.replacing("-", with: " ").utf8)
        let key = try text.withUnsafeBytes { try KeychainCrypto.RecoveryKey(words: $0) }
        do throws(KeybagError) { _ = try keybag().opened(with: key) } catch {
            guard error == .otherRecoveryKey else { throw error }
            return false
        }
        return true
    }

    func hasRecoveryKey() throws -> Bool { try keybag().header.recovery != nil }

    private func keybag() throws(KeybagError) -> LockedKeybag {
        try LockedKeybag(decoding: FileBytes.read(login + "/keybag.copy"))
    }

    private func gates(isInTPM: Bool) throws -> [GateState] {
        guard isInTPM else { return try SoftwareEnclave(path: login + "/device.key").gates() }
        return try TPMEnclave(path: login + "/device.tpm", connection: tpm?.connection ?? "").gates()
    }
}
