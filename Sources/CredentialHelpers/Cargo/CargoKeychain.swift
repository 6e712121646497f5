// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// Cargo's tokens in the keychains: generic passwords without an account, named as cargo's own helper for the Mac names them.
struct CargoKeychain {
    private let keychains: HelperKeychains

    init(_ keychains: HelperKeychains) { self.keychains = keychains }

    /// nil if there is none, or a negative item says so.
    func token(for registry: CargoRegistry) throws(CommandError) -> SecretValue? {
        let items = try items(of: registry)
        guard !items.contains(where: \.isNegative), let item = items.first else { return nil }
        return try item.secret()
    }

    /// Stores it, in the place of the one that the registry has.
    func store(_ token: SecretValue, for registry: CargoRegistry) throws(CommandError) {
        for _ in 0..<2 {
            let items = try items(of: registry)
            guard !items.contains(where: \.isNegative) else {
                throw .failure("a negative item records that no token is stored for this registry; nothing was stored")
            }
            if let item = items.first {
                try item.replaceSecret(by: token)
                return
            }
            var attributes = CargoKeychain.identity(of: registry)
            attributes[.label] = .string("cargo: \(registry.title)")
            if try keychains.addPassword(attributes, token, of: .genericPassword) { return }
        }
        throw .failure("another item has the same identity: `llavero list` shows it; remove or edit it, and try again")
    }

    /// false if there was none.
    func erase(_ registry: CargoRegistry) throws(CommandError) -> Bool {
        let own = try items(of: registry).filter { !$0.isNegative }
        for item in own { try item.remove() }
        return !own.isEmpty
    }

    /// The newest first.
    private func items(of registry: CargoRegistry) throws(CommandError) -> [PasswordItem] {
        try keychains.passwords(CargoKeychain.identity(of: registry), of: .genericPassword)
    }

    private static func identity(of registry: CargoRegistry) -> AttributeList {
        var attributes = AttributeList()
        attributes[.service] = .string("cargo-registry:" + registry.index)
        attributes[.account] = .string("")
        return attributes
    }
}

/// A registry of crates, as cargo names it.
struct CargoRegistry {
    /// The URL of its index, with what cargo writes before it (`sparse+`).
    let index: String
    /// Its name in cargo's configuration.
    let name: String?

    var title: String { name ?? index }
}
