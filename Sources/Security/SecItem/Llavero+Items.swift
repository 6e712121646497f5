// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

extension Llavero {
    /// The SecItem functions for tasks: an item may demand somebody, who takes minutes, and no thread of a pool waits.
    public static var items: Items { Items() }

    /// The four functions, awaited; they take the same dictionaries and fail with the same statuses.
    ///
    /// Cancelling the task takes back what a person is asked, which then fails with ``errSecUserCanceled``.
    public struct Items: Sendable {
        /// `SecItemAdd`; returns what the attributes ask for.
        @discardableResult
        public nonisolated(nonsending) func add(
            _ attributes: CFDictionary
        ) async throws(LlaveroError) -> CFTypeRef? {
            try await AwaitedCall.run("SecItemAdd") { () throws(KeychainError) in try AddCall(attributes) }
        }

        /// `SecItemCopyMatching`; returns what the query asks for.
        public nonisolated(nonsending) func copyMatching(
            _ query: CFDictionary
        ) async throws(LlaveroError) -> CFTypeRef? {
            switch try Items.keychains(query) {
            case .one(let host):
                try await AwaitedCall.run("SecItemCopyMatching") { () throws(KeychainError) in
                    try MatchCall(query, in: host)
                }
            case .several(let hosts):
                try await AwaitedCall.run("SecItemCopyMatching") { () throws(KeychainError) in
                    try SearchedMatch(query, in: hosts)
                }
            }
        }

        /// `SecItemUpdate`.
        public nonisolated(nonsending) func update(
            _ query: CFDictionary, _ attributesToUpdate: CFDictionary
        ) async throws(LlaveroError) {
            try await AwaitedCall.run("SecItemUpdate") { () throws(KeychainError) in
                try UpdateCall(query, attributesToUpdate)
            }
        }

        /// `SecItemDelete`.
        public nonisolated(nonsending) func delete(_ query: CFDictionary) async throws(LlaveroError) {
            try await AwaitedCall.run("SecItemDelete") { () throws(KeychainError) in try DeleteCall(query) }
        }

        private static func keychains(_ query: CFDictionary) throws(LlaveroError) -> QueriedKeychains {
            do throws(KeychainError) { return try QueriedKeychains(searchedBy: query) } catch {
                throw LlaveroError(error)
            }
        }
    }
}
