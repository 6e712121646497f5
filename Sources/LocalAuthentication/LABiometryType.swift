// SPDX-License-Identifier: Apache-2.0

/// What kind of biometry there is.
@frozen public enum LABiometryType: Int, Sendable {
    /// No reader.
    case none = 0
    /// A fingerprint reader.
    case touchID = 1
    /// There is none on Linux.
    case faceID = 2
    /// There is none on Linux.
    case opticID = 4

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The older name of ``none``.
    public static let LABiometryNone = LABiometryType.none
}
