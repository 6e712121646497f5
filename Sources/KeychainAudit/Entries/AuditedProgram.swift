// SPDX-License-Identifier: Apache-2.0

package import KeychainIdentity
internal import KeychainModel

/// Who it was.
package struct AuditedProgram: Sendable, Equatable {
    package let user: UInt32
    package let process: Int32
    /// The path of the file it executed; nil when nobody could look.
    package let image: String?
    /// How well it was known; nil of one that was refused before that was found out.
    package let level: IdentityLevel?

    /// A path longer than the kernel's own is none.
    package init(user: UInt32, process: Int32, image: String?, level: IdentityLevel?) {
        self.user = user
        self.process = process
        self.image = image.flatMap { $0.utf8.count <= AuditedProgram.longestPath ? $0 : nil }
        self.level = level
    }

    package static func == (left: AuditedProgram, right: AuditedProgram) -> Bool {
        left.user == right.user && left.process == right.process && left.level == right.level
            && (left.image == nil) == (right.image == nil)
            && (left.image ?? "").hasSameBytes(as: right.image ?? "")
    }

    static let longestPath = 4096 + 16
}

extension IdentityLevel {
    /// The number in the file.
    var auditNumber: Int64 {
        switch self {
        case .none: 1
        case .imageByPath: 2
        case .imageByHash: 3
        case .unit: 4
        case .kernel: 5
        case .imageBySignature: 6
        case .traceableUnit: 7
        }
    }

    init?(auditNumber: Int64) {
        guard let level = IdentityLevel.allCases.first(where: { $0.auditNumber == auditNumber }) else { return nil }
        self = level
    }
}
