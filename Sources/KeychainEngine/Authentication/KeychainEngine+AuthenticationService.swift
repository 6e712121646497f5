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
    package func authenticate(_ request: AuthenticateRequest, from caller: Caller) throws(KeychainError) {
        let needsPassword: Bool
        var isNew = false
        let ways: [Set<AccessFactor>]
        switch request.wish {
        case .biometry: (ways, needsPassword) = ([[.biometryAny]], false)
        case .presence: (ways, needsPassword) = ([[.biometryAny], [.passcode]], false)
        case .accessControl(var control, let operation, let isForNew):
            isNew = isForNew
            if var rules = control.rules, rules.needsBinding, let fingers = try enrolledFingers() {
                rules = rules.bound(to: fingers)
                control.operations = .rules(rules)
            }
            guard let allowed = control.constraint(on: operation).ways else {
                throw KeychainError(
                    .authenticationFailed, "the access control does not allow this at all", subject: "accc")
            }
            (ways, needsPassword) = (allowed, control.rules?.requiresPassword ?? false)
        }
        let cost = surroundings.passcodeCost
        try meetingDemands(request.terms, of: caller) { (shown) throws(KeychainError) -> MetResult<Void> in
            if needsPassword, shown.secrets.password == nil {
                return .demands(isNew ? .newPassword(cost) : .somePassword(cost))
            }
            let shown = shown.secrets.valid(in: try keybag().keys)
            guard ways.contains(where: shown.meets) else { return .demands(Demand(ways: ways)) }
            return .done(())
        }
    }

    package func set(
        _ credential: AuthenticationCredential?, of kind: AuthenticationCredential.Kind,
        for context: AuthenticationContextID
    ) throws(KeychainError) {
        try contexts.read(context) { _ in }
        contexts.change(context) { context in
            switch (kind, credential) {
            case (.applicationPassword, .applicationPassword(let password)?):
                context.password = password
                context.isPasswordTyped = false
                context.passwordFactors = []
            case (.applicationPassword, _):
                context.password = nil
                context.passwordFactors = []
            case (.passcode, .passcode(let passcode)?):
                context.givenPasscode = passcode
                context.isGivenPasscodeWrong = false
            case (.passcode, _):
                context.givenPasscode = nil
                context.isGivenPasscodeWrong = false
                context.passcode = []
            }
        }
    }

    package func hasCredential(_ kind: AuthenticationCredential.Kind, _ context: AuthenticationContextID) -> Bool {
        let isSet = try? contexts.read(context) { context in
            switch kind {
            case .applicationPassword: context.password != nil
            case .passcode: context.givenPasscode != nil || !context.passcode.isEmpty
            }
        }
        return isSet ?? false
    }

    package func begin(_ context: AuthenticationContextID) { contexts.begin(context) }

    package func expect(_ request: AuthenticationRequestID) { contexts.expect(request) }
    package func takeBack(_ request: AuthenticationRequestID) { contexts.takeBack(request) }
    package func forget(_ request: AuthenticationRequestID) { contexts.forget(request) }

    package func invalidate(_ context: AuthenticationContextID) { contexts.end(context) }
}
