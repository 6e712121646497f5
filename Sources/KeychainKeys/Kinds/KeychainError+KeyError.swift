// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension KeychainError {
    /// The one table from what a key could not do to reasons (semantics §11.3).
    package init(_ error: KeyError) {
        switch error {
        case .malformed: self.init(.parameter, "the data is not the external form of such a key")
        case .mismatchedHalves: self.init(.parameter, "the private half does not belong to the public one")
        case .unsupportedKey: self.init(.parameter, "there is no key of this type with this size or class")
        case .unsupportedAlgorithm: self.init(.parameter, "the key does not support the algorithm for this operation")
        case .missingParameter:
            self.init(.parameter, "the algorithm needs to know how many bytes to derive", subject: "requestedSize")
        case .invalidParameter:
            self.init(.parameter, "a parameter is outside its bounds, or the other key is of another kind")
        case .invalidLength: self.init(.parameter, "the input has a length that the algorithm does not take")
        // One text for padding, tag and everything else: telling them apart would tell an attacker of the plain text.
        case .refused: self.init(.parameter, "the data was not made for this key, or was changed")
        case .notExportable: self.init(.unimplemented, "the private half does not leave the place where it is kept")
        case .holder(let number):
            self.init(.notAvailable, "what keeps the private half could not use it", code: Int64(number))
        case .outOfMemory: self.init(.outOfMemory, "there is not enough memory")
        case .randomnessUnavailable: self.init(.internalError, "the system gave no random bytes")
        case .library(let number):
            self.init(.internalError, "OpenSSL refused", code: Int64(truncatingIfNeeded: number))
        }
    }
}
