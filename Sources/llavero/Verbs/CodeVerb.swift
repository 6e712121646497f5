// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainRequest
internal import KeychainTools

/// `llavero code`.
enum CodeVerb: Verb {
    static let name = "code"
    static let summary = "prints a one-time code"
    static let help = """
        usage: llavero code NAME [--user USER] [--next] [--copy [--clear-after N] | --json]

        Prints the one-time code of an item, which many sites ask for beside the password. The item gets it by
        `llavero edit NAME --code`, which reads the otpauth:// URL of the QR code or the secret in base32; imports bring it along.

        Codes of the time (TOTP) are computed with SHA-1, SHA-256 or SHA-512, of 6 to 8 digits, or as Steam's; they are right where
        this machine's clock is. Codes that count (HOTP) are given once each: the next number is stored before the code is shown. On
        machines of a circle that are not connected, each goes on from the last number it knows.

          --next            the code of the next period, where the current one is nearly over
          --copy            copies it to the clipboard, and removes it after 45 seconds, as `llavero copy` does
          --clear-after N   with --copy: removes it after N seconds
          --json            an object: name, code, and how many seconds it is good
          --user USER       the item of that user, if several have the name
          --kind KIND       searches only that kind: password, internet, certificate, key
          --keychain NAME   uses another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        let name = ItemName(try options.operand("NAME"))
        try options.requireOne(of: ["--copy", "--json"])
        let seconds = try options.number("--clear-after", in: 1...3600, "a number from 1 to 3600")
        guard seconds == nil || options.has("--copy") else { throw .usage("--clear-after requires --copy") }
        let clipboard = options.has("--copy") ? try Clipboard.here("without --copy the code is printed") : nil
        let item = try name.item(in: try Keychains(options), try ItemScope(options))
        try item.requireReadable()
        guard let further = try item.code() else {
            let word = ShellWord.quoted(PlainText.shown(name.text))
            if let past = PastItems.removal(of: .code, "code", of: item) {
                throw .notFound(
                    "\(item.title) has no one-time code: it was removed on \(PastItem.date(past.version.until)); `llavero history \(word)` lists it"
                )
            }
            throw .notFound(
                "\(item.title) has no one-time code; `llavero edit \(word) --code` gives it one"
            )
        }
        let seed = try further.seed()
        var now = UInt64(max(0, time(nil)))
        var (code, left): (SecretValue, UInt32?)
        if seed.isCounted {
            guard !options.has("--next") else { throw .usage("--next is for codes of the time; this one counts") }
            (code, left) = (try further.nextCode(seed), nil)
        } else {
            left = seed.secondsLeft(at: now)
            if options.has("--next"), let rest = left {
                now += UInt64(rest)
                left = seed.secondsLeft(at: now).map { $0 + rest }
            }
            code = try FurtherItem.translating { () throws(CryptoError) in try seed.code(at: now) }
        }
        if let clipboard {
            try CopyVerb.copy(code, of: item, to: clipboard, for: seconds ?? 45)
        } else if options.has("--json") {
            let stream = SecretStream(to: 1)
            try stream.put("{\"name\":\(JSONText.text(item.name).line),\"code\":\"")
            try stream.put(code, .json)
            try stream.put("\",\"seconds\":\(JSONText.optional(left.map { Int64($0) }).line)}\n")
            try stream.flush()
        } else {
            try SecretOutput.write(code, to: 1, ending: "\n")
            if let left, Screen.output.isTerminal, Screen.complaints.isTerminal {
                Tool.say("good for \(left) second\(left == 1 ? "" : "s")")
            }
        }
    }
}

extension FurtherItem {
    /// What its codes are computed of.
    func seed() throws(CommandError) -> OneTimeCode {
        let secret = try item.secret()
        do throws(OneTimeCodeError) { return try OneTimeCode(secret) } catch {
            throw .failure("\(PlainText.shown(item.name)) is no seed of one-time codes: \(error)")
        }
    }

    /// The next code of one that counts; the number after it is stored, and durable, before this returns.
    ///
    /// The store changes the number only where it is still the one that was read, so that no two programs get one code.
    func nextCode(_ seed: OneTimeCode) throws(CommandError) -> SecretValue {
        guard case .counted(let start) = seed.kind else {
            return try FurtherItem.translating { () throws(CryptoError) in try seed.code(at: 0) }
        }
        var number = start
        try item.changeProperties { (item, properties) throws(CommandError) in
            guard !properties.isForeign else {
                throw .failure(
                    "\(PlainText.shown(item.name)) has an attribute \"prot\" of another program in the place of its number"
                )
            }
            // One of an earlier import, or of another device, has none yet.
            number = properties.counter ?? start
            guard number < .max else { throw .failure("\(PlainText.shown(item.name)) has given all its codes") }
            properties.counter = number + 1
        }
        return try FurtherItem.translating { () throws(CryptoError) in try seed.code(of: number) }
    }

    static func translating(_ body: () throws(CryptoError) -> SecretValue) throws(CommandError) -> SecretValue {
        do throws(CryptoError) { return try body() } catch { throw .failure("the code cannot be computed (\(error))") }
    }
}
