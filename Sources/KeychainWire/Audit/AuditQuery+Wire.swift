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
