// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest
package import KeychainStore

extension KeychainEngine {
    /// Examines a part of the database, in its own words; nothing is changed.
    package func check(
        from start: CheckPosition?, copyOfKeybag: [UInt8]?
    ) throws(KeychainError) -> CheckedRows {
        try read { (lane) throws(StoreError) in
            try lane.check(from: start, atMost: KeychainEngine.rowsOfOneCheck, copyOfKeybag: copyOfKeybag)
        }
    }

    /// Some tenths of a second.
    private static let rowsOfOneCheck = 5000
}
