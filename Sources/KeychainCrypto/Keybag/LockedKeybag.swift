// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainEnclave
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

    /// What a record holds: the two keys of a class, or the index key.
    enum Content: Sendable, Equatable {
        case classKeys(Accessibility)
        case indexKey

        /// The number written for it: the class's own, or 0.
        var number: UInt8 {
            switch self {
            case .classKeys(let accessibility): accessibility.rawValue
            case .indexKey: 0
            }
        }

        init?(number: UInt8) {
            if number == 0 {
                self = .indexKey
                return
            }
            guard let accessibility = Accessibility(rawValue: number) else { return nil }
            self = .classKeys(accessibility)
        }

        /// A class key and its metadata key, or the index key alone.
        var byteCount: Int { self == .indexKey ? 32 : 64 }
    }

    struct Record: Sendable, Equatable {
        let slot: Slot
        let content: Content
        let wrapped: [UInt8]
    }

    package let header: KeybagHeader
    /// The header's own bytes, to which the records are bound.
    let headerBytes: [UInt8]
    let records: [Record]
    /// Whether one of the two stored copies is damaged.
    package let isHalfDamaged: Bool

    init(header: KeybagHeader, records: [Record]) throws(KeybagError) {
        self.header = header
        do { headerBytes = try header.encoded() } catch { throw .damaged }
        self.records = records
        isHalfDamaged = false
    }

    /// The stored form.
    package func encoded() throws(KeybagError) -> [UInt8] {
        let entries = records.map { record in
            PropertyList.dictionary([
                "slot": .number(Int64(record.slot.rawValue)),
                "class": .number(Int64(record.content.number)),
                "key": .data(record.wrapped),
            ])
        }
        let payload: [UInt8]
        do {
            payload = try PropertyList.dictionary(["header": .data(headerBytes), "records": .array(entries)]).encoded()
        } catch { throw .damaged }
        return try TwinRecord.encode(payload, magic: LockedKeybag.magic)
    }

    package init(decoding bytes: [UInt8]) throws(KeybagError) {
        guard let payload = try TwinRecord.decode(bytes, magic: LockedKeybag.magic) else { throw .damaged }
        let fields = try KeybagFields(decoding: payload.bytes)
        headerBytes = try fields.data("header")
        header = try KeybagHeader(decoding: headerBytes)
        var records: [Record] = []
        for entry in try fields.array("records") {
            let fields = try KeybagFields(entry)
            guard let slot = UInt8(exactly: try fields.number("slot")).flatMap(Slot.init(rawValue:)),
                let content = UInt8(exactly: try fields.number("class")).flatMap(Content.init(number:))
            else { throw .damaged }
            let wrapped = try fields.data("key")
            guard wrapped.count == content.byteCount + KeyWrap.overhead else { throw .damaged }
            records.append(Record(slot: slot, content: content, wrapped: wrapped))
        }
        self.records = records
        isHalfDamaged = payload.isHalfDamaged
    }

    private static let magic: [UInt8] = Array("LLAVEBAG".utf8)
}
