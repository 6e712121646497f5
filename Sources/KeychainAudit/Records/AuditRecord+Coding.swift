// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// A record's own bytes: a list in the house's one encoding, of as many elements as its kind has.
extension AuditRecord {
    package func encoded() throws(AuditError) -> [UInt8] {
        var writer = RecordWriter()
        try write(to: &writer)
        return writer.bytes
    }

    /// Writes it behind what the writer has.
    func write(to writer: inout RecordWriter) throws(AuditError) {
        let start = writer.bytes.count
        writer.list { writer in
            switch content {
            case .opening(let opening):
                writeHead(1, to: &writer)
                opening.write(to: &writer)
            case .entry(let entry):
                writeHead(2, to: &writer)
                entry.write(to: &writer)
            case .moreItems(let items):
                writeHead(3, to: &writer)
                AuditedItem.write(items, to: &writer)
            case .lost(let count, let reason):
                writeHead(4, to: &writer)
                writer.number(count)
                writer.number(reason)
            case .seal(let records):
                writeHead(5, to: &writer)
                writer.number(records)
            }
        }
        guard writer.bytes.count - start <= AuditRecord.largest else { throw .tooLarge }
    }

    private func writeHead(_ kind: Int64, to writer: inout RecordWriter) {
        writer.number(kind)
        writer.number(number)
        writer.number(time)
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
    fileprivate func write(to writer: inout RecordWriter) {
        writer.number(Int64(file))
        writer.number(Int64(oldest))
        writer.number(cause.rawValue)
        writer.number(previousNumber)
        writer.data(previousMAC)
    }

    fileprivate init?(_ fields: inout RecordFields) {
        guard let file = fields.number().flatMap({ UInt32(exactly: $0) }),
            let oldest = fields.number().flatMap({ UInt32(exactly: $0) }), oldest >= 1, oldest <= file,
            let cause = fields.number().flatMap({ Cause(rawValue: $0) }), let number = fields.number(), number >= 0,
            case .data(let mac)? = fields.next(), mac.count == RecordMAC.size
        else { return nil }
        self.init(file: file, oldest: oldest, cause: cause, previousNumber: number, previousMAC: mac)
    }
}
