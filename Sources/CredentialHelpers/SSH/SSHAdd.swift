// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel
package import KeychainTools

/// `llavero ssh-add`: adds keys of the keychain to the running ssh-agent, and removes them.
package enum SSHAdd {
    package static let help = """
        usage: llavero ssh-add [-t TIME] [-c] [--all | LABEL…]
               llavero ssh-add -d [--all | LABEL…]
               llavero ssh-add -l [--all | LABEL…]
               llavero ssh-add --store FILE [--label LABEL]

        Adds private keys of the keychain to the ssh-agent that SSH_AUTH_SOCK names: those stored with --store, or those with
        the labels. RSA, ECDSA and Ed25519 are supported.

          -t TIME        the agent forgets them after this time: seconds, or such as 10m, 1h30m, 2d
          -c             the agent asks before each use
          -d             removes them from the agent
          -l             lists them, and shows which the agent has
          --all          all your private keys, whatever they are for
          --store FILE   stores a private key in OpenSSH format in the keychain; FILE is not changed
          --label LABEL  its label there; if not given, the key's comment
        """

    package static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(
            spelledOut(words), single: ["--lifetime", "--store", "--label"],
            flags: ["--confirm", "--remove", "--list", "--all"])
        if let file = options.value("--store") { return try store(file, options) }
        guard options.value("--label") == nil else { throw .usage("--label requires --store") }
        let (removes, lists) = (options.has("--remove"), options.has("--list"))
        guard !removes || !lists else { throw .usage("-d and -l cannot be used together") }
        let terms = SSHAgent.Terms(
            seconds: try seconds(options.value("--lifetime")), confirms: options.has("--confirm"))
        guard !removes && !lists || (terms.seconds == nil && !terms.confirms) else {
            throw .usage("-t and -c cannot be used with -d and -l")
        }
        let choice: SSHKeychain.Choice =
            options.has("--all") ? .all : options.operands.isEmpty ? .tagged : .labels(options.operands)
        guard !options.has("--all") || options.operands.isEmpty else {
            throw .usage("--all cannot be used with labels")
        }
        let keys = try SSHKeychain(try HelperKeychains()).entries(choice)
        try requireAll(choice, keys)
        if lists { return try list(keys) }
        let agent = try SSHAgent()
        if removes { try remove(keys, agent) } else { try add(keys, agent, terms, choice) }
    }

    private static func add(
        _ keys: [SSHKeychain.Entry], _ agent: SSHAgent, _ terms: SSHAgent.Terms, _ choice: SSHKeychain.Choice
    ) throws(CommandError) {
        var given = 0
        for entry in keys {
            guard entry.mayLeave else {
                Tool.say(
                    "the key \(PlainText.shown(entry.key.label)) cannot leave the keychain, so an agent cannot use it")
                continue
            }
            try agent.add(entry.key, terms)
            print("added: \(try line(entry.key))")
            given += 1
        }
        guard given == keys.count || (given > 0 && choice.isWide) else { throw .failure("not all keys were added") }
    }

    private static func remove(_ keys: [SSHKeychain.Entry], _ agent: SSHAgent) throws(CommandError) {
        let there = try agent.keys()
        for entry in keys where there.contains(where: { $0.isEqualInConstantTime(to: entry.key.publicBlob) }) {
            try agent.remove(entry.key)
            print("removed: \(try line(entry.key))")
        }
    }

    private static func list(_ keys: [SSHKeychain.Entry]) throws(CommandError) {
        // The list does not need an agent.
        let there = (try? SSHAgent())?.keysOrNone ?? []
        for entry in keys {
            var line = try line(entry.key)
            if there.contains(where: { $0.isEqualInConstantTime(to: entry.key.publicBlob) }) { line += " in the agent" }
            if !entry.mayLeave { line += " cannot leave the keychain" }
            print(line)
        }
    }

    private static func store(_ path: String, _ options: Options) throws(CommandError) {
        for option in ["--confirm", "--remove", "--list", "--all"] where options.has(option) {
            throw .usage("--store can only be used with --label")
        }
        guard options.operands.isEmpty, options.value("--lifetime") == nil else {
            throw .usage("--store can only be used with --label")
        }
        let key = try SSHKeyReading.key(path)
        let own = options.value("--label") ?? key.label
        let label = own.isEmpty ? String(path.split(separator: "/").last ?? "ssh") : own
        try SSHKeychain(try HelperKeychains()).store(key, label: label)
        print("stored: \(try line(SSHKey(key.key, label: label) ?? key))")
    }

    private static func requireAll(
        _ choice: SSHKeychain.Choice, _ keys: [SSHKeychain.Entry]
    ) throws(CommandError) {
        if case .labels(let labels) = choice {
            for label in labels where !keys.contains(where: { $0.key.label.hasSameBytes(as: label) }) {
                throw .failure("the keychain has no private key \(PlainText.shown(label)) that SSH can use")
            }
        }
        guard keys.isEmpty else { return }
        throw .failure("the keychain has no key for SSH; `llavero ssh-add --store FILE` stores one")
    }

    /// As `ssh-add -l` shows it.
    private static func line(_ key: SSHKey) throws(CommandError) -> String {
        do throws(CryptoError) {
            return "\(key.key.bits) \(try key.fingerprint()) \(PlainText.shown(key.label)) (\(key.kind.shortName))"
        } catch { throw .failure("the fingerprint of the key \(PlainText.shown(key.label)) cannot be computed") }
    }

    /// The short options, as `ssh-add` has them.
    private static func spelledOut(_ words: ArraySlice<String>) -> ArraySlice<String> {
        let names = ["-t": "--lifetime", "-c": "--confirm", "-d": "--remove", "-l": "--list"]
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].map { names[$0] ?? $0 } + words[end...]
    }

    /// Seconds, or numbers with s, m, h, d or w behind each.
    private static func seconds(_ text: String?) throws(CommandError) -> UInt32? {
        guard let text else { return nil }
        guard let seconds = TimeSpan.seconds(text) else {
            throw .usage("-t requires a time in seconds, or such as 10m, 1h30m, 2d")
        }
        return seconds
    }
}

extension SSHKeychain.Choice {
    /// Whether keys were not named individually.
    fileprivate var isWide: Bool { if case .labels = self { false } else { true } }
}

extension SSHAgent {
    /// Without a limit if none is given.
    fileprivate var keysOrNone: [SecretValue] { (try? keys()) ?? [] }
}
