// SPDX-License-Identifier: Apache-2.0

package import KeychainConnection
internal import KeychainModel

/// What keychains are called: those beside each other by their name alone, others by their path.
package enum KeychainNames {
    package static func name(of place: Place) -> String {
        guard case .folder(let root, let name) = place else { return "memory" }
        guard let usual = try? Place.root(named: .current()), usual == root else { return "\(root)/\(name)" }
        return name
    }
}
