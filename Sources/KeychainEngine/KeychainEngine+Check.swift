// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainStore

extension KeychainEngine {
    /// Examines the database, in its own words; nothing is changed.
    package func check(copyOfKeybag: [UInt8]?) throws(KeychainError) -> [Finding] {
        try read { (lane) throws(StoreError) in try lane.check(copyOfKeybag: copyOfKeybag) }
    }
}
