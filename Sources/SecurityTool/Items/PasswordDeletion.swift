// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What delete-generic-password and delete-internet-password do.
enum PasswordDeletion {
    static func run(
        _ kind: PasswordKind, _ words: ArraySlice<String>, _ session: Session
    ) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: kind.letters))
        let attributes = try kind.attributes(options)
        guard !attributes.isEmpty else {
            throw .usage("say which password: without any option the first there is would go")
        }
        let found = try PasswordSearch.first(
            kind, attributes, in: try Keychains.searched(options.operands), returning: .attributes)
        print(ItemText.text(found.item, in: found.keychain.path))
        let request = DeleteRequest(predicate: found.predicate, tombstones: .whenSynchronizable)
        try Unlocking.retrying(found.keychain, SecurityFailure.Call.delete) { () throws(CommandError) in
            try found.keychain.delete(request, of: .programs)
        }
        print("password has been deleted.")
    }
}
