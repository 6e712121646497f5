// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Testing

/// The errors, as Apple's sources know them.
@Suite struct LAErrorTests {
    private static let numbers: [(LAError.Code, Int)] = [
        (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4),
        (.passcodeNotSet, -5), (.biometryNotAvailable, -6), (.biometryNotEnrolled, -7), (.biometryLockout, -8),
        (.appCancel, -9), (.invalidContext, -10), (.watchNotAvailable, -11), (.biometryNotPaired, -12),
        (.biometryDisconnected, -13), (.invalidDimensions, -14), (.notInteractive, -1004),
        (.touchIDNotAvailable, -6), (.touchIDNotEnrolled, -7), (.touchIDLockout, -8), (.companionNotAvailable, -11),
    ]

    @Test("every code has Apple's number, in Apple's domain")
    func codes() {
        #expect(LAErrorDomain == "com.apple.LocalAuthentication")
        for (code, number) in Self.numbers {
            #expect(code.rawValue == number)
            let error = LAError(code, explanation: "why") as NSError
            #expect(error.domain == LAErrorDomain && error.code == number)
            #expect(error.localizedDescription == "why")
            #expect((LAError(code) as NSError).localizedDescription.hasSuffix("."))
            #expect(!(LAError(code) as NSError).localizedDescription.contains("LocalAuthentication error"))
        }
    }

    @Test("a catch names a code")
    func matching() {
        func name(_ error: any Error) -> String {
            switch error {
            case LAError.userCancel: "userCancel"
            case LAError.authenticationFailed: "authenticationFailed"
            case LAError.appCancel: "appCancel"
            case LAError.touchIDNotAvailable: "biometryNotAvailable"
            default: "another"
            }
        }
        #expect(name(LAError(.userCancel)) == "userCancel")
        #expect(name(LAError(.authenticationFailed, explanation: "x")) == "authenticationFailed")
        #expect(name(LAError(.appCancel)) == "appCancel")
        #expect(name(LAError(.biometryNotAvailable)) == "biometryNotAvailable")
        #expect(name(LAError(.notInteractive)) == "another")
        #expect(name(CocoaError(.fileNoSuchFile)) == "another")
    }

    @Test("two errors are one when their codes are")
    func equality() {
        #expect(LAError(.userCancel, explanation: "a") == LAError(.userCancel, explanation: "b"))
        #expect(LAError(.userCancel) != LAError(.appCancel))
        #expect(Set([LAError(.userCancel), LAError(.userCancel, explanation: "b")]).count == 1)
    }

    @Test("policies, operations and kinds of biometry have Apple's numbers")
    func otherNumbers() {
        #expect(LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue == 1)
        #expect(LAPolicy.deviceOwnerAuthentication.rawValue == 2)
        #expect(LAPolicy.deviceOwnerAuthenticationWithCompanion.rawValue == 3)
        #expect(LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion.rawValue == 4)
        #expect(LACredentialType.applicationPassword.rawValue == 0)
        #expect((0..<6).map { LAAccessControlOperation(rawValue: $0) }.allSatisfy { $0 != nil })
        #expect(LAAccessControlOperation.useKeySign.rawValue == 3)
        #expect([LABiometryType.none, .touchID, .faceID, .opticID].map(\.rawValue) == [0, 1, 2, 4])
    }
}
