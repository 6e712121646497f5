// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension KeychainError {
    /// The one table from what was wrong with a message to reasons, for both sides.
    package init(_ error: WireError) {
        switch error {
        // In the words of who would have refused it without a daemon (two keys of a dictionary may be one attribute).
        case .unwritable: self.init(.parameter, "a value is outside of what can be stored, or an attribute comes twice")
        case .tooLarge:
            self.init(.parameter, "the request or what it asks for is too large for one message; ask for less at once")
        case .outOfRange: self.init(.parameter, "a value of the request is outside its bounds")
        case .contradiction: self.init(.parameter, "parts of the request exclude each other")
        case .wrongVersion:
            self.init(.notAvailable, "program and daemon are of different versions; start them anew, both updated")
        case .noRoom:
            self.init(
                .notAvailable, "the daemon is busy with other large requests and answers; try again in a few seconds")
        case .malformed, .wrongParts, .unknownNumber, .wrongSecret, .wrongPacket, .tooMuchUnfinished:
            self.init(.internalError, "what came from the other side of the socket is no message of ours")
        }
    }
}
