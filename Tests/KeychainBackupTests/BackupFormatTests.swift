// SPDX-License-Identifier: Apache-2.0

import KeychainBackup
import KeychainCrypto
import KeychainModel
import TestSeed
import Testing

/// The file of a backup, without a keychain: what was written comes out again, and nothing else is believed.
@Suite("a backup's file") struct BackupFormatTests {
    private static let cost = PasscodeCost(log2N: 15, r: 8, p: 1)

    private static func secret(_ text: String) -> SecretBytes {
        let value = SecretValue(copying: Array(text.utf8))
        return SecretBytes(copying: UnsafeRawBufferPointer(start: value.bytes, count: value.count))
    }

    private static func item(_ number: UInt64, _ secret: [UInt8]?) -> BackupItem {
        var attributes = AttributeList()
        attributes[.account] = .string("account \(number)")
        attributes[.accessible] = .string("ak")
        return BackupItem(
            itemClass: .genericPassword, id: PersistentID(high: 7, low: number), attributes: attributes,
            secret: secret.map { SecretValue(copying: $0) })
    }

    /// A file of these items; every third is bound to the device.
    private static func file(
        _ items: [BackupItem], passphrase: String? = "pass", recovery: RecoveryKey? = nil, device: String = "device"
    ) throws -> [UInt8] {
        let key = try BackupKey()
        var stanzas = [try BackupStanza.device(secret(device), key)]
        if let passphrase { stanzas.append(try .passphrase(secret(passphrase), key, cost: cost)) }
        if let recovery { stanzas.append(try .recovery(recovery.publicKey, key)) }
        let signer = try Ed25519.makePrivateKey()
        let uuid = try #require(KeychainUUID([UInt8](repeating: 3, count: 16)))
        let header = BackupHeader(
            key, keychain: uuid, time: 800_000_000.25, signer: try Ed25519.publicKey(of: signer), stanzas: stanzas)
        var bytes: [UInt8] = []
        let writer = try BackupWriter(header, key, device: secret(device)) { bytes += Array($0) }
        for (number, item) in items.enumerated() { try writer.put(item, isBound: number % 3 == 2) }
        writer.leaveOut()
        let counts = try writer.finish(signing: signer)
        #expect(counts.items == UInt64(items.count) && counts.left == 1)
        return bytes
    }

    private static func reader(_ bytes: [UInt8]) throws -> BackupReader {
        var place = 0
        return try BackupReader { buffer in
            let part = min(buffer.count, bytes.count - place)
            buffer.copyBytes(from: bytes[place..<place + part])
            place += part
            return part
        }
    }

    private static func contents(_ reader: BackupReader) throws -> (items: [BackupItem], bound: Int) {
        var (items, bound): ([BackupItem], Int) = ([], 0)
        while let record = try reader.next() {
            switch record {
            case .item(let item): items.append(item)
            case .bound: bound += 1
            case .list, .counts: break
            }
        }
        return (items, bound)
    }

    private static let three = [item(1, Array("one".utf8)), item(2, nil), item(3, [])]

    @Test("each lock opens it, and gives what was put in", arguments: ["device", "passphrase", "recovery"])
    func locks(lock: String) throws {
        let recovery = try RecoveryKey()
        let bytes = try Self.file(Self.three, recovery: recovery)
        try Self.reader(bytes).verify()
        let reader = try Self.reader(bytes)
        switch lock {
        case "device": #expect(try reader.open(device: Self.secret("device")))
        case "passphrase": try reader.open(passphrase: Self.secret("pass"))
        default: try reader.open(recovery: recovery)
        }
        let (items, bound) = try Self.contents(reader)
        // The third item opens by the device alone.
        #expect(items.count == (lock == "device" ? 3 : 2) && bound == 3 - items.count)
        #expect(
            items[0].secret.map { Array(UnsafeRawBufferPointer(start: $0.bytes, count: $0.count)) } == Array("one".utf8)
        )
        #expect(items[1].secret == nil && items[1].attributes[.account] == .string("account 2"))
        #expect(items[0].id == PersistentID(high: 7, low: 1))
    }

    @Test("another passphrase, other words and another device open nothing")
    func strangers() throws {
        let bytes = try Self.file(Self.three, recovery: try RecoveryKey())
        #expect(throws: BackupError.notOpened) { try Self.reader(bytes).open(passphrase: Self.secret("Pass")) }
        #expect(throws: BackupError.notOpened) { try Self.reader(bytes).open(recovery: try RecoveryKey()) }
        #expect(try !Self.reader(bytes).open(device: Self.secret("another")))
        #expect(throws: BackupError.notOpened) { try Self.reader(bytes).next() }
    }

    @Test("no byte can be changed, nor the end cut, nor anything put behind it")
    func everyByte() throws {
        let bytes = try Self.file(Self.three, passphrase: nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x41
            #expect(throws: BackupError.self, "byte \(index)") { try Self.reader(changed).verify() }
            #expect(throws: BackupError.self, "byte \(index)") {
                let reader = try Self.reader(changed)
                guard try reader.open(device: Self.secret("device")) else { throw BackupError.notOpened }
                _ = try Self.contents(reader)
            }
            #expect(throws: BackupError.self, "\(index) bytes") { try Self.reader(Array(bytes[..<index])).verify() }
        }
        #expect(throws: BackupError.damaged) { try Self.reader(bytes + [0]).verify() }
        #expect(throws: BackupError.newer) { try Self.reader(Array("LLVBACK2".utf8) + bytes[8...]).verify() }
        #expect(throws: BackupError.notBackup) { try Self.reader(Array("nothing of the kind".utf8)).verify() }
        #expect(throws: BackupError.notBackup) { try Self.reader([]).verify() }
    }

    @Test("secrets of all sizes, at the ends of chunks too")
    func sizes() throws {
        var random = Seed(for: "backup sizes")
        let chosen = [0, 1, 65_400, 65_450, 65_500, 65_536, 131_072, 500_000]
        let sizes = chosen + (0..<20).map { _ in Int.random(in: 0..<70_000, using: &random) }
        let secrets = sizes.map { size in [UInt8](repeating: UInt8(size % 251), count: size) }
        let items = secrets.enumerated().map { Self.item(UInt64($0.offset), $0.element) }
        let bytes = try Self.file(items)
        let reader = try Self.reader(bytes)
        #expect(try reader.open(device: Self.secret("device")))
        let found = try Self.contents(reader).items
        #expect(found.map { $0.secret?.count } == sizes)
        for (item, secret) in zip(found, secrets) {
            #expect(item.secret?.isEqualInConstantTime(to: SecretValue(copying: secret)) == true)
        }
        // What is in it cannot be seen.
        let needle = Array("account 1".utf8)
        #expect(!bytes.indices.dropLast(needle.count).contains { Array(bytes[$0..<$0 + needle.count]) == needle })
    }

    @Test("a header that asks for endless work is refused before any is done")
    func costs() throws {
        let bytes = try Self.file(Self.three)
        let name = Array("log2N".utf8)
        let place = try #require(bytes.indices.dropLast(16).first { Array(bytes[$0..<$0 + name.count]) == name })
        var dear = bytes
        // INTEGER, one byte, the number.
        dear[place + name.count + 2] = 31
        #expect(throws: BackupError.damaged) { try Self.reader(dear) }
    }
}
