// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension KeybagReply: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .done
        case 2: self = .state(try fields.next())
        case 3: self = .removed(try fields.count())
        case 4: self = .recoverySeed(try fields.next())
        case 5: self = .resealed(try fields.next())
        case 6: self = .references(try fields.array(atMost: WireLimits.results))
        case 7: self = .settings(try fields.next())
        case 11: self = .compacted(Int(try fields.number(in: 0...Int64.max)))
        case 9: self = .backup(try fields.next())
        case 10:
            self = .restored(try fields.array(atMost: RestoreRequest.mostItems), removed: try fields.next())
        case 8: self = .past(try fields.array(atMost: WireLimits.results))
        case 12: self = .view(try fields.next())
        case 13: self = .stamps(try fields.array(atMost: RowStamp.most))
        case 14: self = .sync(try fields.next())
        case 15: self = .unreached(try fields.array(atMost: GroupCount.most))
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .done: writer.number(1)
        case .state(let state): try writer.write(2, state)
        case .removed(let count): try writer.write(3, Int64(count))
        case .recoverySeed(let seed): try writer.write(4, seed)
        case .resealed(let step): try writer.write(5, step)
        case .references(let references):
            writer.number(6)
            try writer.array(references)
        case .settings(let settings): try writer.write(7, settings)
        case .compacted(let bytes): try writer.write(11, Int64(bytes))
        case .backup(let secrets): try writer.write(9, secrets)
        case .view(let view): try writer.write(12, view)
        case .stamps(let stamps):
            writer.number(13)
            try writer.array(stamps)
        case .unreached(let counts):
            writer.number(15)
            try writer.array(counts)
        case .restored(let outcomes, let removed):
            writer.number(10)
            try writer.array(outcomes)
            try writer.write(removed)
        case .sync(let reply): try writer.write(14, reply)
        case .past(let versions):
            writer.number(8)
            try writer.array(versions)
        }
    }
}

extension BackupSecrets: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let uuid: [UInt8] = try fields.next()
        guard let keychain = KeychainUUID(uuid) else { throw .outOfRange }
        self.init(
            keychain: keychain, signer: try fields.next(), device: try fields.next(), snapshot: try fields.next(),
            recovery: try fields.next(), commits: UInt64(try fields.number(in: 0...Int64.max)))
        guard recovery.map({ $0.count == 32 }) ?? true, signer.count == 32, device.count == 32,
            snapshot.map({ $0.count == 32 }) ?? true
        else { throw .outOfRange }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(keychain.bytes)
        try writer.write(signer)
        try writer.write(device)
        try writer.write(snapshot)
        try writer.write(recovery)
        writer.number(Int64(clamping: commits))
    }
}

extension RowStamp: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let (row, id): (Int64, PersistentID) = (try fields.number(), try fields.next())
        self.init(row: row, id: id, stamp: UInt64(bitPattern: try fields.number()))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(row)
        try writer.write(id)
        writer.number(Int64(bitPattern: stamp))
    }
}

extension GroupCount: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(group: try fields.next(), items: try fields.count())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(group)
        writer.number(Int64(items))
    }
}

extension RemovedItems: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let count = try fields.count()
        let first: [PersistentReference] = try fields.array(atMost: RemovedItems.mostNamed)
        guard let items = RemovedItems(count: count, first: first) else { throw .contradiction }
        self = items
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(count))
        try writer.array(first)
    }
}

extension RestoreOutcome: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .added: 1
        case .changed: 2
        case .kept: 3
        case .same: 4
        case .refused: 5
        case .outOfReach: 6
        case .staysRemoved: 7
        }
    }
}

extension PastVersion: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            number: try fields.number(), end: try fields.next(), since: try fields.next(), until: try fields.next(),
            item: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(number)
        try writer.write(end)
        try writer.write(since)
        try writer.write(until)
        try writer.write(item)
    }
}

extension PastVersion.End: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .changed: 1
        case .removed: 2
        }
    }
}

extension ResealingProgress: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(examined: try fields.count(), total: try fields.count(), end: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(examined))
        writer.number(Int64(total))
        try writer.write(end)
    }
}

extension ResealingProgress.End: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .notYet: 1
        case .ofRound: 2
        case .ofAll: 3
        }
    }
}

extension KeychainState: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            lockState: try fields.next(), enclave: try fields.next(), eraseAfter: try fields.next(),
            attempts: try fields.next(), hasRecoveryKey: try fields.next(), generation: try fields.next(),
            isResealing: try fields.next(), damagedClasses: try fields.array(atMost: Accessibility.allCases.count),
            format: try fields.next(), isDamaged: try fields.next())
        lostChanges = try fields.next()
        lackOfRoom = try fields.next()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(lockState)
        try writer.write(enclave)
        try writer.write(eraseAfter)
        try writer.write(attempts)
        try writer.write(hasRecoveryKey)
        try writer.write(generation)
        try writer.write(isResealing)
        try writer.array(damagedClasses)
        try writer.write(format)
        try writer.write(isDamaged)
        try writer.write(lostChanges)
        try writer.write(lackOfRoom)
    }
}

extension LostChanges: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(commits: UInt64(try fields.number(in: 1...Int64.max)), time: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(clamping: max(1, commits)))
        try writer.write(time)
    }
}

extension KeychainState.Attempts: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(failures: try fields.next(), wait: try fields.next(), isErased: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(failures)
        try writer.write(wait)
        try writer.write(isErased)
    }
}

extension EnclaveDescription: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(kind: try fields.next(), summary: try fields.next(), warnings: try fields.array(atMost: 1000))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(kind)
        try writer.write(summary)
        try writer.array(warnings)
    }
}

extension KeychainState.LackOfRoom: WireNumbered {
    static let numbered = KeychainState.LackOfRoom.allCases

    var wireNumber: Int64 {
        switch self {
        case .quota: 1
        case .fullDisk: 2
        case .readOnlyDisk: 3
        }
    }
}

extension LockState: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .noPasscode: 1
        case .beforeFirstUnlock: 2
        case .unlocked: 3
        case .locked: 4
        }
    }
}

extension KeychainSettings: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(locksWithSession: try fields.next(), timeout: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(locksWithSession)
        try writer.write(timeout)
    }
}

extension CheckPosition: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(itemClass: try fields.next(), row: try fields.number())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        writer.number(row)
    }
}

/// Checked here: no more rows are locked than were come to.
extension CheckedPart: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let findings: [String] = try fields.array(atMost: WireLimits.results)
        self.init(
            findings: findings, rows: try fields.rows(), locked: try fields.rows(), total: try fields.rows(),
            next: try fields.next())
        guard locked <= rows else { throw .contradiction }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.array(findings)
        for number in [rows, locked, total] { writer.number(Int64(number)) }
        try writer.write(next)
    }
}

extension WireFields {
    /// A number of things there are.
    fileprivate mutating func count() throws(WireError) -> Int { Int(try number(in: 0...Int64(Int32.max))) }

    fileprivate mutating func rows() throws(WireError) -> Int { Int(try number(in: 0...Int64.max)) }
}
