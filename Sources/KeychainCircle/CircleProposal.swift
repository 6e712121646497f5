// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest
package import KeychainSync
internal import KeychainSystem

/// An entry that wants the signatures of more owners, as it lies in the box of proposals.
package struct CircleProposal: Sendable {
    package let entry: LogEntry
    package let body: [UInt8]
    /// The owners who signed it.
    package let signers: Set<DeviceID>
    /// What people name it by: the beginning of the hash of all that is signed.
    package let name: String

    private init?(_ body: [UInt8], in log: CircleLog) throws(CircleError) {
        guard let entry = try log.proposed(body) else { return nil }
        (self.entry, self.body) = (entry, body)
        signers = try log.owners(whoSigned: body)
        name = try CircleProposal.name(of: entry)
    }

    package static func name(of entry: LogEntry) throws(CircleError) -> String {
        let content = try entry.encoded()
        do throws(CryptoError) {
            return Hexadecimal.digits(of: try Digest.sha256(of: content).prefix(CircleProposal.nameSize))
        } catch { throw .crypto(error) }
    }

    /// Those that could still become entries, each with the most signatures that it has anywhere, in the order in which they came.
    package static func all(
        in log: CircleLog, on server: any CircleTransport
    ) throws(CircleFailure) -> [CircleProposal] {
        var mail = try CircleMail(proposalsOf: log, on: server)
        var proposals: [CircleProposal] = []
        for message in try mail.next() {
            let read = try CircleFailure.ofCircle { () throws(CircleError) in try CircleProposal(message, in: log) }
            guard let read else { continue }
            if let place = proposals.firstIndex(where: { $0.entry == read.entry }) {
                if read.signers.count > proposals[place].signers.count { proposals[place] = read }
            } else {
                proposals.append(read)
            }
        }
        return proposals
    }

    /// Puts what this device proposes where other owners find it, and remembers that it did.
    package static func post(
        _ body: [UInt8], in log: CircleLog, on server: any CircleTransport, _ session: any KeychainSession
    ) throws(CircleFailure) {
        try CircleFailure.ofKeychain { () throws(KeychainError) in
            try CircleItems(session).keep(SecretValue(copying: place(in: log)), as: itemName, .afterFirstUnlock)
        }
        var mail = try CircleMail(proposalsOf: log, on: server)
        try mail.post(body)
    }

    /// What this device proposed and enough owners signed: it writes that where who signed last could not.
    ///
    /// The box is read only while something that this device proposed may wait there: anybody can fill it.
    package static func complete(
        for circle: LocalCircle, on server: any CircleTransport, _ session: any KeychainSession
    ) throws(CircleFailure) -> CircleProposal? {
        let log = circle.state.log
        guard log.membership.quorum > 1, let own = try? circle.device.card.id(),
            log.membership.member(own)?.roles.isOwner ?? false,
            let number = try CircleFailure.ofKeychain({ () throws(KeychainError) in
                try CircleItems(session).secret(itemName)
            })
        else { return nil }
        // It was for that number of the log: when something has taken that, it is none any more.
        guard unsafe number.withUnsafeBytes({ unsafe Array($0) }) == place(in: log) else {
            try CircleFailure.ofKeychain { () throws(KeychainError) in try CircleItems(session).remove(itemName) }
            return nil
        }
        return try all(in: log, on: server).first {
            $0.entry.author == own && $0.signers.count >= log.membership.quorum
        }
    }

    /// The number of the log that something was proposed for.
    private static func place(in log: CircleLog) -> [UInt8] { Array("\(log.next)".utf8) }

    private static let itemName = "proposal"

    private static let nameSize = 16
}
