// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

extension KeychainAddress {
    /// How a daemon is told of the keychain at a place: what lies where it would look is named, so that it finds it in a
    /// root of its own too.
    init(of place: Place, in environment: Environment) {
        guard case .folder(let root, let name) = place, root != (try? Place.root(named: environment)) else {
            if case .folder(_, let name) = place, name != Place.usualName { self = .named(name) } else { self = .usual }
            return
        }
        self = .folder(root: root, name: name)
    }
}

extension Place {
    /// The place that a program of this user means by an address; `usual` is where its usual keychain is.
    package init(_ address: KeychainAddress, beside usual: Place) throws(KeychainError) {
        switch (address, usual) {
        case (.usual, _): self = usual.canonical
        case (.named(let name), .folder(let root, _)) where Place.isName(name):
            self = try Place.named(name, below: root).canonical
        case (.folder(let root, let name), .folder) where Place.isName(name) && root.hasPrefix("/"):
            self = .folder(root: Place.canonical(root), name: name)
        default: throw KeychainError(.noSuchKeychain, "there is no such keychain")
        }
    }

    /// The same place by its one path without links.
    package var canonical: Place {
        switch self {
        case .folder(let root, let name): .folder(root: Place.canonical(root), name: name)
        case .memory: self
        }
    }
}
