// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import Testing

/// The file `Tests/Vectors/keys/lattice.json`.
struct LatticeVectors: Decodable, Sendable {
    struct Row: Decodable, Sendable, CustomStringConvertible {
        let id: String
        let seed: String
        /// The SHA3-256 of the public key.
        let publicKey: String
        /// The last bytes of the expanded private key.
        let privateKey: String
        let message: String?
        let context: String?
        let signature: String?
        let encapsulated: String?
        let secret: String?

        var description: String { id }
        var parameters: LatticeParameters? {
            switch id {
            case "ML-KEM-768": .mlkem768
            case "ML-KEM-1024": .mlkem1024
            case "ML-DSA-65": .mldsa65
            case "ML-DSA-87": .mldsa87
            default: nil
            }
        }
    }

    let rows: [Row]

    static let all = KeyVectors.load("lattice", as: LatticeVectors.self).rows
}
