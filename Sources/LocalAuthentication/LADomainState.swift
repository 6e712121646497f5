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

/// A kind of device that could stand in for a person; none is paired on Linux.
@frozen public enum LACompanionType: Int, Sendable {
    /// A watch.
    case watch = 1
    /// A Mac.
    case mac = 2
    /// A headset.
    case vision = 4
}

// Sendable: it never changes.
/// The paired devices: none on Linux.
public final class LADomainStateCompanion: NSObject, @unchecked Sendable {
    /// Always nil.
    public var stateHash: Data? { nil }
    /// Always empty.
    public var availableCompanionTypes: Set<LACompanionType> { [] }
    /// Always nil: no device of any kind is paired.
    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
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
