// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
public import LlaveroFoundation

// Sendable: it never changes.
/// The machine as a person's: what they could show.
///
/// Nothing on Linux tells a program of a new finger or passcode: who wants to know reads ``state`` again.
public final class LAEnvironment: NSObject, @unchecked Sendable {
    private override init() {}

    /// That of the user who runs the program.
    public static let currentUser = LAEnvironment()

    /// What there is now.
    public var state: State { State(LAContext().currentMeans()) }

    // Sendable: it never changes.
    /// What there was at one moment.
    public final class State: NSObject, NSCopying, @unchecked Sendable {
        /// The fingers; nil without a reader.
        public let biometry: MechanismBiometry?
        /// The passcode of the keychain; nil where the keychain cannot be asked.
        public let userPassword: MechanismUserPassword?

        init(_ means: AuthenticationMeans?) {
            biometry = means.flatMap { means in
                means.hasReader
                    ? MechanismBiometry(means.fingers.map { Data($0) }, isPasscodeSet: means.isPasscodeSet) : nil
            }
            userPassword = means.map { MechanismUserPassword(isSet: $0.isPasscodeSet) }
            super.init()
        }

        /// Always empty: no device is paired.
        public var companions: [MechanismCompanion] { [] }

        /// All that there is.
        public var allMechanisms: [Mechanism] { [biometry, userPassword].compactMap { $0 } }

        /// Itself, for it never changes.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }

    // Sendable: it never changes.
    /// Something that a person could show.
    public class Mechanism: NSObject, @unchecked Sendable {
        /// Whether a policy with nothing but this could be met now.
        public let isUsable: Bool
        /// Its name, for people.
        public let localizedName: String
        /// The name of its icon in the theme of a Linux desktop.
        public let iconSystemName: String

        init(_ isUsable: Bool, _ name: String, icon: String) {
            self.isUsable = isUsable
            localizedName = name
            iconSystemName = icon
            super.init()
        }
    }

    // Sendable: it never changes.
    /// Fingers.
    public final class MechanismBiometry: Mechanism, @unchecked Sendable {
        /// Whether a finger is enrolled.
        public let isEnrolled: Bool
        /// The digest of those that are; empty where none is.
        public let stateHash: Data

        init(_ fingers: Data?, isPasscodeSet: Bool) {
            isEnrolled = fingers != nil
            stateHash = fingers ?? Data()
            super.init(fingers != nil && isPasscodeSet, "Fingerprint", icon: "auth-fingerprint-symbolic")
        }

        /// A fingerprint reader.
        public var biometryType: LABiometryType { .touchID }
        /// Always false: strangers' fingers are refused, and no number of them locks the reader.
        public var isLockedOut: Bool { false }
        /// Always false: a reader under a closed lid is not told from another.
        public var builtInSensorInaccessible: Bool { false }
    }

    // Sendable: it never changes.
    /// A paired device; there is never one on Linux.
    public final class MechanismCompanion: Mechanism, @unchecked Sendable {
        /// What kind of device it is.
        public let type: LACompanionType

        private init(_ type: LACompanionType) {
            self.type = type
            super.init(false, "", icon: "")
        }

        /// The digest of the paired devices of its kind: nil.
        public var stateHash: Data? { nil }
    }

    // Sendable: it never changes.
    /// The passcode of the keychain.
    public final class MechanismUserPassword: Mechanism, @unchecked Sendable {
        /// Whether there is one.
        public let isSet: Bool

        init(isSet: Bool) {
            self.isSet = isSet
            super.init(isSet, "Passcode", icon: "dialog-password-symbolic")
        }
    }
}
