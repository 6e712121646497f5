// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What became of it; `Security` has the OSStatus of each reason.
package enum AuditOutcome: Sendable, Equatable {
    case done
    case failed(KeychainError.Reason)
}

extension AuditOutcome {
    /// The number in the file; 0 for what was done.
    var number: Int64 {
        switch self {
        case .done: 0
        case .failed(let reason): reason.auditNumber
        }
    }

    init?(number: Int64) {
        if number == 0 {
            self = .done
            return
        }
        guard let reason = KeychainError.Reason.allCases.first(where: { $0.auditNumber == number }) else { return nil }
        self = .failed(reason)
    }
}

extension KeychainError.Reason {
    fileprivate var auditNumber: Int64 {
        switch self {
        case .parameter: 1
        case .noSuchAttribute: 2
        case .noSuchClass: 3
        case .duplicateItem: 4
        case .itemNotFound: 5
        case .interactionNotAllowed: 6
        case .authenticationFailed: 7
        case .cancelled: 8
        case .missingEntitlement: 9
        case .notAvailable: 10
        case .readOnly: 11
        case .unimplemented: 12
        case .undecodable: 13
        case .inputOutput: 14
        case .outOfMemory: 15
        case .internalError: 16
        case .handedOver: 17
        case .noSuchKeychain: 18
        case .duplicateKeychain: 19
        case .noDaemon: 20
        }
    }
}
