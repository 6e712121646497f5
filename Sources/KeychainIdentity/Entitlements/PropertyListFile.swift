// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// Reads property lists that an administrator wrote, which are XML.
enum PropertyListFile {
    /// The dictionary in `bytes`; nil when there is none, or a value in it is of a kind our own lists do not have.
    static func dictionary(in bytes: [UInt8]) -> [String: PropertyList]? {
        guard let list = try? PropertyList(xml: bytes), list.isPlain, case .dictionary(let dictionary) = list else {
            return nil
        }
        return dictionary
    }
}

extension PropertyList {
    /// Whether each of its values is of a kind that means something here.
    fileprivate var isPlain: Bool {
        switch self {
        case .boolean, .number, .string, .data: true
        case .null, .date: false
        case .array(let values): values.allSatisfy(\.isPlain)
        case .dictionary(let values): values.values.allSatisfy(\.isPlain)
        }
    }
}
