// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What an operation notes on its way: the rows it could not read, how much it found, and what it did with which items.
///
/// A store connection has one and lends it to its operations, one after the other.
final class OperationNotes {
    /// What was done with which items; nil while no observer wants to know it.
    var events: [ItemEvent]?
    /// How many rows were passed over because they could not be read, where they are not listed.
    var damagedRows = 0
    /// Whether a damaged page was met, and gone round.
    var metDamage = false
    /// Bytes of what was found so far.
    private(set) var foundBytes = 0
    /// The rows that could not be read, by their numbers; nil unless the request asks for them.
    private var damagedItems: [Int64: DamagedItem]?
    /// The rows that lie on pages which cannot be read.
    private var lostItems: [DamagedItem] = []

    /// Forgets what the operation before counted.
    ///
    /// What was done stays, because its observer may watch several operations.
    func begin() {
        damagedRows = 0
        metDamage = false
        mayHaveFreedRoom = false
        foundBytes = 0
    }

    /// Begins anew where a look is made a second time: forgets what the first one counted, and the events that it noted
    /// behind the earlier ones.
    func beginAgain(keeping earlierEvents: Int) {
        begin()
        if let count = events?.count, count > earlierEvents { events?.removeLast(count - earlierEvents) }
    }

    // MARK: Damage

    /// Whether damaged rows are listed; otherwise they are counted.
    var listsDamage: Bool { damagedItems != nil }

    func noteDamage(of row: RowReader, rest: FoundItem?) {
        guard damagedItems != nil else {
            damagedRows += 1
            return
        }
        damagedItems?[row.rowID] = DamagedItem(itemClass: row.table.itemClass, persistentID: row.id, rest: rest)
    }

    /// Notes a row that lies on a page which cannot be read, with the reference that an index still has of it.
    func noteLoss(of itemClass: ItemClass, _ id: PersistentID?) {
        if listsDamage {
            lostItems.append(DamagedItem(itemClass: itemClass, persistentID: id, rest: nil))
        } else {
            damagedRows += 1
        }
    }

    /// Lists the damaged rows that `body` comes across, in the order in which they were stored, and behind them those that
    /// cannot even be come across.
    func listingDamage(_ body: () throws(StoreError) -> Void) throws(StoreError) -> [DamagedItem] {
        damagedItems = [:]
        defer { (damagedItems, lostItems) = (nil, []) }
        try body()
        return (damagedItems ?? [:]).sorted { $0.key < $1.key }.map(\.value) + lostItems
    }

    // MARK: Room

    /// Whether so much may have been removed that it is worth a look at how much room is free: one time in sixteen.
    private(set) var mayHaveFreedRoom = false

    func removedRow(_ rowID: Int64) { if rowID % 16 == 0 { mayHaveFreedRoom = true } }

    /// Counts what is found before it is taken out of the database.
    func makeRoom(_ budget: (Int) -> AnswerBudget, for bytes: Int) throws(StoreError) {
        foundBytes += bytes
        switch budget(foundBytes) {
        case .enough: break
        case .tooLarge: throw .answerTooLarge
        case .taken: throw .noRoomForAnswer
        }
    }

    // MARK: Deeds

    func note(_ kind: ItemEvent.Kind, _ item: Item) {
        if events != nil { events?.append(ItemEvent(kind, item.itemClass, group: item.group, item.id)) }
    }

    /// Notes what became of the item in a row.
    func note(_ kind: ItemEvent.Kind, _ row: RowReader) {
        guard events != nil, let id = row.id else { return }
        events?.append(ItemEvent(kind, row.table.itemClass, group: row.group, id))
    }
}
