// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync

/// A model of a keychain as synchronisation sees it: dictionaries, with the rule of merging that the store has.
///
/// What the store itself does is tested with the store.
struct ModelKeychain {
    /// What makes two items one.
    struct Name: Hashable, Comparable {
        let group: String
        let account: String

        static func < (left: Name, right: Name) -> Bool {
            (left.group, left.account) < (right.group, right.account)
        }
    }

    struct Entry {
        var item: SyncItem
        /// The order of its last change, while that has not gone out.
        var mark: UInt64?
        /// The record that this item is.
        var record: RecordName?
        /// This device's own name for it.
        let reference: Int
    }

    struct RecordName: Hashable {
        let view: SyncView
        let id: SyncRecordID
    }

    var entries: [Name: Entry] = [:]
    /// Those that lost against others, and those that were deleted by others.
    var past: [SyncItem] = []
    /// The secrets that were written here, and those that were seen here when something else was put in their place.
    private(set) var written: Set<[UInt8]> = []
    private(set) var overwritten: Set<[UInt8]> = []
    /// Records that are void, as they were taken.
    private var voids: Set<RecordName> = []
    /// Items whose rows cannot be read, and items that are refused when they come.
    var damaged: Set<Name> = []
    var refuses: Set<Name> = []
    /// Whether class A is locked.
    var isLocked = false
    private(set) var state: SyncState?
    private(set) var leaves: [SyncView: [SyncRecordID: SyncLeaf]] = [:]
    private(set) var waiting: [SyncView: [SyncRecordID: SyncWaiting]] = [:]
    private(set) var heads: [SyncView: [UInt64: [UInt8]]] = [:]
    private var lastMark: UInt64 = 0
    private var lastReference = 0

    // MARK: What programs do

    /// Sets an item's secret; nil deletes it.
    mutating func set(_ name: Name, to secret: [UInt8]?, accessible: String = "ck", now: Double) {
        let old = entries[name]
        // A program that changes an item has it open.
        guard !isLocked || accessible != "ak" && !(old?.item.isOfClassA ?? false) else { return }
        guard secret != nil || old.map({ !$0.item.isTombstone }) ?? false else { return }
        var attributes = AttributeList()
        attributes[.account] = .string(name.account)
        attributes[.service] = .string("service")
        attributes[.accessGroup] = .string(name.group)
        attributes[.accessible] = secret == nil ? old?.item.attributes[.accessible] : .string(accessible)
        attributes[.synchronizable] = .number(1)
        attributes[.tombstone] = .number(secret == nil ? 1 : 0)
        // Later than what it was, whatever the clock says.
        let earliest = old.map { $0.item.date + 1e-6 } ?? -.infinity
        attributes[.modificationDate] = .date((max(now, earliest) * 1e6).rounded(.up) / 1e6)
        attributes[.creationDate] = .date(700_000_000)
        if let bytes = old?.item.secret?.bytes, bytes != secret { overwritten.insert(bytes) }
        if let secret { written.insert(secret) }
        let isSameSecret = old?.item.secret.map { $0.bytes == secret } ?? false
        let item = SyncItem(
            itemClass: .genericPassword, attributes: attributes, secret: secret.map { SecretValue(copying: $0) },
            secretGeneration: isSameSecret ? old?.item.secretGeneration ?? 0 : 0)
        put(item, name, mark: nextMark())
    }

    /// As somebody does who edits the file.
    mutating func damage(leaf id: SyncRecordID, of view: SyncView) {
        guard let leaf = leaves[view]?[id] else { return }
        leaves[view]?[id] = SyncLeaf(id: id, head: leaf.head, digest: leaf.digest.map { $0 ^ 1 })
    }

    private mutating func nextMark() -> UInt64 {
        lastMark += 1
        return lastMark
    }

    private mutating func put(_ item: SyncItem, _ name: Name, mark: UInt64?) {
        if entries[name] == nil {
            lastReference += 1
            entries[name] = Entry(item: item, mark: mark, reference: lastReference)
        } else {
            entries[name]?.item = item
            entries[name]?.mark = mark
        }
    }

    var live: [Name: [UInt8]] {
        entries.filter { !$0.value.item.isTombstone }.mapValues { $0.item.secret?.bytes ?? [] }
    }

    /// What changed and has not gone out.
    var marked: Set<Name> { Set(entries.filter { $0.value.mark != nil }.keys) }

    // MARK: What synchronisation asks

    mutating func perform(_ request: SyncRequest) -> SyncReply {
        switch request {
        case .state(let known):
            guard let state, state.baseName == known else { return .state(state) }
            return .state(SyncState(version: state.version, bytes: state.bytes, base: nil, baseName: state.baseName))
        case .begin(let bytes, let base):
            state = ModelKeychain.state((state?.version ?? 0) + 1, bytes, base)
            (leaves, waiting, heads) = ([:], [:], [:])
            for name in entries.keys { entries[name]?.record = nil }
            markAll()
            return .done
        case .end:
            (state, leaves, waiting, heads) = (nil, [:], [:], [:])
            return .done
        case .leaves(let view, let behind, let limit):
            return .leaves(page((leaves[view] ?? [:]), behind, limit))
        case .waiting(let view, let behind, let limit):
            return .waiting(page((waiting[view] ?? [:]), behind, limit))
        case .heads(let view, let before, let limit):
            let found = (heads[view] ?? [:]).filter { $0.key < before ?? .max }
                .sorted { $0.key > $1.key }.prefix(limit)
            return .heads(found.map { SyncHead(number: $0.key, body: $0.value) })
        case .changes(let behind, let limit):
            let marked = entries.filter { !damaged.contains($0.key) }.values.filter {
                $0.mark.map { $0 > behind } ?? false
            }
            let readable = marked.filter { !(isLocked && $0.item.isOfClassA) }.sorted {
                ($0.mark ?? 0) < ($1.mark ?? 0)
            }
            return .changes(
                readable.prefix(limit).map { SyncChange(mark: $0.mark ?? 0, item: $0.item) },
                someAreLocked: readable.count < marked.count)
        case .markAll:
            let before = lastMark
            markAll()
            return .marked(behind: before, upTo: lastMark)
        case .live(let view, let ids):
            let inView = entries.values.filter { $0.record?.view == view && !$0.item.isTombstone }
            let named = Set(ids)
            return .live(inView.count { $0.record.map { named.contains($0.id) } ?? false }, of: inView.count)
        case .voids(let view, let ids):
            return .voids(ids.filter { voids.contains(RecordName(view: view, id: $0)) })
        case .tombstones(let view, let before, let limit):
            let found = entries.values.filter {
                $0.record?.view == view && $0.item.isTombstone && $0.item.date < before
                    && !(isLocked && $0.item.isOfClassA)
            }
            .sorted { $0.item.date < $1.item.date }.prefix(limit)
            return .tombstones(
                found.compactMap { entry in
                    entry.record.map { SyncTombstone(id: $0.id, date: entry.item.date) }
                })
        case .apply(let batch): return apply(batch)
        }
    }

    private static func state(_ version: UInt64, _ bytes: [UInt8], _ base: [UInt8]?) -> SyncState {
        SyncState(
            version: version, bytes: bytes, base: base, baseName: (try? Digest.sha256(of: base ?? [])) ?? [])
    }

    private func page<Value>(_ rows: [SyncRecordID: Value], _ behind: SyncRecordID?, _ limit: Int) -> [Value] {
        rows.filter { row in behind.map { $0 < row.key } ?? true }.sorted { $0.key < $1.key }.prefix(limit).map(\.value)
    }

    private mutating func markAll() {
        for name in entries.keys.sorted() where entries[name]?.mark == nil {
            let mark = nextMark()
            entries[name]?.mark = mark
        }
    }

    private mutating func apply(_ batch: SyncBatch) -> SyncReply {
        guard let state, state.version == batch.version else { return .outdated }
        // A keychain in another process takes no more than so many heads, and of the rest no round gives it more than a head lists.
        guard batch.heads.count <= SyncRequest.mostAtOnce,
            max(batch.sent.count, batch.incoming.count) <= CircleHead.greatestCount
        else { return .done }
        let marked = Dictionary(entries.compactMap { name, entry in entry.mark.map { ($0, name) } }) { first, _ in first
        }
        var outcomes: [SyncOutcome] = []
        for view in batch.forgotten { (leaves[view], waiting[view], heads[view]) = (nil, nil, nil) }
        if !batch.forgotten.isEmpty {
            for (name, entry) in entries where entry.record.map({ batch.forgotten.contains($0.view) }) ?? false {
                entries[name]?.record = nil
            }
            markAll()
        }
        for incoming in batch.incoming {
            let record = RecordName(view: incoming.view, id: incoming.leaf.id)
            if isClosed(to: incoming, record) {
                outcomes.append(.locked)
                continue
            }
            leaves[incoming.view, default: [:]][incoming.leaf.id] = incoming.leaf
            waiting[incoming.view]?[incoming.leaf.id] = nil
            voids.remove(record)
            switch incoming.content {
            case .item(let item): outcomes.append(merge(item, record))
            case .sealed(let body):
                waiting[incoming.view, default: [:]][incoming.leaf.id] = SyncWaiting(leaf: incoming.leaf, body: body)
                outcomes.append(.noted)
            case .void:
                let outcome = void(record)
                if outcome != .kept { voids.insert(record) }
                outcomes.append(outcome)
            case .unreadable: outcomes.append(.noted)
            }
        }
        for sent in batch.sent {
            if let (view, leaf) = sent.leaf {
                leaves[view, default: [:]][leaf.id] = leaf
                voids.remove(RecordName(view: view, id: leaf.id))
            }
            guard let name = marked[sent.mark], entries[name]?.mark == sent.mark else { continue }
            entries[name]?.mark = nil
            if let (view, leaf) = sent.leaf { entries[name]?.record = RecordName(view: view, id: leaf.id) }
        }
        guard batch.state == nil || !outcomes.contains(.locked) else {
            return .applied(outcomes, version: state.version)
        }
        for (view, head) in batch.heads { heads[view, default: [:]][head.number] = head.body }
        guard let bytes = batch.state else { return .applied(outcomes, version: state.version) }
        self.state = ModelKeychain.state(state.version + 1, bytes, batch.base ?? state.base)
        return .applied(outcomes, version: state.version + 1)
    }

    /// Whether what comes, or what it would take the place of, is locked now.
    private func isClosed(to incoming: SyncIncoming, _ record: RecordName) -> Bool {
        guard isLocked else { return false }
        switch incoming.content {
        case .item(let item):
            let name = Name(group: item.text(.accessGroup), account: item.text(.account))
            return item.isOfClassA || entries[name]?.item.isOfClassA ?? false
        case .void: return entries.values.contains { $0.record == record && $0.item.isOfClassA }
        case .sealed, .unreadable: return false
        }
    }

    /// The later one stays; of one time, the one with the smaller digest.
    private mutating func merge(_ item: SyncItem, _ record: RecordName) -> SyncOutcome {
        let name = Name(group: item.text(.accessGroup), account: item.text(.account))
        guard !refuses.contains(name) else { return .refused }
        guard let local = entries[name] else {
            put(item, name, mark: nil)
            entries[name]?.record = record
            return item.isTombstone ? .noted : .added
        }
        entries[name]?.record = record
        let (mine, theirs) = (local.item.digest, item.digest)
        guard item.date > local.item.date || item.date == local.item.date && theirs != mine else {
            if item.date == local.item.date {
                entries[name]?.mark = nil
                return .same
            }
            return keep(name, local, item)
        }
        if item.date == local.item.date, mine.lexicographicallyPrecedes(theirs) { return keep(name, local, item) }
        if !local.item.isTombstone { past.append(local.item) }
        put(item, name, mark: nil)
        if item.isTombstone { return local.item.isTombstone ? .changed : .removed }
        return local.item.isTombstone ? .added : .changed
    }

    private mutating func keep(_ name: Name, _ local: Entry, _ item: SyncItem) -> SyncOutcome {
        let mark = local.mark ?? nextMark()
        entries[name]?.mark = mark
        if !item.isTombstone { past.append(item) }
        return .kept
    }

    private mutating func void(_ record: RecordName) -> SyncOutcome {
        guard let (name, entry) = entries.first(where: { $0.value.record == record }) else { return .noted }
        guard entry.mark == nil else { return .kept }
        entries[name] = nil
        guard !entry.item.isTombstone else { return .noted }
        past.append(entry.item)
        return .removed
    }
}

extension SyncItem {
    var date: Double {
        guard case .date(let date)? = attributes[.modificationDate] else { return 0 }
        return date
    }

    var isOfClassA: Bool { attributes[.accessible] == .string("ak") }

    func text(_ attribute: Attribute) -> String {
        guard case .string(let text)? = attributes[attribute] else { return "" }
        return text
    }

    /// The digest by which two of one time are told apart.
    var digest: [UInt8] {
        func digest(_ data: UnsafeRawBufferPointer?) -> [UInt8] {
            let made = try? unsafe AttributeCoding.withDigestEncoding(attributes, data: data) { unsafe Array($0) }
            guard let made else { return [] }
            return (try? Digest.sha256(of: made)) ?? []
        }
        guard let secret else { return digest(nil) }
        return unsafe secret.withUnsafeBytes { unsafe digest($0) }
    }
}

extension SecretValue {
    var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
