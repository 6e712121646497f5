// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainConnection
import KeychainModel
import KeychainRequest
import TestProcesses
import Testing

/// What a machine destroys that its circle tells to destroy the circle's items.
@Suite struct ErasureTests {
    @Test(
        "items of the circle go with their earlier versions, and all that was removed; the machine's own that are there stay with theirs"
    )
    func items() throws {
        let keychain = try TestKeychain()
        let session = try keychain.host.session(
            for: Caller(groups: [.passwords], seesEveryGroup: true, administersKeys: true, program: nil))
        for (name, isShared) in [("kept", true), ("removed", true), ("own", false), ("removed here", false)] {
            try keychain.add(name, isShared: isShared, in: session)
            try keychain.change(name, in: session)
            if name.hasPrefix("removed") { try keychain.remove(name, in: session) }
        }
        #expect(
            try keychain.past(in: session) == ["kept", "own", "removed", "removed", "removed here", "removed here"])
        try CircleErasure.destroyItems(through: session)
        #expect(try keychain.past(in: session) == ["own"])
        #expect(try keychain.names(in: session) == ["own"])
        // There is nothing more to destroy, and nothing to complain about.
        try CircleErasure.destroyItems(through: session)
    }
}
