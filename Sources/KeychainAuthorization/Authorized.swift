// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Proof that a caller may make `request`, and how far it reaches.
///
/// Only this module can make one.
package struct Authorized<Request: Sendable>: Sendable {
    package let request: Request
    package let scope: GroupFilter

    internal init(_ request: Request, scope: GroupFilter) {
        self.request = request
        self.scope = scope
    }
}

/// The access groups whose items a request may see.
package enum GroupFilter: Sendable, Equatable {
    case every
    case only([AccessGroup])

    package func contains(_ name: String) -> Bool {
        switch self {
        case .every: true
        case .only(let groups): groups.contains { $0.name.hasSameBytes(as: name) }
        }
    }
}
