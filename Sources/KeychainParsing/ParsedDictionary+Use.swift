// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

extension ParsedDictionary {
    mutating func read(_ use: QueryKey.Use, _ object: AnyObject) throws(KeychainError) {
        switch use {
        // Read with the purpose of the request, which this does not know.
        case .itemList: break
        case .tombstones: leavesTombstones = try ParsedDictionary.truth(object, use)
        case .operationPrompt:
            guard let text = ValueReading.string(object) else { throw wrongType(use) }
            reason = text
        case .callerName:
            guard ValueReading.string(object) != nil else { throw wrongType(use) }
        case .noAuthenticationUI:
            guard let refused = ValueReading.boolean(object) else { throw wrongType(use) }
            if refused { refusesUI = true }
        case .authenticationUI:
            switch ValueReading.string(object) {
            case "u_AuthUIA": authenticationUI = .allow
            case "u_AuthUIF": authenticationUI = .fail
            case "u_AuthUIS": authenticationUI = .skip
            default: throw wrongType(use)
            }
        case .authenticationContext:
            guard let carrier = object as? any AuthenticationContextCarrying else { throw wrongType(use) }
            context = try carrier.authenticationTerms()
        case .credentialReference:
            throw KeychainError(
                .parameter, "contexts in serialized form do not exist here; give the LAContext itself",
                subject: use.rawValue)
        case .keychain:
            // Which keychain it is does not concern the request itself.
            guard object is any KeychainCarrying else { throw wrongType(use) }
        }
    }

    private func wrongType(_ use: QueryKey.Use) -> KeychainError {
        KeychainError(.parameter, "the value is not one this key takes", subject: use.rawValue)
    }

    /// A boolean, a number, or text that is a number; anything but zero is true.
    private static func truth(_ object: AnyObject, _ use: QueryKey.Use) throws(KeychainError) -> Bool {
        if let number = object as? NSNumber { return number.boolValue }
        guard let text = ValueReading.string(object) else {
            throw KeychainError(.parameter, "the value is no boolean, number or string", subject: use.rawValue)
        }
        return (Int64(text) ?? 0) != 0
    }
}
