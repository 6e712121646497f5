// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainIdentity
internal import KeychainModel

extension AuditEntry {
    /// Writes what its record has after number and time.
    func write(to writer: inout RecordWriter) {
        writer.number(operation.rawValue)
        if let program { program.write(to: &writer) } else { writer.null() }
        writer.optional(queriedClass?.auditNumber)
        groups.write(to: &writer)
        writer.number(outcome.number)
        AuditedItem.write(items, to: &writer)
        writer.optional(count)
    }

    init?(_ fields: inout RecordFields) {
        guard let operation = fields.number().flatMap({ AuditOperation(rawValue: $0) }),
            let program = fields.optional(AuditedProgram.init(part:)),
            let queriedClass = fields.optional(QueriedClass.init(part:)),
            let groups = fields.next().flatMap(AuditedGroup.init(part:)),
            let outcome = fields.number().flatMap({ AuditOutcome(number: $0) }),
            let items = AuditedItem.list(from: fields.next()), let count = fields.optional(Int64.init(part:))
        else { return nil }
        if let count { guard count >= 0 else { return nil } }
        self.init(
            operation, by: program, on: queriedClass, in: groups, outcome: outcome, items: items, count: count)
    }
}

extension AuditedProgram {
    fileprivate func write(to writer: inout RecordWriter) {
        writer.list { writer in
            writer.number(Int64(user))
            writer.number(Int64(process))
            if let image { writer.string(image) } else { writer.null() }
            writer.optional(level?.auditNumber)
        }
    }

    fileprivate init?(part: PropertyList) {
        guard case .array(let parts) = part else { return nil }
        var fields = RecordFields(parts)
        guard let user = fields.number().flatMap({ UInt32(exactly: $0) }),
            let process = fields.number().flatMap({ Int32(exactly: $0) }),
            let image = fields.optional(String.init(part:)),
            let level = fields.optional({ part in Int64(part: part).flatMap { IdentityLevel(auditNumber: $0) } }),
            fields.isAtEnd, (image?.utf8.count ?? 0) <= AuditedProgram.longestPath
        else { return nil }
        self.init(user: user, process: process, image: image, level: level)
    }
}

extension AuditedItem {
    static func write(_ items: [AuditedItem], to writer: inout RecordWriter) {
        writer.list { writer in
            for item in items {
                writer.list { writer in
                    writer.number(Int64(item.itemClass.rawValue))
                    writer.reference(item.persistentID)
                    item.group.write(to: &writer)
                }
            }
        }
    }

    /// The items of a list that is no longer than one record's.
    static func list(from part: PropertyList?) -> [AuditedItem]? {
        guard case .array(let parts)? = part, parts.count <= AuditRecord.mostItems else { return nil }
        var items: [AuditedItem] = []
        for part in parts {
            guard case .array(let parts) = part else { return nil }
            var fields = RecordFields(parts)
            guard let itemClass = fields.number().flatMap({ UInt8(exactly: $0) }).flatMap(ItemClass.init(rawValue:)),
                case .data(let id)? = fields.next(), let id = PersistentID(id),
                let group = fields.next().flatMap(AuditedGroup.init(part:)), fields.isAtEnd
            else { return nil }
            items.append(AuditedItem(itemClass, id, group: group))
        }
        return items
    }
}

extension AuditedGroup {
    /// A name, or the number of what stands in its place.
    fileprivate func write(to writer: inout RecordWriter) {
        switch self {
        case .named(let group): writer.string(group.name)
        case .unknown: writer.number(0)
        case .everyOfProgram: writer.number(1)
        case .tooLong: writer.number(2)
        }
    }

    fileprivate init?(part: PropertyList) {
        switch part {
        case .string(let name):
            guard name.utf8.count <= AuditedGroup.longestName, let group = AccessGroup(name) else { return nil }
            self = .named(group)
        case .number(0): self = .unknown
        case .number(1): self = .everyOfProgram
        case .number(2): self = .tooLong
        default: return nil
        }
    }
}

extension QueriedClass {
    fileprivate var auditNumber: Int64 {
        switch self {
        case .stored(let itemClass): Int64(itemClass.rawValue)
        case .identity: -1
        }
    }

    fileprivate init?(part: PropertyList) {
        guard case .number(let number) = part else { return nil }
        if number == -1 {
            self = .identity
            return
        }
        guard let itemClass = UInt8(exactly: number).flatMap(ItemClass.init(rawValue:)) else { return nil }
        self = .stored(itemClass)
    }
}
