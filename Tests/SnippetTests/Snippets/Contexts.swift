// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// LocalAuthentication.
import Foundation
import LocalAuthentication

private func ask() {
    let context = LAContext()
    var error: NSError?
    context.localizedFallbackTitle = "Use passcode"
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
        switch error?.code {
        case LAError.biometryNotEnrolled.rawValue: print("no finger")
        case LAError.Code.passcodeNotSet.rawValue: print("no passcode")
        default: break
        }
        return
    }
    context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Log in") { success, error in
        DispatchQueue.main.async {
            if success { return print("welcome") }
            guard let error = error as? LAError else { return }
            switch error.code {
            case .userCancel, .userFallback, .biometryLockout: break
            default: print(error.localizedDescription)
            }
        }
    }
    if context.biometryType == .faceID { print("a face") }
}

private func askAwaited() async throws -> Bool {
    try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Log in")
}

private func reuse(_ context: LAContext) -> Data? {
    context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
    context.interactionNotAllowed = true
    return context.evaluatedPolicyDomainState
}

private func read(with context: LAContext) -> OSStatus {
    context.localizedReason = "Read the note"
    var result: AnyObject?
    return SecItemCopyMatching(
        [kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecUseAuthenticationContext: context]
            as CFDictionary, &result)
}

private func open() async throws -> Data {
    let right = LARight(requirement: .biometry(fallback: .devicePasscode))
    try await right.authorize(localizedReason: "Open the safe")
    let saved = try await LARightStore.shared.saveRight(right, identifier: "safe", secret: Data())
    return try await saved.secret.rawData
}

private func enrolled(_ context: LAContext) -> Data? { context.domainState.biometry.stateHash }
private var numbers: [Int] {
    [Int(kLAErrorUserCancel), Int(kLAErrorAuthenticationFailed), Int(kLAPolicyDeviceOwnerAuthentication)]
}
