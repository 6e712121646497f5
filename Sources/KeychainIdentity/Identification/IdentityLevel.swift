// SPDX-License-Identifier: Apache-2.0

/// How well it is known which program a peer is.
package enum IdentityLevel: Int, Sendable, Comparable, CaseIterable, CustomStringConvertible {
    /// Nobody listed it: anything its user runs could be it.
    case none
    /// It executes a file that only root can change, and that a signer who is believed has signed for these rights.
    case imageBySignature
    /// It executes a file that only root can change, at a listed path. Its user can still steer it (LD_PRELOAD, ptrace).
    case imageByPath
    /// Such a file with a listed SHA-256.
    case imageByHash
    /// It belongs to a service that systemd started for the system, and its user's other programs may steer it by ptrace:
    /// worth no more than an image.
    case traceableUnit
    /// It belongs to such a service, and the kernel keeps its user's other programs from tracing it.
    case unit
    /// The kernel gave it a group for its file's sake, and keeps its user out of it.
    case kernel

    package static func < (left: IdentityLevel, right: IdentityLevel) -> Bool { left.rawValue < right.rawValue }

    package var description: String {
        switch self {
        case .none: "none"
        case .imageBySignature: "image by signature"
        case .imageByPath: "image by path"
        case .imageByHash: "image by hash"
        case .traceableUnit: "unit that can be traced"
        case .unit: "unit"
        case .kernel: "kernel"
        }
    }
}
