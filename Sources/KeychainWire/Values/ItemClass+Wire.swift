// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

extension ItemClass: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        }
    }
}

extension QueriedClass: WireNumbered {
    static let numbered: [QueriedClass] = ItemClass.allCases.map { .stored($0) } + [.identity]

    var wireNumber: Int64 {
        switch self {
        case .stored(let itemClass): itemClass.wireNumber
        case .identity: 5
        }
    }
}
