// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
package import KeychainSQLite

/// One lane of work on a keychain: a connection, its statements, and tools for sealing.
///
/// One thread at a time.
package final class StoreLane {
    package let connection: Connection
    package private(set) var keybag: LoadedKeybag
    private(set) var bench: SealingBench
    private var selects: [QueryShape: Statement] = [:]
    /// The shape asked for last; a program asks the same question again and again.
    private var lastSelect: (shape: QueryShape, statement: Statement)?
    var inserts: [ItemClass: Statement] = [:]
    var updates: [ItemClass: Statement] = [:]
    var deletes: [ItemClass: Statement] = [:]
    var collisions: [ItemClass: Statement] = [:]
    var rows: [ItemClass: Statement] = [:]
    private var joins: [IdentitySelection.Shape: Statement] = [:]
    private var issuerLookups: [QueryShape: Statement] = [:]
    /// The data version at which the keybag was last seen to be current; nil before the first look.
    private var checkedAt: UInt32?
    /// Whether a pass of sealing again has come to its end under these keys.
    var isResealed = false
    /// Certificates that were looked up by subject in the operation under way.
    var knownIssuers: [[UInt8]: [Certificate]] = [:]
    /// What was done with which items, while somebody wants to know.
    package var deeds: [ItemDeed]?
    /// Rows skipped by the operation under way because they could not be read.
    package internal(set) var damagedRows = 0
    /// Bytes of what was found so far.
    var foundBytes = 0
    /// Those rows by their numbers, while somebody wants to know of them.
    var damagedItems: [Int64: DamagedItem]?

    package init(connection: Connection, keybag: LoadedKeybag) throws(StoreError) {
        self.connection = connection
        self.keybag = keybag
        bench = try StoreLane.bench(for: keybag)
    }

    /// Works with other keys from now on; the contexts of the old ones are freed and with them their key schedules.
    package func adopt(_ keybag: LoadedKeybag) throws(StoreError) {
        guard keybag.keys !== self.keybag.keys || keybag.version != self.keybag.version else { return }
        bench = try StoreLane.bench(for: keybag)
        self.keybag = keybag
        checkedAt = nil
        isResealed = false
    }

    private static func bench(for keybag: LoadedKeybag) throws(StoreError) -> SealingBench {
        do throws(CryptoError) { return try SealingBench(keybag.keys) } catch { throw .sealing(.crypto(error)) }
    }

    /// Makes sure that the keys in hand are the database's.
    ///
    /// Call it inside a transaction, or after a first step.
    func checkKeybag() throws(StoreError) {
        let now = connection.dataVersion
        if now == checkedAt { return }
        let version: Int32
        do throws(SQLiteError) { version = try connection.userVersion() } catch { throw .sqlite(error) }
        guard version == keybag.version else { throw .keybagChanged }
        checkedAt = now
    }

    /// The statement of a shape, compiled once.
    func select(_ shape: QueryShape) throws(StoreError) -> Statement {
        if let lastSelect, lastSelect.shape == shape { return lastSelect.statement }
        if let statement = selects[shape] {
            lastSelect = (shape, statement)
            return statement
        }
        // A program has a handful of shapes; one that makes up endless ones must not fill memory.
        if selects.count >= 64 { selects.removeAll() }
        let statement: Statement
        do throws(SQLiteError) { statement = try connection.prepare(shape.sql) } catch { throw .sqlite(error) }
        selects[shape] = statement
        lastSelect = (shape, statement)
        return statement
    }

    /// The statement that joins certificates and keys, compiled once.
    func join(_ shape: IdentitySelection.Shape) throws(StoreError) -> Statement {
        if let statement = joins[shape] { return statement }
        if joins.count >= 64 { joins.removeAll() }
        let statement: Statement
        do throws(SQLiteError) { statement = try connection.prepare(shape.sql) } catch { throw .sqlite(error) }
        joins[shape] = statement
        return statement
    }

    /// The statement that looks for issuers while another one is under way.
    func issuerLookup(_ shape: QueryShape) throws(StoreError) -> Statement {
        if let statement = issuerLookups[shape] { return statement }
        if issuerLookups.count >= 8 { issuerLookups.removeAll() }
        let statement: Statement
        do throws(SQLiteError) { statement = try connection.prepare(shape.sql) } catch { throw .sqlite(error) }
        issuerLookups[shape] = statement
        return statement
    }

    func reader(_ statement: Statement, _ table: ItemTable) -> RowReader {
        RowReader(table: table, keychain: keybag.keychain, statement: statement)
    }

    /// Runs a write in a transaction of its own; whatever is thrown undoes all of it.
    func write<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        damagedRows = 0
        do throws(SQLiteError) { try connection.beginImmediate() } catch { throw .sqlite(error) }
        do throws(StoreError) {
            try checkKeybag()
            let result = try body()
            do throws(SQLiteError) { try connection.commit() } catch { throw .sqlite(error) }
            return result
        } catch {
            connection.rollback()
            throw error
        }
    }

    func note(_ kind: ItemDeed.Kind, _ item: Item) {
        if deeds != nil { deeds?.append(ItemDeed(kind, item.itemClass, group: item.group, item.id)) }
    }

    /// Of a row that the item was or is not read from.
    func note(_ kind: ItemDeed.Kind, _ row: RowReader) {
        guard deeds != nil, let id = row.id else { return }
        deeds?.append(ItemDeed(kind, row.table.itemClass, group: row.group, id))
    }

    package func close() {
        selects.removeAll()
        lastSelect = nil
        inserts.removeAll()
        updates.removeAll()
        deletes.removeAll()
        collisions.removeAll()
        rows.removeAll()
        joins.removeAll()
        issuerLookups.removeAll()
        connection.close()
    }
}

extension StoreError {
    /// What an error of the seals means for the whole request; damage is the row's own matter and never comes here.
    init(_ error: SealingError) {
        switch error {
        case .classUnavailable(let accessibility): self = .locked(accessibility)
        case .noPasscode: self = .passcodeNeeded
        case .classKeyMissing(let accessibility): self = .classKeyMissing(accessibility)
        case .unknownVersion, .undecodable, .unencodable, .crypto: self = .sealing(error)
        }
    }
}
