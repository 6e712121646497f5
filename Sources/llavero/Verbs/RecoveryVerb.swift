// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCircle
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainTools

/// `llavero recovery`.
enum RecoveryVerb: Verb {
    static let name = "recovery"
    static let summary = "makes, checks, uses or removes the recovery key"
    static let help = """
        usage: llavero recovery make [--paper [--output FILE]] [--keychain NAME] [--fd N | --stdin]
               llavero recovery check [--keychain NAME] [--fd N | --stdin]
               llavero recovery use [--keychain NAME] [--fd N | --stdin] [--enclave KIND] [--new-fd N | --no-passcode]
               llavero recovery remove [--keychain NAME] [--fd N | --stdin]

        `make` prints fourteen words, once: write them down. They open the keychain when its device key is lost; earlier words are
        invalid as soon as these were printed. `make` and `remove` ask for the passcode, if there is one.

        `check` asks for the words, and says whether they open the keychain; it changes nothing.

        `use` opens a keychain with these words if its device key is lost (another machine, a cleared TPM, a missing file) or its
        passcode is forgotten. It asks for the words, gives the keychain a new device key on this machine, and reports what was lost:
        items for the old device only are kept, but can no longer be opened. If the keychain had a passcode, it asks for a new one. The
        recovery key stays valid.

          --paper           for `make`: prints a page with the words, numbered, and a QR code of them
          --output FILE     writes the page to a new file that only you can read
          --keychain NAME   for another keychain, by name or path
          --fd N            reads the passcode, or for `use` and `check` the words, from descriptor N
          --stdin           reads them from standard input
          --enclave KIND    what protects the keys from now on: software (a file) or tpm; as before, if not given
          --new-fd N        reads the new passcode from descriptor N
          --no-passcode     sets no new passcode
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let action = try options.operand("make, check, use or remove")
        let (ofUse, ofMake) = (["--enclave", "--new-fd", "--no-passcode"], ["--paper", "--output"])
        let others: [String]
        switch action {
        case "make": others = ofUse
        case "check": others = ofUse + ofMake
        case "use": others = ofMake
        case "remove": others = ofUse + ofMake
        default:
            throw .usage(
                "unknown action of recovery: \(PlainText.shown(action)); the actions are make, check, use and remove")
        }
        for option in others where options.has(option) || options.value(option) != nil {
            throw .usage("recovery \(action) does not accept \(option)")
        }
        try options.requireOne(of: ["--new-fd", "--no-passcode"])
        guard options.has("--paper") || options.value("--output") == nil else {
            throw .usage("--output requires --paper")
        }
        if let path = options.value("--output") {
            try NewFile.requirePlace(path, otherwise: "without --output the page goes to standard output")
        }
        let kind = try EnclaveKind.named(by: options)
        let (descriptor, new) = (
            try PasscodeInput.descriptor(options, "--fd"), try PasscodeInput.descriptor(options, "--new-fd")
        )
        if let new, descriptor == new { throw .usage("--fd and --new-fd have to be different descriptors") }
        if new == 0, options.has("--stdin") { throw .usage("--stdin and --new-fd 0 read the same descriptor") }
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        if action == "check" {
            try check(keychain, options)
        } else if action == "use" {
            do throws(CommandError) {
                let recovery = try Recovery(of: keychain, into: kind)
                let seed = try TypedRecoveryKey.seed(options)
                try recovery.run(with: seed, newPasscode: new, without: options.has("--no-passcode"))
            } catch {
                // A daemon that cannot open it can do nothing with it, and its user reaches no file of it.
                guard keychain.isOfSystem, case .keychain(let cause) = error, cause.reason == .notAvailable else {
                    throw error
                }
                throw .failure("\(keychain.administratorsTask("llavero recovery use")): \(error.description)")
            }
        } else {
            let source = try PasscodeInput.descriptorOrInput(options)
            try change(keychain, isMade: action == "make", source, options)
        }
    }

    /// All fourteen, for nothing is known of fewer: the keychain has the public half of the key they make.
    private static func check(_ keychain: ToolKeychain, _ options: Options) throws(CommandError) {
        guard try keychain.state().hasRecoveryKey else { throw .failure("the keychain has no recovery key") }
        let key = try TypedRecoveryKey.key(options)
        guard try keychain.backupSecrets().recovery == key.publicKey.bytes else {
            throw .failure(
                "these words do not open the keychain \(keychain.shownName): they are an earlier recovery key, or another keychain's"
            )
        }
        options.tell("these words open the keychain \(keychain.shownName)")
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
                "removed the recovery key of the keychain \(keychain.shownName): its words are invalid now")
            tellOfCircle(keychain)
            return
        }
        defer { tellOfCircle(keychain) }
        // Earlier words are valid until somebody has the new ones; whoever may make none is shown none.
        switch shown {
        case .passcode(let passcode): _ = try keychain.perform(.verify(passcode))
        case .unlocked: _ = try keychain.perform(.enclaveKeys)
        }
        let key = try ShownRecoveryKey.fresh()
        let place = try hand(key, of: keychain, options)
        do throws(CommandError) {
            _ = try keychain.perform(.makeRecoveryKey(shown, seed: SecretValue(copying: key.seed)))
        } catch {
            if let path = options.value("--output") { _ = unsafe unlink(path) }
            throw error.at("these words are not valid, and everything is as it was")
        }
        let earlier = state.hasRecoveryKey ? "; earlier words are invalid now" : ""
        options.tell("\(place)\(earlier)")
    }

    /// Gives the words to the person; what is said of it when they are valid.
    private static func hand(
        _ key: RecoveryKey, of keychain: ToolKeychain, _ options: Options
    ) throws(CommandError) -> String {
        let what = "open the keychain \(keychain.shownName) if its device key is lost"
        guard let path = options.value("--output") else {
            if options.has("--paper") {
                try RecoverySheet(of: keychain).print(key)
            } else {
                try ShownRecoveryKey.show(key)
            }
            return "these words \(what): write them down, they are shown only once"
        }
        if unsafe access(path, F_OK) == 0 { throw .failure("\(PlainText.shown(path)) exists already") }
        let file = try NewFile(for: path)
        try RecoverySheet(of: keychain).write(key, to: file)
        try file.takeEmptyPlace()
        return "the words that \(what) are in \(PlainText.shown(path)): print it, and remove it"
    }
}

extension RecoveryVerb {
    /// Words that were made a member of its circle stay that, whatever becomes of the keychain's.
    private static func tellOfCircle(_ keychain: ToolKeychain) {
        guard let circle = try? CircleTool(of: keychain).localIfAny() else { return }
        let members = circle.state.log.membership.members.filter { $0.value.isPresent && $0.value.isRecovery }
        guard !members.isEmpty else { return }
        let names = CircleNames(of: circle)
        let shown = members.keys.sorted().map { PlainText.shown(names.member($0)) }.joined(separator: ", ")
        Tool.say(
            "the words that are a member of the circle open it as before (\(shown)): `llavero circle words\(keychain.option)` makes new ones a member, and `llavero circle remove\(keychain.option)` with what `llavero circle list` calls the old ones ends those"
        )
    }
}

/// The use of the recovery key: the keychain opens again, bound to this machine.
struct Recovery {
    private let keychain: ToolKeychain
    /// nil if the device key still opens it.
    private let loss: DeviceLoss?
    private let kind: EnclaveKind
    private let hadPasscode: Bool

    /// Checks the keychain's state, and refuses a recovery that is not needed or not possible; no prompt.
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
        guard hasRecoveryKey else {
            throw .failure(
                "the keychain has no recovery key, so it cannot be recovered; to start over, \(keychain.startingOver())"
            )
        }
    }

    /// A keychain that had a passcode gets a new one, unless --no-passcode is given.
    func run(with seed: SecretValue, newPasscode descriptor: Int32?, without: Bool) throws(CommandError) {
        var passcode: Passcode?
        if descriptor != nil || hadPasscode && !without {
            let words = "The keychain's new passcode. It takes the place of the old one, which is valid until then."
            passcode = try PasscodeInput.passcode(descriptor, words, confirms: true, option: "--new-fd")
        }
        let reply = try ToolKeychain.translating { () throws(KeychainError) in
            try keychain.host.recover(with: seed, into: kind, passcode: passcode)
        }
        print("the keychain can be opened again, with a new device key on this machine; the recovery key stays valid")
        var losses: [String] = []
        if hadPasscode {
            losses.append("the old passcode\(passcode == nil ? "" : "; the new one is set")")
        }
        guard case .removed(let items) = reply else {
            throw .failure("the losses cannot be determined; `llavero check\(keychain.option)` checks the keychain")
        }
        if items > 0 {
            let lostPlace = lostPlace
            losses.append(
                "\(items) \(items == 1 ? "item" : "items") that only the old device could open\(lostPlace == nil ? "" : ", the keychain's records of its circle among them")"
            )
            if let lostPlace { losses.append("the keychain's place in its circle: \(lostPlace.way)") }
        }
        if let snapshots = Snapshots(of: keychain)?.all.count, snapshots > 0 {
            losses.append(
                "\(snapshots) \(snapshots == 1 ? "snapshot" : "snapshots"), which the old device key alone opened")
        }
        let keys = enclaveKeys
        if keys > 0 { losses.append("\(keys) \(keys == 1 ? "key" : "keys") in the old device's enclave") }
        print(losses.isEmpty ? "nothing was lost" : losses.map { "lost: \($0)" }.joined(separator: "\n"))
    }

    /// Where it is in a circle, and the keys for that are lost.
    private var lostPlace: LostPlace? {
        guard let tool = try? CircleTool(of: keychain) else { return nil }
        do throws(CommandError) {
            _ = try tool.localIfAny()
            return nil
        } catch {
            guard case .keychain(let cause) = error, cause.reason == .undecodable else { return nil }
            return LostPlace(in: tool.session)
        }
    }

    /// All enclave keys are the old enclave's, since the new one was just made.
    private var enclaveKeys: Int {
        guard case .references(let keys)? = try? keychain.perform(.enclaveKeys) else { return 0 }
        return keys.count
    }
}

/// Prints the words of a new recovery key.
enum ShownRecoveryKey {
    /// Straight from memory that is wiped.
    static func show(_ key: RecoveryKey) throws(CommandError) {
        let text: SecretBytes
        do throws(RecoveryWordsError) { text = try key.words() } catch { throw unshowable }
        try unsafe text.withUnsafeBytes { (text) throws(CommandError) in try unsafe write(text) }
        print("")
    }

    static let unshowable = CommandError.failure("the words cannot be shown")

    /// One that nothing knows yet.
    static func fresh() throws(CommandError) -> RecoveryKey {
        do throws(CryptoError) { return try RecoveryKey() } catch { throw unshowable }
    }

    static func write(_ text: UnsafeRawBufferPointer) throws(CommandError) {
        var rest = unsafe text[...]
        while unsafe !rest.isEmpty {
            let count = unsafe UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) { bytes in
                unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .failure("the words could not be printed (\(unsafe String(cString: strerror(errno))))")
            }
            unsafe rest = rest.dropFirst(count)
        }
    }
}

/// Reads the fourteen words; never from the command line.
enum TypedRecoveryKey {
    /// From a descriptor, from standard input, or from the person.
    static func seed(_ options: Options) throws(CommandError) -> SecretValue {
        SecretValue(copying: try key(options).seed)
    }

    static func key(_ options: Options) throws(CommandError) -> RecoveryKey {
        try options.requireOne(of: ["--fd", "--stdin"])
        let text: SecretValue
        if let descriptor = try PasscodeInput.descriptor(options, "--fd") {
            text = try SecretInput.all(from: descriptor, line: true)
        } else if options.has("--stdin") {
            if Screen.hasInput {
                throw .usage("--stdin requires redirected input; without it the words are asked for, without echo")
            }
            text = try SecretInput.all(from: 0, line: true)
        } else {
            text = try SecretInput.ask(
                "The fourteen words of the recovery key.", prompt: "Words:", confirms: false,
                otherwise: "or use --stdin or --fd N")
        }
        do throws(RecoveryWordsError) {
            return try unsafe text.withUnsafeBytes { (text) throws(RecoveryWordsError) in
                try unsafe RecoveryKey(words: text)
            }
        } catch { throw .failure(words(for: error)) }
    }

    private static func words(for error: RecoveryWordsError) -> String {
        switch error {
        case .wrongCount(let count): "a recovery key has fourteen words, but \(count) were given"
        case .unknownWord(let position): "word \(position) is not in the word list of recovery keys"
        case .wrongChecksum: "the words do not fit together: one of them is wrong or in the wrong place"
        case .abandoned, .noChecksum: "the words cannot be read"
        }
    }
}
