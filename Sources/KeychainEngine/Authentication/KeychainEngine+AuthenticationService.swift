// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest
internal import KeychainStore

extension KeychainEngine: AuthenticationService {
    package func means() throws(KeychainError) -> AuthenticationMeans {
        let fingers = try enrolledFingers()
        return AuthenticationMeans(
            isPasscodeSet: try keybag().keys.header.passcode != nil, fingers: fingers,
            hasReader: fingers != nil || hasReader)
    }

    /// Has somebody show what is wished for, unless the context has it.
    package func authenticate(_ request: AuthenticateRequest) throws(KeychainError) {
        let needsPassword: Bool
        let ways: [Set<AccessFactor>]
        switch request.wish {
        case .biometry: (ways, needsPassword) = ([[.biometryAny]], false)
        case .presence: (ways, needsPassword) = ([[.biometryAny], [.passcode]], false)
        case .accessControl(let control, let operation):
            guard let allowed = control.constraint(on: operation).ways else {
                throw KeychainError(
                    .authenticationFailed, "the access control does not allow this at all", subject: "accc")
            }
            (ways, needsPassword) = (allowed, control.rules?.requiresPassword ?? false)
        }
        let cost = surroundings.passcodeCost
        try meetingDemands(request.terms) { (shown) throws(KeychainError) -> MetResult<Void> in
            if needsPassword, shown.secrets.password == nil {
                return .demands(Demand(ways: [], password: cost))
            }
            guard ways.contains(where: shown.secrets.meets) else {
                return .demands(Demand(ways: ways, password: nil))
            }
            return .done(())
        }
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        contexts.change(context) { context in
            switch (kind, credential) {
            case (.applicationPassword, .applicationPassword(let password)?):
                context.password = password
                context.passwordFactor = nil
            case (.applicationPassword, _):
                context.password = nil
                context.passwordFactor = nil
            case (.passcode, .passcode(let passcode)?): context.givenPasscode = passcode
            case (.passcode, _):
                context.givenPasscode = nil
                context.passcode = nil
            }
        }
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        contexts.read(context) { context in
            switch kind {
            case .applicationPassword: context.password != nil
            case .passcode: context.givenPasscode != nil || context.passcode != nil
            }
        }
    }

    package func takeBack(_ context: AuthenticationContextID) { contexts.takeBack(context) }

    package func askAgain(_ context: AuthenticationContextID) {
        contexts.change(context) { $0.cancellation = PromptCancellation() }
    }

    package func invalidate(_ context: AuthenticationContextID) { contexts.end(context) }
}
