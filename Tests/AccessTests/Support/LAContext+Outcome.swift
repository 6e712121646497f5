// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security
import Testing

extension LAContext {
    /// One that was given credentials.
    convenience init(passcode: String? = nil, password: String? = nil) {
        self.init()
        if let passcode { setCredential(passcode.data, type: .passcode) }
        if let password { setCredential(password.data, type: .applicationPassword) }
    }

    /// Why a policy was not met; nil when it was.
    func failure(of policy: LAPolicy, _ reason: String = "to test") async -> LAError.Code? {
        await LAContext.failure { try await evaluatePolicy(policy, localizedReason: reason) }
    }

    /// Why what an access control demands was not shown; nil when it was.
    func failure(
        of control: SecAccessControl, for operation: LAAccessControlOperation = .useItem
    ) async -> LAError.Code? {
        await LAContext.failure {
            try await evaluateAccessControl(control, operation: operation, localizedReason: "to test")
        }
    }

    private static func failure(_ body: () async throws -> Bool) async -> LAError.Code? {
        do {
            let isMet = try await body()
            #expect(isMet)
            return nil
        } catch {
            let failure = error as? LAError
            #expect(failure != nil)
            return failure?.code
        }
    }
}
