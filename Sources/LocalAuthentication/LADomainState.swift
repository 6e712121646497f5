// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
public import LlaveroFoundation

// Sendable: it never changes.
/// What is enrolled on this machine, as digests that change with it.
public final class LADomainState: NSObject, @unchecked Sendable {
    /// The fingers.
    public let biometry: LADomainStateBiometry
    /// The paired devices; there are none on Linux.
    public let companion = LADomainStateCompanion()

    init(_ biometry: LADomainStateBiometry) {
        self.biometry = biometry
        super.init()
    }

    /// The digest of all of it; nil where nothing is enrolled.
    public var stateHash: Data? { biometry.stateHash }
}

// Sendable: it never changes.
/// The enrolled fingers, as a digest.
public final class LADomainStateBiometry: NSObject, @unchecked Sendable {
    /// What kind of reader there is.
    public let biometryType: LABiometryType
    /// The digest; nil where no finger is enrolled.
    public let stateHash: Data?

    init(_ type: LABiometryType, _ hash: Data?) {
        biometryType = type
        stateHash = hash
        super.init()
    }
}

// Sendable: it never changes.
/// The paired devices: none on Linux.
public final class LADomainStateCompanion: NSObject, @unchecked Sendable {
    /// Always nil.
    public var stateHash: Data? { nil }
    /// Always empty.
    public var availableCompanionTypes: Set<Int> { [] }
}

extension LAContext {
    /// What is enrolled now; a policy need not have been looked at before.
    public var domainState: LADomainState {
        let means = currentMeans()
        return LADomainState(
            LADomainStateBiometry(
                means?.hasReader == true ? .touchID : .none, means?.fingers.map { Data($0) }))
    }
}

// Sendable: it never changes.
/// The machine as a person's: what they could show.
public final class LAEnvironment: NSObject, @unchecked Sendable {
    private override init() {}

    /// That of the user who runs the program.
    public static let currentUser = LAEnvironment()

    /// What there is now.
    public var state: State { State(LAContext().currentMeans()) }

    // Sendable: it never changes.
    /// What there was at one moment.
    public final class State: NSObject, @unchecked Sendable {
        /// The fingers; nil without a reader.
        public let biometry: LAEnvironmentMechanismBiometry?
        /// The passcode of the keychain.
        public let userPassword: LAEnvironmentMechanismUserPassword?

        init(_ means: AuthenticationMeans?) {
            biometry = means.flatMap { means in
                means.hasReader ? LAEnvironmentMechanismBiometry(means.fingers.map { Data($0) }) : nil
            }
            userPassword = means.map { LAEnvironmentMechanismUserPassword(isSet: $0.isPasscodeSet) }
            super.init()
        }

        /// All that there is.
        public var allMechanisms: [LAEnvironmentMechanism] { [biometry, userPassword].compactMap { $0 } }
    }
}

// Sendable: it never changes.
/// Something that a person could show.
public class LAEnvironmentMechanism: NSObject, @unchecked Sendable {
    /// Whether it can be shown now.
    public let isUsable: Bool
    /// Its name, for people.
    public let localizedName: String

    init(_ isUsable: Bool, _ name: String) {
        self.isUsable = isUsable
        localizedName = name
        super.init()
    }
}

// Sendable: it never changes.
/// Fingers.
public final class LAEnvironmentMechanismBiometry: LAEnvironmentMechanism, @unchecked Sendable {
    /// Whether a finger is enrolled.
    public let isEnrolled: Bool
    /// The digest of those that are.
    public let stateHash: Data

    init(_ fingers: Data?) {
        isEnrolled = fingers != nil
        stateHash = fingers ?? Data()
        super.init(fingers != nil, "Fingerprint")
    }

    /// A fingerprint reader.
    public var biometryType: LABiometryType { .touchID }
}

// Sendable: it never changes.
/// The passcode of the keychain.
public final class LAEnvironmentMechanismUserPassword: LAEnvironmentMechanism, @unchecked Sendable {
    /// Whether there is one.
    public let isSet: Bool

    init(isSet: Bool) {
        self.isSet = isSet
        super.init(isSet, "Passcode")
    }
}
