// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A number that the functions of `Security` end with.
package struct SecurityStatus: Hashable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// What it means, in a sentence; nil for a number that means nothing.
    package var sentence: String? { StatusTable.sentence(for: number) }
}

/// In the source a status is written as its number.
extension SecurityStatus: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int32) { self.init(number) }
}

/// Those that more than one place names; `StatusTable` has all of them, with Apple's names.
extension SecurityStatus {
    package static let unimplemented: SecurityStatus = -4
    package static let inputOutput: SecurityStatus = -36
    package static let parameter: SecurityStatus = -50
    package static let outOfMemory: SecurityStatus = -108
    package static let cancelled: SecurityStatus = -128
    package static let unsupportedFormat: SecurityStatus = -25256
    package static let unknownFormat: SecurityStatus = -25257
    package static let sensitiveKey: SecurityStatus = -25258
    package static let severalPrivateKeys: SecurityStatus = -25259
    package static let passphraseRequired: SecurityStatus = -25260
    package static let invalidPassphrase: SecurityStatus = -25261
    package static let unverifiedPKCS12: SecurityStatus = -25264
    package static let notAvailable: SecurityStatus = -25291
    package static let readOnly: SecurityStatus = -25292
    package static let authenticationFailed: SecurityStatus = -25293
    package static let noSuchKeychain: SecurityStatus = -25294
    package static let duplicateKeychain: SecurityStatus = -25296
    package static let duplicateItem: SecurityStatus = -25299
    package static let itemNotFound: SecurityStatus = -25300
    package static let noSuchAttribute: SecurityStatus = -25303
    package static let noSuchClass: SecurityStatus = -25306
    package static let interactionNotAllowed: SecurityStatus = -25308
    package static let keySizeNotAllowed: SecurityStatus = -25311
    package static let dataNotAvailable: SecurityStatus = -25316
    package static let undecodable: SecurityStatus = -26275
    package static let internalError: SecurityStatus = -26276
    package static let missingEntitlement: SecurityStatus = -34018
    package static let unsupportedKeySize: SecurityStatus = -67735
}

/// The one table from reasons to Apple's numbers.
extension SecurityStatus {
    package init(_ reason: KeychainError.Reason) {
        switch reason {
        case .parameter: self = .parameter
        case .noSuchAttribute: self = .noSuchAttribute
        case .noSuchClass: self = .noSuchClass
        case .duplicateItem: self = .duplicateItem
        case .itemNotFound: self = .itemNotFound
        case .interactionNotAllowed: self = .interactionNotAllowed
        case .authenticationFailed: self = .authenticationFailed
        case .cancelled: self = .cancelled
        case .missingEntitlement: self = .missingEntitlement
        case .notAvailable, .handedOver, .noDaemon: self = .notAvailable
        case .readOnly: self = .readOnly
        case .noSuchKeychain, .vanishedKeychain: self = .noSuchKeychain
        case .duplicateKeychain: self = .duplicateKeychain
        case .unimplemented: self = .unimplemented
        case .undecodable: self = .undecodable
        case .inputOutput: self = .inputOutput
        case .outOfMemory: self = .outOfMemory
        case .internalError: self = .internalError
        }
    }
}
