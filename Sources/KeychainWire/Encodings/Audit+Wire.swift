// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit

extension AuditQuery: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .verdict
        case 2:
            let number = try fields.number(in: 0...Int64.max)
            self = .records(after: number, atMost: try fields.number(in: 1...AuditPage.mostRecords))
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .verdict: writer.number(1)
        case .records(let number, let limit):
            guard number >= 0, (1...AuditPage.mostRecords).contains(limit) else { throw .unwritable }
            try writer.write(2, number)
            writer.number(limit)
        }
    }
}

extension AuditAnswer: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .verdict(try fields.next())
        case 2: self = .page(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .verdict(let verdict): try writer.write(1, verdict)
        case .page(let page): try writer.write(2, page)
        }
    }
}

extension AuditPage: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            records: try fields.array(atMost: Int(AuditPage.mostRecords)), isLast: try fields.next(),
            isIntact: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        guard records.count <= AuditPage.mostRecords else { throw .tooLarge }
        try writer.array(records)
        writer.boolean(isLast)
        writer.boolean(isIntact)
    }
}

/// In the encoding that it has in the log.
extension AuditRecord: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AuditRecord {
        let bytes = try fields.data()
        guard let record = unsafe bytes.withUnsafeBytes({ unsafe AuditRecord(decoding: $0) }) else {
            throw .malformed
        }
        return record
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        do throws(AuditError) { writer.data(try encoded()) } catch { throw .unwritable }
    }
}

extension AuditVerdict: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            isIntact: try fields.next(), records: try fields.number(in: 0...Int64.max),
            lost: try fields.number(in: 0...Int64.max), findings: try fields.array(atMost: AuditVerdict.mostFindings),
            findingCount: try fields.number(in: 0...Int64.max))
        guard findings.count <= findingCount else { throw .contradiction }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.boolean(isIntact)
        writer.number(records)
        writer.number(lost)
        try writer.array(findings)
        writer.number(findingCount)
    }
}

extension AuditVerdict.Irregularity: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            text: try fields.string(atMost: WireLimits.errorText), file: try fields.next(), record: try fields.next(),
            isAlarming: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.string(text)
        try writer.write(file)
        try writer.write(record)
        writer.boolean(isAlarming)
    }
}
