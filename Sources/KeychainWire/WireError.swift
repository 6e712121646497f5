// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// Why a message or a packet was refused, or could not be written.
///
/// After `wrongVersion` or anything that is wrong with a packet there is nothing more to read. What is wrong with one message
/// can be answered, by a failure with its number.
package enum WireError: Error, Sendable, Hashable, CaseIterable {
    /// The bytes are not the one encoding of anything.
    case malformed
    case wrongVersion
    /// There is more or less in a list than belongs there.
    case wrongParts
    /// A number that stands for nothing.
    case unknownNumber
    /// A value outside what a parser lets through.
    case outOfRange
    /// Values that no parser lets through together.
    case contradiction
    /// A secret is missing, is named out of turn, or is not named.
    case wrongSecret
    /// More than one message may hold.
    case tooLarge
    /// A value that has no form in messages.
    case unwritable
    /// A packet that does not continue what came before.
    case wrongPacket
    /// More unfinished messages, or more bytes of such, than are kept.
    case tooMuchUnfinished
    /// A message that is too large to be kept beside the large ones that are here.
    case noRoom
}

extension WireError {
    init(_ error: CodingError) {
        switch error {
        case .malformed, .truncated, .trailingBytes, .notCanonical, .unknownTag, .depthExceeded, .invalidString,
            .invalidDate,
            .numberOutOfRange, .duplicateKey:
            self = .malformed
        case .unknownKey, .wrongType: self = .wrongParts
        case .dateOutOfRange: self = .outOfRange
        }
    }
}

extension KeychainError {
    /// The one table from what was wrong with a message to reasons, for both sides.
    package init(_ error: WireError) {
        switch error {
        // In the words of who would have refused it without a daemon (two keys of a dictionary may be one attribute).
        case .unwritable:
            self.init(.parameter, "a value is outside the range that can be stored, or an attribute is given twice")
        case .tooLarge:
            self.init(.parameter, "the request or the result is too large for one message; ask for fewer items at once")
        case .outOfRange: self.init(.parameter, "a value of the request is out of range")
        case .contradiction: self.init(.parameter, "parts of the request contradict each other")
        case .wrongVersion:
            self.init(.notAvailable, "the program and the daemon have different versions; update both and restart them")
        case .noRoom:
            self.init(
                .notAvailable, "the daemon is busy with other large requests and answers; try again in a few seconds")
        case .malformed, .wrongParts, .unknownNumber, .wrongSecret, .wrongPacket, .tooMuchUnfinished:
            self.init(.internalError, "the socket's other end sent an invalid message")
        }
    }
}
