// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation
public import Security

extension LAContext {
    /// Asks the person for what a policy requires, and calls back on a thread of its own.
    public func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        answering(reply) { (context) throws(LAError) in try context.evaluate(policy, localizedReason) }
    }

    /// Asks the person for what a policy requires; true, or it throws.
    public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Bool, any Error>) in
            evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: success) }
            }
        }
    }

    /// Asks the person for what an access control requires for an operation, and calls back on a thread of its own.
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        answering(reply) { (context) throws(LAError) in
            try context.evaluate(accessControl, operation, localizedReason)
        }
    }

    /// Asks the person for what an access control requires for an operation; true, or it throws.
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Bool, any Error>) in
            evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason) {
                success, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: success) }
            }
        }
    }

    /// Gives the context what a person would type; nil takes it back.
    ///
    /// - Returns: Whether it was taken. Nothing says yet whether it is right.
    @discardableResult
    public func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        guard !isInvalid else { return false }
        let secret = credential.map { data in
            unsafe data.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        }
        do throws(KeychainError) {
            try ForkGate.operation { () throws(KeychainError) in
                _ = try terms(reason: nil)
                let credential = secret.map { AuthenticationCredential($0, type) }
                try session().set(credential, of: type.kind, for: contextID)
            }
            return true
        } catch { return false }
    }

    /// Whether the context has what a person would type.
    public func isCredentialSet(_ type: LACredentialType) -> Bool {
        ForkGate.operation { (try? session())?.hasCredential(type.kind, contextID) ?? false }
    }

    private func evaluate(_ policy: LAPolicy, _ reason: String) throws(LAError) {
        try check(policy)
        let wish: AuthenticateRequest.Wish = policy == .deviceOwnerAuthentication ? .presence : .biometry
        try authenticate(wish, reason)
    }

    private func evaluate(
        _ accessControl: SecAccessControl, _ operation: LAAccessControlOperation, _ reason: String
    ) throws(LAError) {
        guard !isInvalid else { throw LAError(.invalidContext) }
        guard let control = accessControl.accessControl else {
            throw LAError(.authenticationFailed, explanation: "the access control has no protection class")
        }
        let isForNew = operation == .createItem || operation == .createKey
        try authenticate(
            .accessControl(control, operation.protectedOperation(of: control), isForNew: isForNew), reason)
    }

    private func authenticate(_ wish: AuthenticateRequest.Wish, _ reason: String) throws(LAError) {
        do throws(KeychainError) {
            try ForkGate.operation { () throws(KeychainError) in
                try session().authenticate(AuthenticateRequest(wish, try terms(reason: reason)))
            }
        } catch {
            if isInvalid { throw LAError(.appCancel, explanation: "the context was invalidated") }
            throw LAError(error)
        }
    }

    private func answering(
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ body: @escaping @Sendable (LAContext) throws(LAError) -> Void
    ) {
        OwnThread.run {
            do throws(LAError) {
                try body(self)
                reply(true, nil)
            } catch { reply(false, error) }
        } orElse: { error in
            reply(false, LAError(error))
        }
    }
}

/// The operation on a protected item.
@frozen public enum LAAccessControlOperation: Int, Sendable {
    /// An item is made.
    case createItem = 0
    /// An item is read.
    case useItem = 1
    /// A key is made.
    case createKey = 2
    /// A key signs.
    case useKeySign = 3
    /// A key decrypts.
    case useKeyDecrypt = 4
    /// A key agrees on a secret.
    case useKeyKeyExchange = 5
}

extension LAAccessControlOperation {
    fileprivate func protectedOperation(of control: AccessControl) -> ProtectedOperation {
        guard control.isForEnclave else { return .decrypt }
        switch self {
        case .useKeySign, .createKey, .createItem, .useItem: return .sign
        case .useKeyDecrypt, .useKeyKeyExchange: return .computeKey
        }
    }
}

/// What a program can show in a person's place.
@frozen public enum LACredentialType: Int, Sendable {
    /// The item's own password.
    case applicationPassword = 0
    /// The keychain's passcode; ours, for machines without a person.
    case passcode = 1000
}

extension LACredentialType {
    fileprivate var kind: AuthenticationCredential.Kind {
        switch self {
        case .applicationPassword: .applicationPassword
        case .passcode: .passcode
        }
    }
}

extension AuthenticationCredential {
    fileprivate init(_ secret: SecretValue, _ type: LACredentialType) {
        switch type {
        case .applicationPassword: self = .applicationPassword(secret)
        case .passcode: self = .passcode(secret)
        }
    }
}
