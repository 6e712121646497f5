// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

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
        var seen: Set<RecordPlace> = []
        for entry in try fields.array("records") {
            let record = try Record(try KeybagFields(entry), of: header)
            // Two records for one place would leave it to chance which of them counts.
            guard seen.insert(RecordPlace(record)).inserted else { throw .damaged }
            records.append(record)
        }
        self.init(header: header, headerBytes: headerBytes, records: records, isHalfDamaged: payload.isHalfDamaged)
    }

    private static let magic: [UInt8] = Array("LLAVEBAG".utf8)
}

/// What only one record of a keybag may be for.
private struct RecordPlace: Hashable {
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
