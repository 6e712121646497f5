// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainTools

/// A page for the drawer: the words of a recovery key, numbered, and a QR code of them; at most 80 columns wide.
///
/// All of it that is secret goes straight from memory that is wiped to its place.
struct RecoverySheet {
    private let keychain: String
    private let date: String

    init(of keychain: ToolKeychain) {
        self.keychain = keychain.shownName
        date = PastItem.date(BackupText.now)
    }

    /// To standard output; in black on white where that is a terminal, since not every reader takes light for dark.
    func print(_ key: RecoveryKey) throws(CommandError) {
        let isTerminal = Screen.output.isTerminal
        try unsafe put(key, isColoured: isTerminal && Screen.output.hasColours) { (bytes) throws(CommandError) in
            try unsafe ShownRecoveryKey.write(bytes)
        }
    }

    func write(_ key: RecoveryKey, to file: NewFile) throws(CommandError) {
        try unsafe put(key, isColoured: false) { (bytes) throws(CommandError) in try unsafe file.write(bytes) }
    }

    private func put(
        _ key: RecoveryKey, isColoured: Bool, _ sink: (UnsafeRawBufferPointer) throws(CommandError) -> Void
    ) throws(CommandError) {
        func put(_ text: String) throws(CommandError) {
            try unsafe Array(text.utf8).lendingBytes { (bytes) throws(CommandError) in try unsafe sink(bytes) }
        }
        let text: SecretBytes
        do throws(RecoveryWordsError) { text = try key.words() } catch { throw ShownRecoveryKey.unshowable }
        guard let symbol = QRSymbol(text) else { throw ShownRecoveryKey.unshowable }
        try put(
            """
            Recovery key of the keychain \(keychain)
            made on \(date)

            These fourteen words open the keychain if its device key is lost:
            `llavero recovery use`. Whoever has them and a copy of the keychain can read
            everything in it, so keep this page where nobody else comes.


            """)
        try unsafe text.withUnsafeBytes { (text) throws(CommandError) in
            var rest = unsafe text[...]
            var number = 1
            while unsafe !rest.isEmpty {
                let word = unsafe rest.prefix { $0 != UInt8(ascii: " ") }
                try put("    \(number < 10 ? " " : "")\(number)  ")
                try unsafe sink(UnsafeRawBufferPointer(rebasing: word))
                try put("\n")
                unsafe rest = rest.dropFirst(word.count + 1)
                number += 1
            }
        }
        try put("\n")
        try unsafe symbol.forEachLine { (line) throws(CommandError) in
            try put(isColoured ? "    \u{1B}[30;107m" : "    ")
            try unsafe sink(line)
            try put(isColoured ? "\u{1B}[0m\n" : "\n")
        }
        try put("\nThe code holds the same words; `llavero recovery check` says whether they\nare right.\n")
    }
}
