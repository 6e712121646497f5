// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// What a keybag says about itself in the clear; every key in it is bound to these bytes.
package struct KeybagHeader: Sendable, Equatable {
    /// How the keybag is written.
    ///
    /// Older ones are read, and written anew when they are next changed.
    package enum Version: Int64, Sendable {
        /// One generation, everything on the device alone.
        case first = 1
        /// Any number of generations, hanging on device, gate and recovery key.
        case second = 2
        /// With factors of the passcode's own, for items that demand it.
        case current = 3
    }

    package var version = Version.current
    package let keychain: KeychainUUID
    /// The generation new items are sealed under.
    package var generation: UInt32
    package var enclave: EnclaveKind
    package var enclaveBinding: [UInt8]
    /// How the passcode becomes a key; nil while no passcode is set.
    package var passcode: PasscodeParameters?
    /// Wrong passcodes in a row after which what hangs on the passcode is erased; 0 = never.
    package var eraseAfterAttempts: UInt32
    /// Counts the changes of the keybag: of two keybags of one keychain, the greater one is the later.
    package var rollbackCounter: UInt64
    /// The public half of the recovery key; nil when the owner did without one.
    package var recovery: RecoveryPublicKey?
    /// The public halves of the passcode's factors, in the order in which they were made.
    ///
    /// Every passcode that is set where there was none brings one: what an older keybag held without a passcode does not
    /// open what is sealed from then on. The earlier ones stay for what is sealed under them.
    package var passcodeFactors: [[UInt8]] = []

    package init(
        keychain: KeychainUUID, generation: UInt32, enclave: EnclaveKind, enclaveBinding: [UInt8],
        passcode: PasscodeParameters? = nil, eraseAfterAttempts: UInt32 = 0, rollbackCounter: UInt64 = 0,
        recovery: RecoveryPublicKey? = nil
    ) {
        self.keychain = keychain
        self.generation = generation
        self.enclave = enclave
        self.enclaveBinding = enclaveBinding
        self.passcode = passcode
        self.eraseAfterAttempts = eraseAfterAttempts
        self.rollbackCounter = rollbackCounter
        self.recovery = recovery
    }
}

extension KeybagHeader {
    /// First passcodes are never set so often; the number fits into a byte.
    static let mostFactors = 250

    func encoded() throws(CodingError) -> [UInt8] {
        var fields: [String: PropertyList] = [
            "version": .number(version.rawValue),
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
                "log2N": .number(Int64(passcode.cost.log2N)),
                "r": .number(Int64(passcode.cost.r)),
                "p": .number(Int64(passcode.cost.p)),
                "salt": .data(passcode.salt),
                "gate": .data(passcode.gate.bytes),
            ])
        }
        if let recovery { fields["recovery"] = .data(recovery.bytes) }
        if !passcodeFactors.isEmpty { fields["factors"] = .array(passcodeFactors.map { .data($0) }) }
        return try PropertyList.dictionary(fields).encoded()
    }

    init(decoding bytes: [UInt8]) throws(KeybagError) {
        let fields = try KeybagFields(decoding: bytes)
        guard let version = Version(rawValue: try fields.number("version")) else { throw .newerVersion }
        guard let uuid = KeychainUUID(try fields.data("uuid")),
            let generation = UInt32(exactly: try fields.number("generation")), generation > 0,
            let enclave = UInt8(exactly: try fields.number("enclave")).flatMap(EnclaveKind.init(rawValue:)),
            let eraseAfter = UInt32(exactly: try fields.number("eraseAfter"))
        else { throw .damaged }
        var recovery: RecoveryPublicKey?
        if let bytes = try fields.optionalData("recovery") {
            guard let key = RecoveryPublicKey(bytes) else { throw .damaged }
            recovery = key
        }
        self.init(
            keychain: uuid, generation: generation, enclave: enclave, enclaveBinding: try fields.data("binding"),
            passcode: try fields.dictionary("passcode").map { fields throws(KeybagError) in
                try PasscodeParameters(fields)
            },
            eraseAfterAttempts: eraseAfter, rollbackCounter: UInt64(bitPattern: try fields.number("rollback")),
            recovery: recovery)
        self.version = version
        for entry in try fields.optionalArray("factors") ?? [] {
            guard version == .current, case .data(let factor) = entry, factor.count == 32,
                passcodeFactors.count < KeybagHeader.mostFactors
            else { throw .damaged }
            passcodeFactors.append(factor)
        }
    }
}

/// A dictionary of a keybag, read field by field; a missing or misplaced field is damage.
struct KeybagFields {
    private let fields: [String: PropertyList]

    init(decoding bytes: [UInt8]) throws(KeybagError) {
        guard case .dictionary(let fields)? = try? PropertyList(decoding: bytes) else { throw .damaged }
        self.fields = fields
    }

    init(_ value: PropertyList) throws(KeybagError) {
        guard case .dictionary(let fields) = value else { throw .damaged }
        self.fields = fields
    }

    func number(_ name: String) throws(KeybagError) -> Int64 {
        guard case .number(let number)? = fields[name] else { throw .damaged }
        return number
    }

    func data(_ name: String) throws(KeybagError) -> [UInt8] {
        guard case .data(let data)? = fields[name] else { throw .damaged }
        return data
    }

    /// Bytes that need not be there.
    func optionalData(_ name: String) throws(KeybagError) -> [UInt8]? {
        if fields[name] == nil { return nil }
        return try data(name)
    }

    func string(_ name: String) throws(KeybagError) -> String {
        guard case .string(let string)? = fields[name] else { throw .damaged }
        return string
    }

    func array(_ name: String) throws(KeybagError) -> [PropertyList] {
        guard case .array(let array)? = fields[name] else { throw .damaged }
        return array
    }

    /// An array that need not be there.
    func optionalArray(_ name: String) throws(KeybagError) -> [PropertyList]? {
        if fields[name] == nil { return nil }
        return try array(name)
    }

    /// A dictionary that need not be there.
    func dictionary(_ name: String) throws(KeybagError) -> KeybagFields? {
        guard let value = fields[name] else { return nil }
        return try KeybagFields(value)
    }
}
