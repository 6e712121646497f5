// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// The password that a subcommand is given for an item.
enum NewSecret {
    /// The options by which it is given.
    static let letters = "w?X:"
    static let valued = ["--password-fd"]

    /// nil where none was given; `older` is another letter for -w.
    static func read(
        _ options: SecurityOptions, _ session: Session, older: String? = nil
    ) throws(SecurityFailure) -> SecretValue? {
        let old = older.flatMap { options.value($0) }
        let ways = [
            options.value("w") != nil || options.has("w"), options.value("X") != nil,
            options.value("--password-fd") != nil, old != nil,
        ]
        guard ways.count(where: { $0 }) <= 1 else { throw .usage("one password at a time: -w, -X or --password-fd") }
        if let descriptor = try options.number("--password-fd", in: 0...Int32.max, "the number of a descriptor") {
            return try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: descriptor, line: true)
            }
        }
        if let digits = options.value("X") {
            guard let bytes = BlobText.bytes(digits) else { throw .usage("-X wants hexadecimal digits") }
            warn(session, "-X")
            return SecretValue(copying: bytes)
        }
        if let text = options.value("w") ?? old {
            warn(session, old == nil ? "-w" : "-p")
            return SecretValue(copying: Array(text.utf8))
        }
        guard options.has("w") else { return nil }
        return try ask("The password of the new item.", confirms: true)
    }

    /// Asks the person for something, at the terminal or the display.
    static func ask(_ words: String, confirms: Bool) throws(SecurityFailure) -> SecretValue {
        let advice = "--password-fd N reads it from a descriptor"
        do throws(CommandError) {
            return try SecretInput.ask(words, prompt: "Password:", confirms: confirms, otherwise: advice)
        } catch {
            throw .status(.interactionNotAllowed, call: "SecKeychainItemCreateFromContent", why: error.description)
        }
    }

    private static func warn(_ session: Session, _ option: String) {
        guard session.isOnCommandLine else { return }
        session.remark(
            """
            a password after \(option) is seen by every program of this machine while this runs; -w as the last word \
            asks for it, --password-fd N reads it from a descriptor
            """)
    }
}
