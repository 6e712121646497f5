// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// One record of a log: its number in the whole log, its time, and what it says.
package struct AuditRecord: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// The first record of every file.
        case opening(AuditOpening)
        case entry(AuditEntry)
        /// More items of the entry before it.
        case moreItems([AuditedItem])
        /// So many entries could not be written since the record before this one; the number says why the last could not.
        case lost(Int64, reason: Int64)
        /// The last record of a file that is full: how many records it has, this one included.
        case seal(records: Int64)
    }

    /// 1 and up.
    package let number: Int64
    /// Microseconds since 2001-01-01 00:00:00 UTC, by the system's clock.
    package let time: Int64
    package let content: Content

    package init(number: Int64, time: Int64, _ content: Content) {
        self.number = number
        self.time = time
        self.content = content
    }
}

/// What a file says of itself and of the one before it.
package struct AuditOpening: Sendable, Equatable {
    /// Why the file was begun.
    package enum Cause: Int64, Sendable, CaseIterable {
        /// There was no log.
        case first = 1
        /// The file before it was full and has its seal.
        case rotation = 2
        /// The file before it ends in the middle of a record, as after a power cut.
        case tornTail = 3
        /// Records are missing at the end of the file before it that may never have reached the disk.
        case unsyncedTail = 4
        /// Records are missing at its end that were on the disk.
        case cutTail = 5
        /// It contains something that was not written with the key.
        case damage = 6
        /// The head was gone, or damaged, so the end of the file before it is unknown.
        case lostHead = 7
    }

    package let file: UInt32
    /// The oldest file that is still kept; older ones were removed.
    package let oldest: UInt32
    package let cause: Cause
    /// The last record before this file, and its MAC; 0 and zeros when none is known.
    package let previousNumber: Int64
    package let previousMAC: [UInt8]

    package init(file: UInt32, oldest: UInt32, cause: Cause, previousNumber: Int64, previousMAC: [UInt8]) {
        self.file = file
        self.oldest = oldest
        self.cause = cause
        self.previousNumber = previousNumber
        self.previousMAC = previousMAC
    }
}

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
