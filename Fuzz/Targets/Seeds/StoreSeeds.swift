// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainEnclaveSoftware
internal import KeychainModel

/// Files and rows as keychains have them.
internal enum StoreSeeds {
    static func writeFixtures() throws {
        try Seeds.writeFixture("keybag.sealed") { try keybag(recovery: RecoveryKey().publicKey).encoded() }
        for (number, secret) in [nil, 0, 1, 40, 100].enumerated() {
            try Seeds.writeFixture("sealed-items/\(number)") { try sealedItem(secret) }
        }
        for (number, flags) in [AccessFlags.biometryAny, .biometryCurrentSet, .applicationPassword].enumerated() {
            try Seeds.writeFixture("envelopes/\(number)") { try envelope(flags) }
        }
    }

    private static func envelope(_ flags: AccessFlags) throws -> [UInt8] {
        guard let keybag = KeybagFixture.keybag(), let rules = AccessRules(flags) else { throw Seeds.Missing() }
        let front = flags == .biometryAny ? FactorEnvelope.Front(publicKey: [4, 5, 6], bits: 256) : nil
        let sealed = try FactorEnvelope.seal(
            SecretValue(copying: EnvelopeFixture.secret), front: front, under: rules.bound(to: [UInt8](0..<32)),
            with: EnvelopeFixture.shown(EnvelopeFixture.password(keybag)), keybag)
        return sealed.withUnsafeBytes { Array($0) }
    }

    private static func keybag(recovery: RecoveryPublicKey?, generations: Int = 1) throws -> LockedKeybag {
        guard let keychain = KeybagFixture.keychain else { throw Seeds.Missing() }
        let root = KeybagFixture.root()
        var keybag = try UnlockedKeybag.fresh(
            keychain: keychain, enclave: .software, binding: root.binding, recovery: recovery)
        for _ in 1..<generations { keybag = try keybag.nextGeneration() }
        return try keybag.sealed(with: root)
    }

    private static func keybagWithPasscode() throws -> LockedKeybag {
        let open = try keybag(recovery: nil).opened(with: KeybagFixture.root())
        guard let gate = GateID([UInt8](1...16)) else { throw Seeds.Missing() }
        let salt = [UInt8](1...32)
        let parameters = PasscodeParameters(cost: .light, salt: salt, gate: gate)
        let passcode = try StretchedPasscode(SecretBytes("1234"), salt: salt, cost: .light)
        return try open.withPasscode(parameters, eraseAfter: 10)
            .sealed(with: KeybagFixture.root(), gate: SecretBytes([UInt8](2...33)), passcode: passcode)
    }

    /// Each whole, and as what its digests protect.
    static func keybags() throws -> [[UInt8]] {
        let keybags = [
            try keybag(recovery: nil), try keybag(recovery: RecoveryKey().publicKey),
            try keybag(recovery: nil, generations: 3), try keybagWithPasscode(),
        ]
        var seeds = try keybags.map { try $0.encoded() }
        for seed in seeds {
            guard let payload = try TwinRecord.decode(seed, magic: KeybagFuzzing.magic) else { throw Seeds.Missing() }
            seeds.append(payload.bytes)
        }
        var damaged = seeds[0]
        damaged[100] ^= 1
        return seeds + [damaged]
    }

    private static func sealedItem(_ secretSize: Int?) throws -> [UInt8] {
        guard let keybag = KeybagFixture.keybag(), let binding = KeybagFixture.binding() else { throw Seeds.Missing() }
        var attributes = AttributeList()
        attributes[.account] = .string("somebody")
        attributes[.service] = .string("something")
        let secret = secretSize.map { count in
            [UInt8](repeating: 0x5A, count: count).withUnsafeBytes { SecretValue(copying: $0) }
        }
        return try ItemSealer(keybag).seal(attributes, secret: secret, accessibility: .whenUnlocked, binding: binding)
    }

    static func sealedItems() throws -> [[UInt8]] {
        let folder = Fixtures.url("sealed-items")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .map { [UInt8](try Data(contentsOf: $0)) }
    }

    static func deviceKeys() throws -> [[UInt8]] {
        guard let keychain = KeybagFixture.keychain, let file = FuzzedFile([]) else { throw Seeds.Missing() }
        try FileManager.default.removeItem(atPath: file.path)
        let enclave = SoftwareEnclave(path: file.path)
        _ = try enclave.create(for: keychain)
        var files = [file.bytes]
        let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
        for number in 1...3 {
            let gate = try enclave.makeGate(for: SecretBytes([UInt8](1...32)), eraseAfter: UInt32(number), turn)
            if number == 1 { _ = try? enclave.openGate(gate.id, with: SecretBytes([2]), at: 5, turn) }
            files.append(file.bytes)
        }
        let payloads = files.map { file in Array(file[8..<8 + (file.count - 8) / 2 - 32]) }
        return files + payloads.map { [1] + $0 } + [[0] + payloads[0].prefix(48)]
    }

    static func tpmFiles() throws -> [[UInt8]] {
        func gate(_ number: UInt8, _ more: [String: PropertyList]) -> PropertyList {
            let fields: [String: PropertyList] = [
                "id": .data([UInt8](repeating: number, count: 16)), "index": .number(0x0180_0000 + Int64(number)),
                "eraseAfter": .number(10), "failures": .number(0), "lastFailure": .number(0),
            ]
            return .dictionary(fields.merging(more) { $1 })
        }
        let gates: [[PropertyList]] = [
            [],
            [
                gate(1, ["state": .number(0)]), gate(2, ["state": .number(1), "object": .data([0, 1, 2, 0, 1, 3])]),
                gate(3, ["state": .number(2), "failures": .number(10)]),
            ],
        ]
        let payloads = try gates.map { gates in
            try PropertyList.dictionary([
                "version": .number(1), "keychain": .data([UInt8](0x20..<0x30)),
                "storageKeyPlace": .number(0x8100_0001), "storageKeyName": .data([UInt8](0..<34)),
                "endorsementKeyName": .data([]), "root": .data([0, 1, 2, 0, 1, 3]), "gates": .array(gates),
            ]).encoded()
        }
        return try payloads + payloads.map { try TwinRecord.encode($0, magic: Array("LLAVETPM".utf8)) }
    }

    static func recoveryWords() throws -> [[UInt8]] {
        let words = try (0..<3).map { _ in try RecoveryKey().words().array }
        let list = words[0].split(separator: UInt8(ascii: " "))
        let numbered = list.enumerated().flatMap { number, word -> [UInt8] in
            Array("\(number + 1). ".utf8) + Array(word) + [0x0A]
        }
        let short = Array(list.map { $0.prefix(4) }.joined(separator: Array(", ".utf8)))
        return words + [numbered, short, Array(words[0].dropLast(8))]
    }

    static let persistentReferences =
        ["genp", "inet", "cert", "keys", "idnt"].flatMap { name in
            [Array(name.utf8) + [UInt8](1...16), Array(name.utf8) + [UInt8](1...8)]
        } + [Array("tkpr".utf8) + [1, 2, 3], Array("genq".utf8) + [UInt8](1...16)]
}
