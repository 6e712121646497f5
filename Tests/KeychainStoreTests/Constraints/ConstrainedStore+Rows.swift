// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainModel
import KeychainSQLite
import Testing

/// Rows without an engine: with the keys of the classes, or with none.
extension ConstrainedStore {
    /// The class seal of one row, taken off.
    struct Opened {
        let attributes: AttributeList
        /// What the class sealed: of a constrained item an envelope, which is not its secret.
        let sealed: SecretValue
    }

    /// Opens a row as whoever has the class keys can.
    func opened(row: Int64, with others: UnlockedKeybag? = nil) throws -> Opened {
        let sealer = try ItemSealer(others ?? keys)
        let blob = try blob(row)
        return try blob.withUnsafeBytes { bytes in
            let item = try SealedItem(bytes)
            return try withBinding(row) { binding in
                var binding = binding
                let attributes = try sealer.openMetadata(item, binding: &binding)
                let secret = try sealer.openSecret(item, binding: &binding, wantsDigest: false)
                return Opened(attributes: attributes, sealed: try #require(secret.data))
            }
        }
    }

    /// Seals something else into a row, so that nothing about its class seal is wrong.
    func seal(_ attributes: AttributeList, _ secret: SecretValue, row: Int64) throws {
        let sealer = try ItemSealer(keys)
        let blob = try withBinding(row) { binding in
            try sealer.seal(attributes, secret: secret, accessibility: .whenUnlocked, binding: binding)
        }
        try setBlob(blob, row)
    }

    func blob(_ row: Int64) throws -> [UInt8] { try column("data", row) }

    func setBlob(_ blob: [UInt8], _ row: Int64) throws {
        let statement = try sqlite.prepare("update genp set data = ? where rowid = ?")
        try statement.bind(blob: blob, at: 1)
        try statement.bind(row, at: 2)
        try statement.run()
    }

    func column(_ name: String, _ row: Int64) throws -> [UInt8] {
        let statement = try sqlite.prepare("select cast(\(name) as blob) from genp where rowid = ?")
        defer { statement.reset() }
        try statement.bind(row, at: 1)
        return try statement.step() ? statement.blob(0) : []
    }

    /// All that is stored, as SQL writes it: whatever is refused must leave it alone.
    func everything() throws -> [String] {
        var rows: [String] = []
        for table in ["genp", "inet", "cert", "keys", "keybag", "quarantine"] {
            let list = "select group_concat('quote(' || name || ')', ' || ') from pragma_table_info('\(table)')"
            let names = try sqlite.prepare(list)
            _ = try names.step()
            let statement = try sqlite.prepare("select \(names.text(0)) from \(table) order by rowid")
            names.reset()
            while try statement.step() { rows.append(table + statement.text(0)) }
            statement.reset()
        }
        return rows
    }

    private func withBinding<Result>(_ row: Int64, _ body: (RowBinding) throws -> Result) throws -> Result {
        let id = try #require(PersistentID(try column("persistref", row)))
        let texts = try ["agrp", "pdmn", "musr", "vwht", "tkid", "ggrp"].map { try column($0, row) }
        return try body(
            texts[0].withUnsafeBytes { group in
                texts[1].withUnsafeBytes { protection in
                    texts[2].withUnsafeBytes { user in
                        texts[3].withUnsafeBytes { hint in
                            texts[4].withUnsafeBytes { token in
                                texts[5].withUnsafeBytes { sharing in
                                    RowBinding(
                                        keychain: uuid, itemClass: .genericPassword, id: id, synchronizable: 0,
                                        tombstone: 0, group: group, accessibility: protection, multiUser: user,
                                        viewHint: hint, tokenID: token, sharingGroup: sharing)
                                }
                            }
                        }
                    }
                }
            })
    }
}
