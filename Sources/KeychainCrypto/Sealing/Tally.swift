// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What stands beside all rows of a keychain together, so that a row cannot be taken away or put back unseen.
package struct Tally: Sendable, Equatable {
    /// Transactions that changed rows since the tally was begun.
    package var commits: UInt64
    package var items: UInt64
    /// When the last of them was, in seconds since 2001.
    package var time: Double
    /// The sum of the rows' terms; it says nothing of one row, and everything when it is compared.
    package var sum: UInt128

    package init(commits: UInt64 = 0, items: UInt64 = 0, time: Double = 0, sum: UInt128 = 0) {
        (self.commits, self.items, self.time, self.sum) = (commits, items, time, sum)
    }

    /// Takes in a change of rows.
    package mutating func take(_ change: TallyChange) {
        items = UInt64(clamping: Int64(clamping: items) + change.items)
        sum &+= change.sum
    }
}

/// What one transaction does to the tally.
package struct TallyChange: Sendable, Equatable {
    package private(set) var items: Int64 = 0
    package private(set) var sum: UInt128 = 0
    package private(set) var isEmpty = true

    package init() {}

    package mutating func add(_ term: UInt128) {
        (items, sum, isEmpty) = (items + 1, sum &+ term, false)
    }

    package mutating func remove(_ term: UInt128) {
        (items, sum, isEmpty) = (items - 1, sum &- term, false)
    }
}

/// How far a tally was known to be, noted outside the keychain's folder: who puts an older folder back is noticed by it.
package struct TallyNote: Sendable, Equatable {
    package var commits: UInt64
    package var time: Double
    /// How many commits are missing that had been noted, and the time of the last; none while all is well.
    package var lost: UInt64
    package var lostTime: Double

    package init(commits: UInt64, time: Double, lost: UInt64 = 0, lostTime: Double = 0) {
        (self.commits, self.time, self.lost, self.lostTime) = (commits, time, lost, lostTime)
    }
}

/// Makes a tally's terms, and seals it.
///
/// The sum is stored under a mask that is another one after every commit: of two copies of the database nobody can subtract
/// one row's term and take the row away with it.
package final class TallyKey {
    private let hash: KeyedHash

    package init(_ keybag: UnlockedKeybag) throws(CryptoError) {
        let key = try FactorKey.derived(
            from: keybag.indexKey, salt: keybag.header.keychain.bytes, info: "llavero tally")
        hash = try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe KeyedHash(key: key) }
    }

    /// What a row adds to the sum: its table, its reference, and the end of its blob, which is the tag of its secret's seal.
    package func term(
        _ itemClass: ItemClass, reference: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer
    ) throws(CryptoError) -> UInt128 {
        var message: [UInt8] = [UInt8(truncatingIfNeeded: reference.count)]
        unsafe message.append(contentsOf: reference)
        unsafe message.append(contentsOf: tag)
        return try cut(UInt64(itemClass.rawValue), message)
    }

    // MARK: Records

    package func sealed(_ tally: Tally) throws(CryptoError) -> [UInt8] {
        var record = TallyKey.tallyMark
        record.put(tally.commits)
        record.put(tally.items)
        record.put(tally.time.bitPattern)
        record.put(tally.sum &+ (try mask(tally.commits)))
        return record + (try seal(record))
    }

    /// nil of what this key has not sealed.
    package func tally(_ record: [UInt8]) throws(CryptoError) -> Tally? {
        guard try isSealed(record, TallyKey.tallyMark) else { return nil }
        let commits: UInt64 = record.number(at: 8)
        let masked: UInt128 = record.number(at: 32)
        return Tally(
            commits: commits, items: record.number(at: 16), time: Double(bitPattern: record.number(at: 24)),
            sum: masked &- (try mask(commits)))
    }

    package func sealed(_ note: TallyNote) throws(CryptoError) -> [UInt8] {
        var record = TallyKey.noteMark
        record.put(note.commits)
        record.put(note.time.bitPattern)
        record.put(note.lost)
        record.put(note.lostTime.bitPattern)
        record.put(UInt64(0))
        return record + (try seal(record))
    }

    /// nil of what this key has not sealed: a torn one, one of another keychain, or none.
    package func note(_ record: [UInt8]) throws(CryptoError) -> TallyNote? {
        guard try isSealed(record, TallyKey.noteMark) else { return nil }
        return TallyNote(
            commits: record.number(at: 8), time: Double(bitPattern: record.number(at: 16)), lost: record.number(at: 24),
            lostTime: Double(bitPattern: record.number(at: 32)))
    }

    private func isSealed(_ record: [UInt8], _ mark: [UInt8]) throws(CryptoError) -> Bool {
        guard record.count == TallyKey.recordSize, record.starts(with: mark) else { return false }
        let expected = try seal(Array(record.prefix(TallyKey.sealedSize)))
        return unsafe expected.withUnsafeBytes { expected in
            unsafe record.withUnsafeBytes { record in
                unsafe isEqualInConstantTime(
                    expected, UnsafeRawBufferPointer(rebasing: record[TallyKey.sealedSize...]))
            }
        }
    }

    // MARK: Hashes

    private func mask(_ commits: UInt64) throws(CryptoError) -> UInt128 {
        var message: [UInt8] = []
        message.put(commits)
        return try cut(TallyKey.maskDomain, message)
    }

    private func seal(_ record: [UInt8]) throws(CryptoError) -> [UInt8] {
        var seal: [UInt8] = []
        seal.put(try cut(TallyKey.sealDomain, record))
        return seal
    }

    private func cut(_ domain: UInt64, _ message: [UInt8]) throws(CryptoError) -> UInt128 {
        let bytes = try unsafe [UInt8](count: KeyedHash.cutSize) { (output) throws(CryptoError) in
            try unsafe message.lendingBytes { (message) throws(CryptoError) in
                try unsafe hash.hash(domain: domain, message, into: output)
            }
        }
        return bytes.number(at: 0)
    }

    package static let recordSize = 64
    private static let sealedSize = 48
    private static let tallyMark = Array("LvTally".utf8) + [1]
    private static let noteMark = Array("LvCount".utf8) + [1]
    // Behind those of the tables, which are their numbers.
    private static let maskDomain: UInt64 = 16
    private static let sealDomain: UInt64 = 17
}

// One store connection owns it, as its hash.
@available(*, unavailable)
extension TallyKey: Sendable {}

extension [UInt8] {
    fileprivate mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
    }

    fileprivate func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
        self[offset..<offset + Number.bitWidth / 8].reduce(Number.zero) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
