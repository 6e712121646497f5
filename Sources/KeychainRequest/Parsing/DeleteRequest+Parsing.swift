// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel

extension DeleteRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> DeleteRequest {
        let parsed = try ParsedDictionary(dictionary)
        if let key = parsed.otherMatchKey {
            throw KeychainError(.parameter, "a Delete takes no search key but kSecMatchItemList", subject: key)
        }
        try parsed.refuseSkip()
        try parsed.checkReferenceStandsAlone()
        let predicate = try parsed.predicate()
        try parsed.checkItemsAgree(with: predicate.queriedClass)
        return DeleteRequest(predicate: predicate, tombstones: TombstonePolicy(parsed.leavesTombstones))
    }
}

extension TombstonePolicy {
    init(_ given: Bool?) {
        switch given {
        case nil: self = .whenSynchronizable
        case true?: self = .always
        case false?: self = .never
        }
    }
}
