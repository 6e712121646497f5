// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension SyncRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .state(knowing: try fields.isNull() ? nil : try fields.data(atMost: SyncState.nameSize))
        case 2:
            self = .begin(
                state: try fields.data(atMost: WireLimits.syncState),
                base: try fields.data(atMost: WireLimits.syncState))
        case 3: self = .end
        case 4: self = .leaves(of: try fields.next(), behind: try fields.next(), limit: try fields.limit())
        case 5: self = .waiting(in: try fields.next(), behind: try fields.next(), limit: try fields.limit())
        case 6: self = .heads(of: try fields.next(), before: try fields.next(), limit: try fields.limit())
        case 7: self = .changes(behind: try fields.next(), limit: try fields.limit())
        case 8: self = .markAll
        case 9: self = .apply(try fields.next())
        case 10: self = .live(of: try fields.next(), among: try fields.array(atMost: SyncRequest.mostRecords))
        case 11:
            self = .tombstones(of: try fields.next(), before: try fields.moment(), limit: try fields.limit())
        case 12: self = .voids(of: try fields.next(), among: try fields.array(atMost: SyncRequest.mostRecords))
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .state(let name): try writer.write(1, name)
        case .begin(let state, let base):
            try writer.write(2, state)
            try writer.write(base)
        case .end: writer.number(3)
        case .leaves(let view, let id, let limit):
            try writer.write(4, view)
            try writer.write(id)
            try writer.limit(limit)
        case .waiting(let view, let id, let limit):
            try writer.write(5, view)
            try writer.write(id)
            try writer.limit(limit)
        case .heads(let view, let number, let limit):
            try writer.write(6, view)
            try writer.write(number)
            try writer.limit(limit)
        case .changes(let mark, let limit):
            try writer.write(7, mark)
            try writer.limit(limit)
        case .markAll: writer.number(8)
        case .apply(let batch): try writer.write(9, batch)
        case .live(let view, let ids):
            try writer.write(10, view)
            try writer.array(ids)
        case .tombstones(let view, let date, let limit):
            try writer.write(11, view)
            writer.moment(date)
            try writer.limit(limit)
        case .voids(let view, let ids):
            try writer.write(12, view)
            try writer.array(ids)
        }
    }
}

extension SyncReply: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .done
        case 2: self = .state(try fields.next())
        case 3: self = .leaves(try fields.array(atMost: SyncRequest.mostAtOnce))
        case 4: self = .waiting(try fields.array(atMost: SyncRequest.mostAtOnce))
        case 5: self = .heads(try fields.array(atMost: SyncRequest.mostAtOnce))
        case 6:
            self = .changes(
                try fields.array(atMost: SyncRequest.mostAtOnce), someAreLocked: try fields.next())
        case 7:
            self = .applied(try fields.array(atMost: SyncRequest.mostAtOnce), version: try fields.next())
        case 8: self = .outdated
        case 9: self = .live(try fields.limit(), of: try fields.limit())
        case 10: self = .tombstones(try fields.array(atMost: SyncRequest.mostAtOnce))
        case 11: self = .voids(try fields.array(atMost: SyncRequest.mostRecords))
        case 12: self = .marked(behind: try fields.next(), upTo: try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .done: writer.number(1)
        case .state(let state): try writer.write(2, state)
        case .leaves(let leaves):
            writer.number(3)
            try writer.array(leaves)
        case .waiting(let waiting):
            writer.number(4)
            try writer.array(waiting)
        case .heads(let heads):
            writer.number(5)
            try writer.array(heads)
        case .changes(let changes, let someAreLocked):
            writer.number(6)
            try writer.array(changes)
            try writer.write(someAreLocked)
        case .applied(let outcomes, let version):
            writer.number(7)
            try writer.array(outcomes)
            try writer.write(version)
        case .outdated: writer.number(8)
        case .live(let some, let all):
            writer.number(9)
            try writer.limit(some)
            try writer.limit(all)
        case .tombstones(let tombstones):
            writer.number(10)
            try writer.array(tombstones)
        case .voids(let ids):
            writer.number(11)
            try writer.array(ids)
        case .marked(let behind, let upTo):
            try writer.write(12, behind)
            try writer.write(upTo)
        }
    }
}

// MARK: - A batch

extension SyncBatch: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(version: try fields.next())
        state = try fields.isNull() ? nil : try fields.data(atMost: WireLimits.syncState)
        base = try fields.isNull() ? nil : try fields.data(atMost: WireLimits.syncState)
        incoming = try fields.array(atMost: SyncRequest.mostAtOnce)
        sent = try fields.array(atMost: SyncRequest.mostAtOnce)
        let heads: [ViewHead] = try fields.array(atMost: SyncRequest.mostAtOnce)
        self.heads = heads.map { (view: $0.view, head: $0.head) }
        keptHeads = Int(try fields.number(in: 1...Int64(Int32.max)))
        forgotten = try fields.array(atMost: SyncRequest.mostAtOnce)
        members.admitted = Int(try fields.number(in: 0...Int64(Int32.max)))
        members.removed = Int(try fields.number(in: 0...Int64(Int32.max)))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(version)
        try writer.write(state)
        try writer.write(base)
        try writer.array(incoming)
        try writer.array(sent)
        try writer.array(heads.map { ViewHead(view: $0.view, head: $0.head) })
        writer.number(Int64(keptHeads))
        try writer.array(forgotten)
        writer.number(Int64(members.admitted))
        writer.number(Int64(members.removed))
    }
}

/// A head, with the view that it is one of.
private struct ViewHead: WireStructure {
    let view: SyncView
    let head: SyncHead

    init(view: SyncView, head: SyncHead) { (self.view, self.head) = (view, head) }

    init(parts fields: inout WireFields) throws(WireError) {
        self.init(view: try fields.next(), head: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(view)
        try writer.write(head)
    }
}

extension SyncIncoming: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(view: try fields.next(), leaf: try fields.next(), content: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(view)
        try writer.write(leaf)
        try writer.write(content)
    }
}

extension SyncIncoming.Content: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try fields.next())
        case 2: self = .sealed(try fields.data(atMost: WireLimits.syncBody))
        case 3: self = .void
        case 4: self = .unreadable
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let item): try writer.write(1, item)
        case .sealed(let body): try writer.write(2, body)
        case .void: writer.number(3)
        case .unreadable: writer.number(4)
        }
    }
}

extension SyncSent: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let mark: UInt64 = try fields.next()
        guard try !fields.isNull() else {
            self.init(mark: mark, leaf: nil)
            return
        }
        self.init(
            mark: mark, leaf: (view: try fields.next(), leaf: try fields.next()), generation: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(mark)
        guard let leaf else {
            writer.null()
            return
        }
        try writer.write(leaf.view)
        try writer.write(leaf.leaf)
        try writer.write(generation)
    }
}

extension SyncOutcome: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .added: 1
        case .changed: 2
        case .removed: 3
        case .same: 4
        case .kept: 5
        case .noted: 6
        case .refused: 7
        case .locked: 8
        }
    }
}

// MARK: - What they are made of

extension SyncState: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            version: try fields.next(), bytes: try fields.data(atMost: WireLimits.syncState),
            base: try fields.isNull() ? nil : try fields.data(atMost: WireLimits.syncState),
            baseName: try fields.data(atMost: SyncState.nameSize))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(version)
        try writer.write(bytes)
        try writer.write(base)
        try writer.write(baseName)
    }
}

extension SyncLeaf: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(id: try fields.next(), head: try fields.next(), digest: try fields.data(atMost: SyncLeaf.digestSize))
        guard digest.count == SyncLeaf.digestSize else { throw .outOfRange }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(id)
        try writer.write(head)
        try writer.write(digest)
    }
}

extension SyncTombstone: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(id: try fields.next(), date: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(id)
        try writer.write(date)
    }
}

extension SyncWaiting: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(leaf: try fields.next(), body: try fields.data(atMost: WireLimits.syncBody))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(leaf)
        try writer.write(body)
    }
}

extension SyncHead: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(number: try fields.next(), body: try fields.data(atMost: WireLimits.syncBody))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(number)
        try writer.write(body)
    }
}

extension SyncChange: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(mark: try fields.next(), item: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(mark)
        try writer.write(item)
    }
}

/// Whether it is an item that the keychain could have, the store looks at: it came from another device, past any parser.
extension SyncItem: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            itemClass: try fields.next(), attributes: try fields.next(), secret: try fields.next(),
            secretGeneration: try fields.next(), later: try fields.data(atMost: WireLimits.syncBody))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        try writer.write(attributes)
        try writer.write(secret)
        try writer.write(secretGeneration)
        try writer.write(later)
    }
}

extension SyncView: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> SyncView {
        guard let view = SyncView(try fields.data(atMost: SyncView.size)) else { throw .outOfRange }
        return view
    }

    func write(to writer: inout WireWriter) throws(WireError) { writer.data(bytes) }
}

extension SyncRecordID: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> SyncRecordID {
        guard let id = SyncRecordID(try fields.data(atMost: SyncRecordID.size)) else { throw .outOfRange }
        return id
    }

    func write(to writer: inout WireWriter) throws(WireError) { writer.data(bytes) }
}

/// A count of what there was: of heads, of marks, of times that something was written.
extension UInt64: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> UInt64 {
        UInt64(try fields.number(in: 0...Int64.max))
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        guard let number = Int64(exactly: self) else { throw .unwritable }
        writer.number(number)
    }
}

extension WireFields {
    /// How many are asked for.
    fileprivate mutating func limit() throws(WireError) -> Int { Int(try number(in: 0...Int64(Int32.max))) }

    /// A moment that may be none of the calendar, as "before any": the bits of a number that is one.
    fileprivate mutating func moment() throws(WireError) -> Double {
        let moment = Double(bitPattern: UInt64(bitPattern: try number()))
        guard !moment.isNaN else { throw .outOfRange }
        return moment
    }
}

extension WireWriter {
    fileprivate mutating func moment(_ moment: Double) { number(Int64(bitPattern: moment.bitPattern)) }

    fileprivate mutating func limit(_ limit: Int) throws(WireError) {
        guard (0...Int(Int32.max)).contains(limit) else { throw .unwritable }
        number(Int64(limit))
    }
}
