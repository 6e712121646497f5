// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// A record's own bytes: a list in the house's one encoding, of as many elements as its kind has.
extension AuditRecord {
    package func encoded() throws(AuditError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(CodingError) { bytes = try PropertyList.array(parts).encoded() } catch { throw .tooLarge }
        guard bytes.count <= AuditRecord.largest else { throw .tooLarge }
        return bytes
    }

    /// The record of exactly these bytes; nil when they are not the one encoding of one.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= AuditRecord.largest, case .array(let parts)? = try? unsafe PropertyList(decoding: bytes)
        else { return nil }
        var fields = RecordFields(parts)
        guard let kind = fields.number(), let number = fields.number(), number > 0, let time = fields.number(),
            let content = Content(kind, &fields), fields.isAtEnd
        else { return nil }
        self.init(number: number, time: time, content)
    }

    private var parts: [PropertyList] {
        switch content {
        case .opening(let opening):
            head(1) + [
                .number(Int64(opening.file)), .number(Int64(opening.oldest)), .number(opening.cause.rawValue),
                .number(opening.previousNumber), .data(opening.previousMAC),
            ]
        case .entry(let entry): head(2) + entry.parts
        case .moreItems(let items): head(3) + [AuditedItem.list(items)]
        case .lost(let count, let reason): head(4) + [.number(count), .number(reason)]
        case .seal(let records): head(5) + [.number(records)]
        }
    }

    private func head(_ kind: Int64) -> [PropertyList] { [.number(kind), .number(number), .number(time)] }

    /// The largest encoding: an entry with the longest path and as many items as one record takes.
    static let largest = 64 << 10
    /// Items in one record.
    static let mostItems = 128
}

extension AuditRecord.Content {
    fileprivate init?(_ kind: Int64, _ fields: inout RecordFields) {
        switch kind {
        case 1:
            guard let opening = AuditOpening(&fields) else { return nil }
            self = .opening(opening)
        case 2:
            guard let entry = AuditEntry(&fields) else { return nil }
            self = .entry(entry)
        case 3:
            guard let items = AuditedItem.list(from: fields.next()), !items.isEmpty else { return nil }
            self = .moreItems(items)
        case 4:
            guard let count = fields.number(), count > 0, let reason = fields.number() else { return nil }
            self = .lost(count, reason: reason)
        case 5:
            guard let records = fields.number(), records > 0 else { return nil }
            self = .seal(records: records)
        default: return nil
        }
    }
}

extension AuditOpening {
    fileprivate init?(_ fields: inout RecordFields) {
        guard let file = fields.number().flatMap({ UInt32(exactly: $0) }),
            let oldest = fields.number().flatMap({ UInt32(exactly: $0) }), (1...file).contains(oldest),
            let cause = fields.number().flatMap({ Cause(rawValue: $0) }), let number = fields.number(), number >= 0,
            case .data(let mac)? = fields.next(), mac.count == RecordMAC.size
        else { return nil }
        self.init(file: file, oldest: oldest, cause: cause, previousNumber: number, previousMAC: mac)
    }
}
