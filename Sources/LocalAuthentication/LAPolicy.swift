// SPDX-License-Identifier: Apache-2.0

/// What somebody has to show.
@frozen public enum LAPolicy: Int, Sendable {
    /// An enrolled finger.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// An enrolled finger, or the passcode.
    case deviceOwnerAuthentication = 2
    /// A paired watch; there is none on Linux, so this cannot be met.
    case deviceOwnerAuthenticationWithWatch = 3
    /// An enrolled finger, there being no watch on Linux.
    case deviceOwnerAuthenticationWithBiometricsOrWatch = 4

    /// The newer name of ``deviceOwnerAuthenticationWithWatch``.
    public static let deviceOwnerAuthenticationWithCompanion = LAPolicy.deviceOwnerAuthenticationWithWatch
    /// The newer name of ``deviceOwnerAuthenticationWithBiometricsOrWatch``.
    public static let deviceOwnerAuthenticationWithBiometricsOrCompanion =
        LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch
}
