// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// Opens a keybag by itself, without the database that it is stored in: for a repair, whose database may not open.
package struct KeybagOpening {
    private let home: any KeychainHome
    private let keybag: LockedKeybag
    private let clock: @Sendable () -> Double

    package init(_ keybag: LockedKeybag, in home: any KeychainHome, clock: @escaping @Sendable () -> Double) {
        self.keybag = keybag
        self.home = home
        self.clock = clock
    }

    /// Whether the device opens it, so that it belongs to this folder.
    package func checkDevice() throws(KeychainError) {
        let device = try home.enclave(of: keybag.header)
        _ = try translating { () throws(KeybagError) in try keybag.opened(with: device.root) }
    }

    /// Its keys; with a passcode, all of them.
    ///
    /// A wrong passcode is counted as ever, and the delay after earlier ones holds here too.
    package func keys(
        _ passcode: Passcode?, _ turn: borrowing OwnerLock
    ) throws(KeychainError) -> UnlockedKeybag {
        let header = keybag.header
        let device = try home.enclave(of: header)
        // First without the passcode: an attempt is not to be counted for a header that is not the enclave's.
        let keys = try translating { () throws(KeybagError) in try keybag.opened(with: device.root) }
        guard let passcode, let parameters = header.passcode else { return keys }
        let stretched = try translating { () throws(CryptoError) in try GatePasscode(passcode, for: parameters) }
        let secret = try header.explaining { () throws(EnclaveError) in
            try device.enclave.openGate(stretched.gate, with: stretched.stretched.gateKey, at: clock(), turn)
        }
        let gate = OpenedGate(secret: secret, stretched)
        return try translating { () throws(KeybagError) in
            try keybag.opened(with: device.root, gate: gate.secret, passcode: gate.passcode.stretched)
        }
    }
}
