// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// A keybag as it is stored: a header in the clear and keys that are wrapped.
///
/// Nothing here is a secret.
package struct LockedKeybag: Sendable, Equatable {
    /// What a record hangs on.
    enum Slot: UInt8, Sendable {
        case device = 1
        case deviceAndGate = 2
        case recovery = 3
    }

    /// What a record holds: the two keys of a class, the index key, or one of the passcode's factors.
    enum Content: Sendable, Hashable {
        case classKeys(ClassKeyName)
        case indexKey
        /// By its place in the header.
        case passcodeFactor(UInt8)

        /// A class key and its metadata key, or one key alone.
        var byteCount: Int {
            switch self {
            case .classKeys: 64
            case .indexKey, .passcodeFactor: 32
            }
        }

        /// The number written for it: the class's own, or one that no class has.
        var number: UInt8 {
            switch self {
            case .classKeys(let name): name.accessibility.rawValue
            case .indexKey: 0
            case .passcodeFactor: 1
            }
        }
    }

    struct Record: Sendable, Equatable {
        let slot: Slot
        let content: Content
        /// What a recovery record was wrapped with, for the one who has the other half; empty in the other slots.
        let point: [UInt8]
        let wrapped: [UInt8]
    }

    package let header: KeybagHeader
    /// The header's own bytes, to which the records are bound.
    let headerBytes: [UInt8]
    let records: [Record]
    /// Whether one of the two stored copies is damaged.
    package let isHalfDamaged: Bool

    init(header: KeybagHeader, headerBytes: [UInt8], records: [Record], isHalfDamaged: Bool = false) {
        self.header = header
        self.headerBytes = headerBytes
        self.records = records
        self.isHalfDamaged = isHalfDamaged
    }

    /// The same keybag without keys that nothing is sealed under any more.
    package func dropping(_ unused: Set<ClassKeyName>) -> LockedKeybag {
        let kept = records.filter { record in
            guard case .classKeys(let name) = record.content else { return true }
            return !unused.contains(name)
        }
        return LockedKeybag(header: header, headerBytes: headerBytes, records: kept)
    }

    /// The same keybag without what a recovery key opens.
    package func droppingRecovery() -> LockedKeybag {
        LockedKeybag(header: header, headerBytes: headerBytes, records: records.filter { $0.slot != .recovery })
    }

    /// Whether another keybag is a later one of the same keychain.
    package func isOlder(than other: LockedKeybag) -> Bool {
        other.header.keychain == header.keychain && other.header.rollbackCounter > header.rollbackCounter
    }

    /// Whether another keybag came of this one by a change, or by giving up keys that nothing was sealed under any more.
    package func isFollowed(by other: LockedKeybag) -> Bool {
        isOlder(than: other)
            || other.headerBytes == headerBytes && other.records.allSatisfy { record in records.contains(record) }
    }

    /// The class keys of generations before the current one.
    package var earlierNames: Set<ClassKeyName> {
        Set(
            records.compactMap { record in
                guard case .classKeys(let name) = record.content, name.generation != header.generation else {
                    return nil
                }
                return name
            })
    }
}

extension LockedKeybag {
    /// The stored form.
    package func encoded() throws(KeybagError) -> [UInt8] {
        let payload: [UInt8]
        do throws(CodingError) {
            payload = try PropertyList.dictionary([
                "header": .data(headerBytes), "records": .array(records.map { $0.encoded(in: header.version) }),
            ]).encoded()
        } catch { throw .damaged }
        return try TwinRecord.encode(payload, magic: LockedKeybag.magic)
    }

    package init(decoding bytes: [UInt8]) throws(KeybagError) {
        guard let payload = try TwinRecord.decode(bytes, magic: LockedKeybag.magic) else { throw .damaged }
        let fields = try KeybagFields(decoding: payload.bytes)
        let headerBytes = try fields.data("header")
        let header = try KeybagHeader(decoding: headerBytes)
        var records: [Record] = []
        var seen: [RecordPlace] = []
        for entry in try fields.array("records") {
            let record = try Record(try KeybagFields(entry), of: header)
            // Two records for one place would leave it to chance which of them counts.
            let place = RecordPlace(record)
            guard !seen.contains(place) else { throw .damaged }
            seen.append(place)
            records.append(record)
        }
        self.init(header: header, headerBytes: headerBytes, records: records, isHalfDamaged: payload.isHalfDamaged)
    }

    private static let magic: [UInt8] = Array("LLAVEBAG".utf8)
}

/// What only one record of a keybag may be for.
private struct RecordPlace: Equatable {
    let slot: LockedKeybag.Slot
    let number: UInt8
    let generation: UInt32

    init(_ record: LockedKeybag.Record) {
        slot = record.slot
        number = record.content.number
        generation =
            switch record.content {
            case .classKeys(let name): name.generation
            case .passcodeFactor(let index): UInt32(index)
            case .indexKey: 0
            }
    }
}

extension LockedKeybag.Record {
    fileprivate func encoded(in version: KeybagHeader.Version) -> PropertyList {
        var fields: [String: PropertyList] = [
            "slot": .number(Int64(slot.rawValue)),
            "class": .number(Int64(content.number)),
            "key": .data(wrapped),
        ]
        if version != .first, case .classKeys(let name) = content {
            fields["generation"] = .number(Int64(name.generation))
            fields["id"] = .data(name.id.bytes)
        }
        if case .passcodeFactor(let index) = content { fields["factor"] = .number(Int64(index)) }
        if slot == .recovery { fields["point"] = .data(point) }
        return .dictionary(fields)
    }

    fileprivate init(_ fields: KeybagFields, of header: KeybagHeader) throws(KeybagError) {
        guard let slot = UInt8(exactly: try fields.number("slot")).flatMap(LockedKeybag.Slot.init(rawValue:)),
            let number = UInt8(exactly: try fields.number("class"))
        else { throw .damaged }
        let content = try LockedKeybag.Content(number, fields, of: header)
        let wrapped = try fields.data("key")
        guard wrapped.count == content.byteCount + KeyWrap.overhead else { throw .damaged }
        let point = slot == .recovery ? try fields.data("point") : []
        guard point.count == (slot == .recovery ? 32 : 0) else { throw .damaged }
        self.init(slot: slot, content: content, point: point, wrapped: wrapped)
    }
}

extension LockedKeybag.Content {
    fileprivate init(_ number: UInt8, _ fields: KeybagFields, of header: KeybagHeader) throws(KeybagError) {
        if number == 0 {
            self = .indexKey
            return
        }
        if number == 1, header.version == .current {
            guard let index = UInt8(exactly: try fields.number("factor")), index < header.passcodeFactors.count else {
                throw .damaged
            }
            self = .passcodeFactor(index)
            return
        }
        guard let accessibility = Accessibility(rawValue: number) else { throw .damaged }
        if header.version == .first {
            // Keys had no names then, and there was one generation.
            guard let id = KeyID(Array(repeating: 0, count: 16)) else { throw .damaged }
            self = .classKeys(ClassKeyName(accessibility: accessibility, generation: header.generation, id: id))
            return
        }
        guard let generation = UInt32(exactly: try fields.number("generation")),
            (1...header.generation).contains(generation), let id = KeyID(try fields.data("id"))
        else { throw .damaged }
        self = .classKeys(ClassKeyName(accessibility: accessibility, generation: generation, id: id))
    }
}

/// Why a keybag gave no keys.
package enum KeybagError: Error, CryptoCaused, Equatable {
    /// Bytes that are no keybag, or a record that its key does not open.
    case damaged
    /// Written by later software.
    case newerVersion
    /// Another enclave than the one recorded.
    case otherEnclave
    /// Not all keys are open, so the keybag cannot be made anew.
    case incomplete
    /// The recovery key is another keybag's, or none was made.
    case otherRecoveryKey
    case crypto(CryptoError)
}
