// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero recovery`.
enum RecoveryVerb: Verb {
    static let name = "recovery"
    static let summary = "makes, uses or removes the recovery key"
    static let help = """
        usage: llavero recovery make [--keychain NAME] [--fd N]
               llavero recovery use [--keychain NAME] [--fd N | --stdin] [--enclave KIND] [--new-fd N | --no-passcode]
               llavero recovery remove [--keychain NAME] [--fd N]

        `make` prints fourteen words, once: write them down. They open the keychain when its device key is lost; one that was
        made before opens nothing any more. `make` and `remove` ask for the passcode if there is one.

        `use` opens a keychain with these words whose device key is lost (another machine, a cleared TPM, a missing file), or whose
        passcode is forgotten. It asks for the words, gives the keychain a new device key on this machine, and says what was lost:
        items that were for the old device alone stay where they are, and nothing opens them. If the keychain had a passcode, it asks
        for a new one. The words count from then on as before.

          --keychain NAME   of another keychain, by its name or its path
          --fd N            reads the passcode, or for `use` the words, from descriptor N
          --stdin           reads the words from standard input
          --enclave KIND    what guards the keys from now on: software (a file) or tpm; as before, if not given
          --new-fd N        reads the new passcode from descriptor N
          --no-passcode     does without a new passcode
          --quiet           says nothing of what was done
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = try options.operand("make, use or remove")
        let ofUse = ["--stdin", "--enclave", "--new-fd", "--no-passcode"]
        switch action {
        case "use": try options.requireOne(of: ["--new-fd", "--no-passcode"])
        case "make", "remove":
            for option in ofUse where options.has(option) || options.value(option) != nil {
                throw .usage("recovery \(action) takes no \(option)")
            }
        default: throw .usage("recovery has make, use and remove, and no \(PlainText.shown(action))")
        }
        let kind = try EnclaveKind.named(by: options)
        let (descriptor, new) = (
            try PasscodeInput.descriptor(options, "--fd"), try PasscodeInput.descriptor(options, "--new-fd")
        )
        if let new, descriptor == new { throw .usage("--fd and --new-fd are two descriptors") }
        if new == 0, options.has("--stdin") { throw .usage("--stdin and --new-fd are two descriptors") }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        if action == "use" {
            let recovery = try Recovery(of: keychain, into: kind)
            let seed = try TypedRecoveryKey.seed(options)
            try recovery.run(with: seed, newPasscode: new, without: options.has("--no-passcode"))
        } else {
            try change(keychain, isMade: action == "make", descriptor, options)
        }
    }

    private static func change(
        _ keychain: ToolKeychain, isMade: Bool, _ descriptor: Int32?, _ options: Options
    ) throws(CommandError) {
        let state = try keychain.state()
        if !isMade, !state.hasRecoveryKey { throw .failure("the keychain has no recovery key") }
        var shown = KeybagAuthorization.unlocked
        if state.lockState != .noPasscode {
            let words = "The keychain's recovery key is to be \(isMade ? "made" : "removed")."
            let passcode =
                descriptor != nil
                ? try PasscodeInput.passcode(descriptor, words)
                : try PasscodeInput.using(nil, words) { (passcode) throws(CommandError) in
                    try keychain.perform(.verify(passcode))
                    return passcode
                }
            shown = .passcode(passcode)
        }
        guard isMade else {
            try keychain.perform(.removeRecoveryKey(shown))
            options.tell(
                "removed the recovery key of the keychain \(keychain.shownName): its words open nothing any more")
            return
        }
        guard case .recoverySeed(let seed?) = try keychain.perform(.makeRecoveryKey(shown)) else {
            throw ToolKeychain.otherReply
        }
        try ShownRecoveryKey.show(seed)
        options.tell(
            """
            these words open the keychain \(keychain.shownName) where its device key is lost: write them down, they are shown \
            once; older ones are void
            """)
    }
}

/// The use of the recovery key: the keychain opens again, bound to this machine.
struct Recovery {
    private let keychain: ToolKeychain
    /// nil where the device key still opens it.
    private let loss: DeviceLoss?
    private let kind: EnclaveKind
    private let hadPasscode: Bool

    /// Looks at what there is, and refuses what has no sense; asks nobody.
    init(of keychain: ToolKeychain, into wanted: EnclaveKind?) throws(CommandError) {
        self.keychain = keychain
        loss = keychain.host.deviceLoss()
        let hasRecoveryKey: Bool
        if let loss {
            (kind, hadPasscode, hasRecoveryKey) = (wanted ?? loss.enclave, loss.hadPasscode, loss.hasRecoveryKey)
        } else {
            let state = try keychain.state()
            (kind, hadPasscode) = (wanted ?? state.enclave.kind, state.lockState != .noPasscode)
            hasRecoveryKey = state.hasRecoveryKey
        }
        guard hasRecoveryKey else { throw .failure("the keychain has no recovery key, so none opens it") }
    }

    /// Who had a passcode is to have one again, unless that is said.
    func run(with seed: SecretValue, newPasscode descriptor: Int32?, without: Bool) throws(CommandError) {
        var passcode: Passcode?
        if descriptor != nil || hadPasscode && !without {
            let words = "The keychain's new passcode; the one from before is gone."
            passcode = try PasscodeInput.passcode(descriptor, words, confirms: true)
        }
        let reply = try ToolKeychain.translating { () throws(KeychainError) in
            try keychain.host.recover(with: seed, into: kind, passcode: passcode)
        }
        print("the keychain opens again, with a device key of its own on this machine; the recovery key stays as it is")
        var losses: [String] = []
        if hadPasscode {
            losses.append("the passcode from before; \(passcode == nil ? "there is none now" : "the new one counts")")
        }
        guard case .removed(let items) = reply else {
            throw .failure("what was lost cannot be told; `llavero check\(keychain.option)` examines the keychain")
        }
        if items > 0 {
            losses.append("\(items) \(items == 1 ? "item" : "items") that no other device than the old one could open")
        }
        let keys = enclaveKeys
        if keys > 0 { losses.append("\(keys) \(keys == 1 ? "key" : "keys") that lived in the old device's enclave") }
        print(losses.isEmpty ? "nothing was lost" : losses.map { "lost: \($0)" }.joined(separator: "\n"))
    }

    /// All that there are lived in the old enclave, for the new one is a moment old.
    private var enclaveKeys: Int {
        guard case .references(let keys)? = try? keychain.perform(.enclaveKeys) else { return 0 }
        return keys.count
    }
}

/// The words of a recovery key that was just made, for whoever writes them down.
enum ShownRecoveryKey {
    static func show(_ seed: SecretValue) throws(CommandError) { try show(try key(seed)) }

    /// Straight from memory that is wiped.
    static func show(_ key: RecoveryKey) throws(CommandError) {
        let text: SecretBytes
        do throws(RecoveryWordsError<CryptoError>) { text = try key.words() } catch {
            throw .failure("the words cannot be shown; make another recovery key")
        }
        try unsafe text.withUnsafeBytes { (text) throws(CommandError) in try unsafe write(text) }
    }

    private static func key(_ seed: SecretValue) throws(CommandError) -> RecoveryKey {
        do throws(CryptoError) {
            return try RecoveryKey(seed: unsafe seed.withUnsafeBytes { unsafe SecretBytes(copying: $0) })
        } catch { throw ToolKeychain.otherReply }
    }

    private static func write(_ text: UnsafeRawBufferPointer) throws(CommandError) {
        var rest = unsafe text[...]
        while unsafe !rest.isEmpty {
            let count = unsafe UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) { bytes in
                unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failure("the words could not be printed; make another recovery key") }
            unsafe rest = rest.dropFirst(count)
        }
        print("")
    }
}

/// The fourteen words, as the holder of the paper gives them; never on the command line.
enum TypedRecoveryKey {
    /// From a descriptor, from standard input, or from the person.
    static func seed(_ options: Options) throws(CommandError) -> SecretValue {
        try options.requireOne(of: ["--fd", "--stdin"])
        let text: SecretValue
        if let descriptor = try PasscodeInput.descriptor(options, "--fd") {
            text = try SecretInput.all(from: descriptor, line: true)
        } else if options.has("--stdin") {
            if Screen.hasInput {
                throw .usage("--stdin reads what is redirected to it; without it the words are asked for, unseen")
            }
            text = try SecretInput.all(from: 0, line: true)
        } else {
            text = try SecretInput.ask(
                "The fourteen words of the recovery key.", prompt: "Words:", confirms: false,
                otherwise: "--stdin or --fd N gives them without one")
        }
        let key: RecoveryKey
        do throws(RecoveryWordsError<CryptoError>) {
            key = try unsafe text.withUnsafeBytes { (text) throws(RecoveryWordsError<CryptoError>) in
                try unsafe RecoveryKey(words: text)
            }
        } catch { throw .failure(words(for: error)) }
        return SecretValue(copying: key.seed)
    }

    private static func words(for error: RecoveryWordsError<CryptoError>) -> String {
        switch error {
        case .wrongCount(let count): "a recovery key has fourteen words, and these are \(count)"
        case .unknownWord(let position): "word \(position) is none of the words that recovery keys are made of"
        case .wrongChecksum: "every word exists, but one of them is wrong or in the wrong place"
        case .abandoned, .noChecksum: "the words cannot be read"
        }
    }
}
