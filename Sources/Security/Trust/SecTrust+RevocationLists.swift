// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

extension SecTrust {
    /// Sets the certificate revocation lists (DER) that are known; ours, because Apple fetches them and takes none.
    ///
    /// A list that is not its issuer's, or no list at all, says nothing.
    public func setRevocationLists(_ lists: [Data]) {
        let lists = lists.map { [UInt8]($0) }
        change { $0.lists = lists }
    }
}
