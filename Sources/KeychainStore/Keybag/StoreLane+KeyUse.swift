// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
package import KeychainModel
internal import KeychainSQLite

extension StoreLane {
    /// Those of some class keys that no row needs any more, the quarantine's included: what cannot be read today may be
    /// repaired tomorrow, and then wants its key.
    package func unused(_ names: Set<ClassKeyName>) throws(StoreError) -> Set<ClassKeyName> {
        if names.isEmpty { return [] }
        var used: Set<[UInt8]> = []
        do throws(SQLiteError) {
            for itemClass in ItemClass.allCases {
                // The blob's class and generation stand side by side.
                let statement = try connection.prepare(
                    "select distinct substr(data, 4, 5) from \(ItemTable.of(itemClass).name)")
                defer { statement.reset() }
                while try statement.step() { used.insert(statement.blob(0)) }
            }
            let quarantine = try connection.prepare("select row from quarantine where class <> 'keybag'")
            defer { quarantine.reset() }
            while try quarantine.step() {
                guard case .dictionary(let columns)? = try? PropertyList(decoding: quarantine.blob(0)),
                    case .data(let blob)? = columns["data"]
                else { return [] }
                used.insert(Array(blob.dropFirst(3).prefix(5)))
            }
        } catch { throw .sqlite(error) }
        return names.filter { name in
            let generation = (0..<4).map { UInt8(truncatingIfNeeded: name.generation >> (8 * UInt32($0))) }
            return !used.contains([name.accessibility.rawValue] + generation)
        }
    }

    /// The keys that live in the enclave: they cannot follow the keychain into another one.
    package func enclaveKeys() throws(StoreError) -> [PersistentID] {
        do throws(SQLiteError) {
            let statement = try connection.prepare(
                "select persistref from keys where tkid <> '' and tomb = 0 order by rowid")
            defer { statement.reset() }
            var keys: [PersistentID] = []
            while try statement.step() {
                if let id = PersistentID(statement.blob(0)) { keys.append(id) }
            }
            return keys
        } catch { throw .sqlite(error) }
    }
}
