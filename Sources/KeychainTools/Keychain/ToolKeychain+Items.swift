// SPDX-License-Identifier: Apache-2.0

package import KeychainConnection
package import KeychainModel
package import KeychainRequest

/// Whose items a tool is about.
package enum ItemOwners: Sendable {
    /// What people keep with the tools, first, and what programs keep that declare nothing.
    case person
    /// The same in the other order: new items are for programs that declare nothing.
    case programs
    /// Everybody's. A daemon lets only those see them whom its rules let.
    case everybody
}

/// Items, for the verbs.
///
/// Where this process opens the keychain itself it says who it is; a daemon knows, whatever is said here.
extension ToolKeychain {
    /// What is there; nothing is no error here.
    package func match(_ request: MatchRequest, of owners: ItemOwners) throws(CommandError) -> [Found] {
        do throws(CommandError) {
            return try unlocking { () throws(KeychainError) in
                try connected(owners) { (keychain, caller) throws(KeychainError) in
                    try keychain.service.match(request, from: caller)
                }
            }
        } catch {
            if case .keychain(let cause) = error, cause.reason == .itemNotFound { return [] }
            throw error
        }
    }

    /// The same with what matches and cannot be read.
    package func matchWithDamaged(_ request: MatchRequest, of owners: ItemOwners) throws(CommandError) -> [Found] {
        try match(
            MatchRequest(
                predicate: request.predicate, returning: request.returning.union(.damaged), limit: request.limit),
            of: owners)
    }

    /// Adds an item; where it names no group, to the first one of its owners.
    @discardableResult
    package func add(_ request: AddRequest, of owners: ItemOwners) throws(CommandError) -> FoundItem? {
        var request = request
        if request.group == .everyGroupOfCaller { request.group = .named(owners.groups[0].name) }
        return try unlocking { () throws(KeychainError) in
            try connected(owners) { (keychain, caller) throws(KeychainError) in
                try keychain.service.add(request, from: caller)
            }
        }
    }

    package func update(_ request: UpdateRequest, of owners: ItemOwners) throws(CommandError) {
        try unlocking { () throws(KeychainError) in
            try connected(owners) { (keychain, caller) throws(KeychainError) in
                try keychain.service.update(request, from: caller)
            }
        }
    }

    package func delete(_ request: DeleteRequest, of owners: ItemOwners) throws(CommandError) {
        try unlocking { () throws(KeychainError) in
            try connected(owners) { (keychain, caller) throws(KeychainError) in
                try keychain.service.delete(request, from: caller)
            }
        }
    }

    /// Everything else that whoever has the keychain can do.
    package func connected<Result>(
        _ owners: ItemOwners, _ body: (KeychainConnection, Caller) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let keychain = try host.connection()
        return try body(keychain, owners.caller(keychain.caller))
    }
}

extension ItemOwners {
    /// The first is where new items go.
    fileprivate var groups: [AccessGroup] {
        if case .programs = self { [.open, .passwords] } else { [.passwords, .open] }
    }

    fileprivate func caller(_ own: Caller) -> Caller {
        var caller = Caller(
            groups: groups, seesEveryGroup: self == .everybody, administersKeys: own.administersKeys,
            program: own.program)
        caller.seat = own.seat
        return caller
    }
}
