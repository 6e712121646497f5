// SPDX-License-Identifier: Apache-2.0

internal import KeychainSQLite

/// The newest committed version of each page of a database, out of its file and its log, read without SQLite.
///
/// It needs no header and no other page to say what a page is: the size of pages is ours, and the log says of each page which
/// one it is.
struct PageImages {
    /// What is known of a page's bytes.
    enum Standing: Sendable {
        /// A sum says that they are what was written.
        case right
        /// The database has no sums.
        case unproved
        case wrong
    }

    /// How many pages the database has.
    let count: Int
    /// Whether its pages have sums.
    let hasSums: Bool
    private let file: [UInt8]
    private let log: [UInt8]
    private let frames: LogFrames

    /// Whoever takes only what is free may count on the rest of the log too, of which no commit is known.
    init(file: [UInt8], log: [UInt8], countsRest: Bool = false) {
        // Of a page that is cut, what is left is looked at.
        let missing = (PageSums.pageSize - file.count % PageSums.pageSize) % PageSums.pageSize
        self.file = file + [UInt8](repeating: 0, count: missing)
        self.log = log
        frames = LogFrames(log, countsRest: countsRest)
        let inFile = (file.count + PageSums.pageSize - 1) / PageSums.pageSize
        // The last commit says how many there are; pages behind those are of before. None is anywhere else.
        let there = max(inFile, frames.places.keys.max() ?? 0)
        count = min(frames.pageCount ?? there, there)
        var isMarked = false
        for page in 0..<inFile where !isMarked {
            isMarked = PageImages.slice(file, at: page * PageSums.pageSize).map(PageSums.isMarked) ?? false
        }
        var reserved = file.count > 20 ? Int(file[20]) : 16
        if let first = frames.places[1] { reserved = Int(log[first + 20]) }
        hasSums = isMarked || reserved == 16
    }

    /// Whether a frame in the middle of the log is damaged: SQLite would give up all that was committed behind it.
    var isLogDamaged: Bool { frames.isDamaged }

    /// Bytes of a page that SQLite uses.
    var usable: Int { hasSums ? PageSums.pageSize - 16 : PageSums.pageSize }

    /// A page by its number, counted from 1; nil where neither file nor log has it whole.
    func page(_ number: Int) -> (bytes: [UInt8], standing: Standing)? {
        guard number >= 1, number <= count else { return nil }
        if let place = frames.places[number] {
            return PageImages.slice(log, at: place).map { ($0, .right) }
        }
        guard let bytes = PageImages.slice(file, at: (number - 1) * PageSums.pageSize) else { return nil }
        guard hasSums else { return (bytes, .unproved) }
        let isRight = PageSums.isRight(bytes, number: UInt32(truncatingIfNeeded: number))
        return (bytes, isRight ? .right : .wrong)
    }

    /// Whether the log goes on behind its last commit.
    var hasRest: Bool { frames.hasRest }

    /// The newest versions of pages whose frames are damaged: a row in them may be whole all the same.
    var damagedFrames: [(number: Int, bytes: [UInt8])] {
        images(frames.damagedPlaces.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// What comes behind the last commit: perhaps one that was acknowledged, and whose end was hit.
    var rest: [(number: Int, bytes: [UInt8])] { images(frames.restPlaces) }

    private func images(_ places: [(number: Int, place: Int)]) -> [(number: Int, bytes: [UInt8])] {
        places.map { number, place in
            // The last one may be cut.
            let bytes = log[min(place, log.count)...].prefix(PageSums.pageSize)
            return (number, bytes + [UInt8](repeating: 0, count: PageSums.pageSize - bytes.count))
        }
    }

    /// The database as one file without a log, as far as it can be put together: for SQLite to read what it can.
    func assembled() -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count * PageSums.pageSize)
        for number in 1...max(count, 1) {
            guard case (var bytes, let standing)? = page(number) else {
                result += [UInt8](repeating: 0, count: PageSums.pageSize)
                continue
            }
            // Pages of the log have the sums of their frames alone.
            if hasSums, standing == .right, frames.places[number] != nil {
                PageSums.seal(&bytes, number: UInt32(truncatingIfNeeded: number))
            }
            result += bytes
        }
        return result
    }

    private static func slice(_ bytes: [UInt8], at place: Int) -> [UInt8]? {
        guard place >= 0, bytes.count - place >= PageSums.pageSize else { return nil }
        return Array(bytes[place..<place + PageSums.pageSize])
    }
}

/// The frames of a write-ahead log, each judged by its own sum, which goes on from the sum stored before it.
///
/// SQLite believes a log up to the first frame that is wrong. Here those behind it count too: each commit began after the one
/// before had reached the disk, so a good commit behind a bad frame shows that the bad one was committed as well, and damaged
/// afterwards.
struct LogFrames {
    /// Where the newest committed version of a page begins in the log.
    private(set) var places: [Int: Int] = [:]
    /// Where a page begins whose newest frame in the log is damaged.
    private(set) var damagedPlaces: [Int: Int] = [:]
    /// The pages behind the last commit, and those of which nothing says any more which they are.
    private(set) var restPlaces: [(number: Int, place: Int)] = []
    /// How many pages the database had after the last commit; nil without one.
    private(set) var pageCount: Int?
    private(set) var isDamaged = false
    /// Whether that is no power cut in the middle of the last commit either: of one that had not reached the disk, any part
    /// may be there without the others.
    private(set) var isDamagedForCertain = false
    /// Whether there is more behind the last commit: a transaction that had not come to its end, or one whose end was hit.
    private(set) var hasRest = false

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let frameSize = frameHeaderSize + PageSums.pageSize

    init(_ log: [UInt8], countsRest: Bool = false) {
        let count = (log.count - LogFrames.headerSize) / LogFrames.frameSize
        guard log.count > LogFrames.headerSize, count > 0 else { return }
        let magic = LogFrames.number(log, 0)
        let isKnown = magic | 1 == 0x377f_0683
        // A header that was hit is recognised by nothing else; both byte orders are tried then.
        let isHeaderRight =
            isKnown
            && LogFrames.sum(log, 0..<24, from: (0, 0), isBig: magic & 1 == 1) == LogFrames.stored(log, 24)
        var (good, ours, salts): ([Bool], [Bool], UInt64?) = ([], [], isHeaderRight ? LogFrames.long(log, 16) : nil)
        var isMended = false
        for isBig in isKnown ? [magic & 1 == 1] : [false, true] {
            (good, ours, salts, isMended) = LogFrames.judged(log, count, isBig: isBig, salts)
            if good.contains(true) { break }
        }
        // A good frame with another's salts is of before the log was begun anew.
        let commits = good.indices.filter { good[$0] && LogFrames.number(log, LogFrames.start($0) + 4) != 0 }
        hasRest = ours[((commits.last ?? -1) + 1)...].contains(true)
        if let last = commits.last {
            if !countsRest { pageCount = Int(LogFrames.number(log, LogFrames.start(last) + 4)) }
            let firstBad = good[...last].firstIndex(of: false)
            // SQLite gives up a frame too whose stored sum alone was hit.
            isDamaged = firstBad != nil || !isHeaderRight || isMended
            isDamagedForCertain = !isHeaderRight || isMended
            if let firstBad {
                // A bad frame that still says that it ends a commit: what is good behind it began when it was on the disk.
                let endsCommit = (firstBad..<last).contains { frame in
                    let start = LogFrames.start(frame)
                    return !good[frame] && LogFrames.number(log, start + 4) != 0
                        && LogFrames.long(log, start + 8) == salts
                }
                isDamagedForCertain = isDamagedForCertain || endsCommit || commits.count(where: { $0 > firstBad }) > 1
            }
        }
        let end = (countsRest ? good.indices.last : commits.last) ?? -1
        // Behind the last of ours lie those of before the log was begun anew.
        let lastOfOurs = good.indices.last { good[$0] || ours[$0] } ?? -1
        for frame in 0..<lastOfOurs + 1 {
            let start = LogFrames.start(frame)
            let (page, place) = (Int(LogFrames.number(log, start)), start + LogFrames.frameHeaderSize)
            guard frame <= end, good[frame] || ours[frame] else {
                restPlaces.append((page, place))
                continue
            }
            damagedPlaces[page] = good[frame] ? nil : place
            if good[frame] { places[page] = place }
        }
        // Of a frame that is cut, what is left is looked at.
        let cut = LogFrames.start(count)
        if lastOfOurs == count - 1, log.count > cut + LogFrames.frameHeaderSize, LogFrames.long(log, cut + 8) == salts {
            restPlaces.append((Int(LogFrames.number(log, cut)), cut + LogFrames.frameHeaderSize))
            hasRest = true
        }
    }

    /// Which frames are right, and which at least seem to be of the log as it is now; and the salts that say which those are.
    private static func judged(
        _ log: [UInt8], _ count: Int, isBig: Bool, _ known: UInt64?
    ) -> (good: [Bool], ours: [Bool], salts: UInt64?, isMended: Bool) {
        var (good, ours) = ([Bool](repeating: false, count: count), [Bool](repeating: false, count: count))
        var isMended = false
        var salts = known
        var before = stored(log, 24)
        var computedBefore: Sums? = sum(log, 0..<24, from: (0, 0), isBig: isBig)
        for frame in 0..<count {
            let start = start(frame)
            let own = stored(log, start + 16)
            let isOurs = number(log, start) != 0 && (salts == nil || long(log, start + 8) == salts)
            let content = start + frameHeaderSize..<start + frameSize
            func goingOn(from seed: Sums) -> Sums {
                sum(log, content, from: sum(log, start..<start + 8, from: seed, isBig: isBig), isBig: isBig)
            }
            var computed = goingOn(from: before)
            // One whose salts alone were hit still goes on from the frame before.
            ours[frame] = isOurs || computed == own
            if isOurs {
                good[frame] = computed == own
                if !good[frame], let computedBefore, goingOn(from: computedBefore) == own {
                    // Of the frame before, the stored sum alone was hit.
                    (good[frame], isMended) = (true, true)
                    if frame > 0, salts == nil || long(log, start - frameSize + 8) == salts { good[frame - 1] = true }
                    computed = own
                }
                if good[frame], salts == nil { salts = long(log, start + 8) }
            }
            (before, computedBefore) = (own, good[frame] ? nil : computed)
        }
        return (good, ours, salts, isMended)
    }

    private typealias Sums = (UInt32, UInt32)

    private static func start(_ frame: Int) -> Int { headerSize + frame * frameSize }

    /// SQLite's own sum of a log.
    private static func sum(_ bytes: [UInt8], _ range: Range<Int>, from seed: Sums, isBig: Bool) -> Sums {
        var (first, second) = seed
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let left = number(bytes, place)
            let right = number(bytes, place + 4)
            first = first &+ (isBig ? left : left.byteSwapped) &+ second
            second = second &+ (isBig ? right : right.byteSwapped) &+ first
        }
        return (first, second)
    }

    private static func stored(_ bytes: [UInt8], _ place: Int) -> Sums {
        (number(bytes, place), number(bytes, place + 4))
    }

    private static func long(_ bytes: [UInt8], _ place: Int) -> UInt64 {
        UInt64(number(bytes, place)) << 32 | UInt64(number(bytes, place + 4))
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
            | UInt32(bytes[place + 3])
    }
}
