// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCertificates
internal import KeychainModel

/// What callers give to a trust object, read strictly: one object, or an array of nothing else.
enum TrustInput {
    static func certificates(_ object: CFTypeRef?) throws(KeychainError) -> [Certificate] {
        try list(object, "certificates") { ($0 as? SecCertificate)?.certificate }
    }

    static func policies(_ object: CFTypeRef?) throws(KeychainError) -> [SecPolicy] {
        try list(object, "policies") { $0 as? SecPolicy }
    }

    static func data(_ object: CFTypeRef?, _ name: StaticString) throws(KeychainError) -> [[UInt8]] {
        try list(object, name) { ($0 as? NSData).map(\.der) }
    }

    private static func list<Element>(
        _ object: CFTypeRef?, _ name: StaticString, _ element: (AnyObject) -> Element?
    ) throws(KeychainError) -> [Element] {
        guard let object else { return [] }
        var result: [Element] = []
        for value in (object as? NSArray)?.map({ $0 as AnyObject }) ?? [object] {
            guard let read = element(value) else {
                throw KeychainError(.parameter, "an object of another kind was given", subject: "\(name)")
            }
            result.append(read)
        }
        return result
    }
}
