// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainModel

/// What git, docker and files of SSH say to the helpers.
internal enum HelperFuzzing {
    /// Git's lines, and a secret of git's.
    static func feedGit(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        let said = SecretValue(copying: bytes)
        if let secret = GitSecret(stored: said) {
            try promise(secret.stored.isEqualInConstantTime(to: said), "a secret of git's is written as it was read")
        }
        guard let message = try? GitMessage(said) else { return .refused }
        let again = SecretValue(copying: bytes + Array("\n\nhost=other\0".utf8))
        guard let same = try? GitMessage(again) else { throw BrokenPromise("nothing behind a blank line is read") }
        try promise(same.host == message.host && same.username == message.username, "a blank line is the end")
        for text in [message.protocol, message.host, message.path, message.username] {
            let isLine = text?.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D } ?? true
            try promise(isLine, "a value is one line")
        }
        if let password = message.password {
            let secret = GitSecret(password: password, expiry: message.expiry, refreshToken: message.refreshToken)
            guard let read = GitSecret(stored: secret.stored) else { throw BrokenPromise("what git says can be kept") }
            try promise(read.password.isEqualInConstantTime(to: password), "a password is kept as it is")
            try promise(read.expiry == message.expiry, "the end of a password is kept as it is")
        }
        return .accepted
    }

    /// Docker's and cargo's JSON.
    static func feedDocker(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        let said = SecretValue(copying: bytes)
        // Any text is written so that it is read as it was.
        if let quoted = JSONStrings.quoted(said) { try check(quoted, said) }
        guard let members = try? JSONStrings(said) else { return .refused }
        for name in ["ServerURL", "Username", "Secret"] {
            guard let value = members[name] else { continue }
            guard let quoted = JSONStrings.quoted(value) else { throw BrokenPromise("what was read is UTF-8") }
            try check(quoted, value)
        }
        // Cargo's lines have an object inside.
        if let text = members.nested("registry"), (try? members.object("registry")) == nil {
            try promise(
                text.byte(at: 0) != UInt8(ascii: "{") || (try? JSONStrings(text)) == nil, "an object is read as alone")
        }
        return .accepted
    }

    private static func check(_ quoted: SecretValue, _ text: SecretValue) throws(BrokenPromise) {
        let object = SecretValue.joined([SecretValue(text: "{\"a\":"), quoted, SecretValue(text: "}")])
        guard let read = try? JSONStrings(object)["a"] else { throw BrokenPromise("what was written can be read") }
        try promise(read.isEqualInConstantTime(to: text), "a text is read as it was written")
    }

    /// What is inside of a file with a private key of OpenSSH's.
    static func feedKey(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        let content = SecretValue(copying: bytes)
        guard let key = try? OpenSSHKeyFile(content: content) else { return .refused }
        guard let again = try? OpenSSHKeyFile(content: content) else {
            throw BrokenPromise("a key is read twice, or never")
        }
        try promise(key.publicBlob.isEqualInConstantTime(to: again.publicBlob), "a key that is read twice is the same")
        return .accepted
    }
}
