// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel
package import KeychainRequest

/// What SecItemCopyMatching was asked.
package struct ParsedMatch: Sendable {
    package var request: MatchRequest
    /// Whether it is asked of the objects in `kSecUseItemList` themselves, which may be in no keychain (decision D29).
    package let isOfListedObjects: Bool
}

extension MatchRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> ParsedMatch {
        let parsed = try ParsedDictionary(dictionary, for: .finding, taking: .all)
        if parsed.persistentReference != nil, parsed.hasAttributes {
            throw KeychainError(
                .parameter, "a persistent reference takes no attributes beside it",
                subject: "v_PersistentRef")
        }
        let predicate = try parsed.predicate()
        try parsed.checkItemsAgree(with: predicate.queriedClass)
        var request = MatchRequest(
            predicate: predicate, returning: parsed.returning, limit: parsed.limit ?? .single)
        request.authentication = parsed.authentication
        return ParsedMatch(request: request, isOfListedObjects: parsed.listsObjects)
    }
}
