// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension AuthenticationCredential.Kind: WireNumbered {
    static let numbered: [AuthenticationCredential.Kind] = [.applicationPassword, .passcode]

    var wireNumber: Int64 {
        switch self {
        case .applicationPassword: 1
        case .passcode: 2
        }
    }
}

extension AuthenticationCredential {
    /// A credential of the kind, whose bytes are all that is said of it.
    init(_ kind: Kind, _ secret: SecretValue) {
        switch kind {
        case .applicationPassword: self = .applicationPassword(secret)
        case .passcode: self = .passcode(secret)
        }
    }

    var secret: SecretValue {
        switch self {
        case .applicationPassword(let secret), .passcode(let secret): secret
        }
    }
}
