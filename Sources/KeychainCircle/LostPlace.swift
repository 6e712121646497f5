// SPDX-License-Identifier: Apache-2.0

package import KeychainRequest
internal import KeychainSync
internal import KeychainSystem

/// The place in a circle of a machine whose keys to it are lost, as they are with a device key or a passcode: how it comes back.
package struct LostPlace: Sendable {
    private let state: CircleState
    private let server: CircleServer?

    /// That of a keychain that is in a circle.
    package init?(in session: any KeychainSession) {
        guard case .sync(.state(let stored?))? = try? session.perform(.sync(.state(knowing: nil))),
            let read = try? ReadState(decoding: stored, knowing: nil)
        else { return nil }
        // The address may have gone with the keys.
        (state, server) = (read.state, try? CircleServer.stored(in: session))
    }

    /// What to do, from here on.
    package var way: String { isKnownToOthers ? "`llavero circle leave` here (its items stay), then \(back)" : back }

    /// What to do behind `circle leave`.
    package var back: String {
        let ways = "--server \(address) --circle \(Hexadecimal.digits(of: state.log.circle.bytes))"
        if hasWords {
            return
                "`llavero circle recover \(ways)` with the words that are a member makes it an owner again, and `llavero circle remove NAME` ends its old place, which `llavero circle list` shows"
        }
        if hasOwners {
            return
                "`llavero circle join \(ways)` as the first time: an owner admits it, and ends its old place by `llavero circle remove NAME`"
        }
        return
            "no owner is left who could admit it, and no words are a member: `llavero circle leave` on all machines (their items stay), then `llavero circle create` on one, where the others join"
    }

    private var isKnownToOthers: Bool { hasWords || hasOwners }
    private var hasWords: Bool { state.log.membership.members.values.contains { $0.isPresent && $0.isRecovery } }

    private var hasOwners: Bool {
        let membership = state.log.membership
        return membership.owners.count { $0 != state.device } >= membership.quorum
    }

    /// As a shell takes it.
    private var address: String {
        guard let text = server?.text, text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "'") })
        else { return "ADDRESS" }
        return "'\(text)'"
    }
}
