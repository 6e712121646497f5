// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto

/// An entry of the log by its number and the SHA-256 of its content.
package struct LogPlace: Hashable, Sendable {
    package let number: UInt64
    package let hash: [UInt8]

    package init(number: UInt64, hash: [UInt8]) { (self.number, self.hash) = (number, hash) }

    /// Before the first entry.
    package static let none = LogPlace(number: 0, hash: [])
}

/// An entry of a circle's log: what changes in it, and the history that this follows.
package struct LogEntry: Sendable, Equatable {
    package let circle: CircleID
    /// Its key in the log: another place makes it junk.
    package let number: UInt64
    /// The entry before it that counts; numbers between the two are taken by junk.
    package let previous: LogPlace
    /// The last entry that counts at or before `skipNumber(of: number)`.
    package let skip: LogPlace
    /// Seconds since 2001, by its author's clock, which decides of invites alone.
    package let time: Int64
    package let author: DeviceID
    package let action: LogAction
    /// The hash of the `Membership` that it leads to, so that one who trusts this entry needs none before it.
    package let state: [UInt8]

    package init(
        circle: CircleID, number: UInt64, previous: LogPlace, skip: LogPlace, time: Int64, author: DeviceID,
        action: LogAction, state: [UInt8]
    ) {
        (self.circle, self.number, self.previous, self.skip) = (circle, number, previous, skip)
        (self.time, self.author, self.action, self.state) = (time, author, action, state)
    }

    /// The number without its lowest bit: over such steps two hundred entries join a million.
    package static func skipNumber(of number: UInt64) -> UInt64 { number == 0 ? 0 : number & (number - 1) }

    /// What is signed, and what hashes name it by.
    package func encoded() throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([
                .string(LogEntry.title), .data(circle.bytes), .count(number), previous.coded(), skip.coded(),
                .number(time), .data(author.bytes), action.coded(), .data(state),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        guard bytes.count <= LogEntry.largestContent else { throw .malformed }
        var parts = try CircleParts(decoding: bytes, title: LogEntry.title)
        circle = try parts.circle()
        number = try parts.number()
        previous = try LogPlace(parts.parts())
        skip = try LogPlace(parts.parts())
        time = try parts.integer()
        author = try parts.device()
        action = try LogAction(parts.parts())
        state = try parts.hash()
        try parts.end()
        guard number > 0, previous.number < number, skip.number <= LogEntry.skipNumber(of: number) else {
            throw .malformed
        }
    }

    private static let title = "llavero log entry"
    package static let largestContent = 1 << 17
}

extension LogPlace {
    func coded() throws(CircleError) -> PropertyList { .array([try .count(number), .data(hash)]) }

    init(_ parts: CircleParts) throws(CircleError) {
        var parts = parts
        number = try parts.number()
        hash = number == 0 ? try parts.data(exactly: 0) : try parts.hash()
        try parts.end()
    }
}

/// Why an entry that its author may write would change nothing, or why nobody may write it.
package enum LogRefusal: Error, Sendable, Equatable, CaseIterable {
    /// The author lacks the right, or too few owners signed.
    case noRight
    case alreadyFounded
    /// A removed device comes back with new keys only.
    case wasRemoved
    case alreadyMember
    case unknownDevice
    case unknownView
    case existingView
    /// Fewer owners would be left than have to sign, or none.
    case lastOwner
    /// Never made, used, or taken back.
    case noInvite
    case expired
    /// A proof, a key or a commitment that is none.
    case wrongProof
    /// Another generation than the next one.
    case wrongGeneration
    /// None of the values that there are.
    case outOfRange
}
