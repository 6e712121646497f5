// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainEnclave
package import KeychainModel

/// What a keybag says about itself in the clear; every key in it is bound to these bytes.
package struct KeybagHeader: Sendable, Equatable {
    static let currentVersion: Int64 = 1

    package let keychain: KeychainUUID
    package let generation: UInt32
    package let enclave: EnclaveKind
    package let enclaveBinding: [UInt8]
    /// How the passcode becomes a key; nil while no passcode is set.
    package let passcode: PasscodeParameters?
    /// Wrong passcodes after which the keychain erases itself; 0 = never.
    package let eraseAfterAttempts: UInt32
    /// Reserved for hardware that can count: an older keybag than the counter says would be refused.
    package let rollbackCounter: UInt64

    package init(
        keychain: KeychainUUID, generation: UInt32, enclave: EnclaveKind, enclaveBinding: [UInt8],
        passcode: PasscodeParameters?, eraseAfterAttempts: UInt32, rollbackCounter: UInt64
    ) {
        self.keychain = keychain
        self.generation = generation
        self.enclave = enclave
        self.enclaveBinding = enclaveBinding
        self.passcode = passcode
        self.eraseAfterAttempts = eraseAfterAttempts
        self.rollbackCounter = rollbackCounter
    }
}

/// The key derivation of a passcode, and the gate in the enclave that belongs to this passcode alone.
package struct PasscodeParameters: Sendable, Equatable {
    package let log2N: UInt8
    package let r: UInt32
    package let p: UInt32
    package let salt: [UInt8]
    package let gate: [UInt8]
}

extension KeybagHeader {
    func encoded() throws(CodingError) -> [UInt8] {
        var fields: [String: PropertyList] = [
            "version": .number(KeybagHeader.currentVersion),
            "uuid": .data(keychain.bytes),
            "generation": .number(Int64(generation)),
            "enclave": .number(Int64(enclave.rawValue)),
            "binding": .data(enclaveBinding),
            "eraseAfter": .number(Int64(eraseAfterAttempts)),
            "rollback": .number(Int64(bitPattern: rollbackCounter)),
        ]
        if let passcode {
            fields["passcode"] = .dictionary([
                "kdf": .string("scrypt"),
                "log2N": .number(Int64(passcode.log2N)),
                "r": .number(Int64(passcode.r)),
                "p": .number(Int64(passcode.p)),
                "salt": .data(passcode.salt),
                "gate": .data(passcode.gate),
            ])
        }
        return try PropertyList.dictionary(fields).encoded()
    }

    init(decoding bytes: [UInt8]) throws(KeybagError) {
        let fields = try KeybagFields(decoding: bytes)
        guard try fields.number("version") == KeybagHeader.currentVersion else { throw .newerVersion }
        guard let uuid = KeychainUUID(try fields.data("uuid")),
            let generation = UInt32(exactly: try fields.number("generation")),
            let enclave = UInt8(exactly: try fields.number("enclave")).flatMap(EnclaveKind.init(rawValue:)),
            let eraseAfter = UInt32(exactly: try fields.number("eraseAfter"))
        else { throw .damaged }
        self.init(
            keychain: uuid, generation: generation, enclave: enclave, enclaveBinding: try fields.data("binding"),
            passcode: try fields.dictionary("passcode").map { fields throws(KeybagError) in
                try PasscodeParameters(fields)
            },
            eraseAfterAttempts: eraseAfter, rollbackCounter: UInt64(bitPattern: try fields.number("rollback")))
    }
}

extension PasscodeParameters {
    fileprivate init(_ fields: KeybagFields) throws(KeybagError) {
        guard try fields.string("kdf") == "scrypt", let log2N = UInt8(exactly: try fields.number("log2N")),
            let r = UInt32(exactly: try fields.number("r")), let p = UInt32(exactly: try fields.number("p"))
        else { throw .damaged }
        self.init(log2N: log2N, r: r, p: p, salt: try fields.data("salt"), gate: try fields.data("gate"))
    }
}
