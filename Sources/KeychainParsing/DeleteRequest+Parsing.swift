// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel
package import KeychainRequest

extension DeleteRequest {
    package static func parse(_ dictionary: NSDictionary) throws(KeychainError) -> DeleteRequest {
        let parsed = try ParsedDictionary(dictionary, for: .finding, taking: .itemList)
        try parsed.refuseSkip()
        try parsed.checkConcernsAll()
        try parsed.checkReferenceStandsAlone()
        let predicate = try parsed.predicate()
        try parsed.checkItemsAgree(with: predicate.queriedClass)
        try parsed.checkBothHalvesKnow(predicate)
        var request = DeleteRequest(predicate: predicate, tombstones: TombstonePolicy(parsed.leavesTombstones))
        request.authentication = parsed.authentication
        return request
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
