// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Proof that a caller may make `request`, and how far that goes.
///
/// Only this module can make one. A class, so that it is handed from layer to layer without a copy of the request.
package final class Authorized<Request: Sendable>: Sendable {
    package let request: Request
    /// The groups whose items the request is about.
    package let scope: GroupFilter
    /// All groups of the caller's: where the other half of an identity may be, or the issuer of a certificate.
    package let reach: GroupFilter
    /// Where each entry of a request for several items goes; empty for other requests.
    package let entryScopes: [EntryScopes]

    internal init(
        _ request: Request, scope: GroupFilter, reach: GroupFilter? = nil, entryScopes: [EntryScopes] = []
    ) {
        self.request = request
        self.scope = scope
        self.reach = reach ?? scope
        self.entryScopes = entryScopes
    }
}

/// Where an entry's items go: an identity has two.
package struct EntryScopes: Sendable, Equatable {
    package let first: GroupFilter
    package let second: GroupFilter

    internal init(_ first: GroupFilter, _ second: GroupFilter) {
        self.first = first
        self.second = second
    }

    internal init(_ only: GroupFilter) { self.init(only, only) }
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
