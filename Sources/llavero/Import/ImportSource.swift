// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// The store that is taken over, and why it cannot be.
enum ImportSource {
    static func report(
        _ path: String, _ given: ImportFormat?, _ descriptor: Int32?, _ options: ImportOptions
    ) throws(CommandError) -> ImportReport {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { throw OpenFile.failure("\(PlainText.shown(path)) cannot be read") }
        if facts.st_mode & S_IFMT == S_IFDIR {
            guard given?.isFolder ?? true else { throw .failure("\(PlainText.shown(path)) is a folder") }
            // Or any folder would be a store of which nothing could be read.
            guard unsafe given != nil || access("\(path)/.gpg-id", F_OK) == 0 else {
                throw .failure(
                    "\(PlainText.shown(path)) is a folder, and not that of pass: .gpg-id is missing; --format pass reads it all the same"
                )
            }
            return try saying(path) { () throws(ImportError) in
                try PassFolder(path: path, environment: environment).read(options)
            }
        }
        guard given?.isFolder != true else { throw .failure("\(PlainText.shown(path)) is no folder, as pass has one") }
        let file = try saying(path) { () throws(ImportError) in try ImportFile(path: path) }
        guard let format = given ?? file.detectedFormat else {
            throw .failure("\(PlainText.shown(path)) does not show what it is; --format says so: \(formats)")
        }
        let password: Passcode? =
            format == .gnomeKeyring && file.isSealed
            ? try PasscodeInput.passcode(descriptor, "The password of the keyring \(PlainText.shown(path)).") : nil
        return try saying(path) { () throws(ImportError) in try file.read(as: format, password: password, options) }
    }

    /// Those that `--format` knows.
    static var formats: String { ImportFormat.allCases.map(\.name).joined(separator: ", ") }

    private static func saying<Result>(
        _ path: String, _ body: () throws(ImportError) -> Result
    ) throws(CommandError) -> Result {
        do throws(ImportError) { return try body() } catch {
            throw .failure("\(PlainText.shown(path)): \(words(for: error))")
        }
    }

    private static func words(for error: ImportError) -> String {
        switch error {
        case .unreadable(let code): unsafe String(cString: strerror(code))
        case .notAFile: "it is no file"
        case .notThisFormat: "it is of another format"
        case .unknownVersion: "it is of a version, or sealed in a way, that is not known here"
        case .tooLarge: "it is larger than a store of passwords can be"
        case .tooDeep: "folders or groups in it lie deeper in one another than is read here"
        case .passwordNeeded: "it is sealed with a password"
        case .wrongPassword: "the password is wrong, or the file is damaged"
        case .damaged: "it is damaged"
        case .noGPG: "there is no gpg, which decrypts it (sudo apt install gnupg)"
        case .gpgHangs: "gpg did not answer in time"
        case .crypto: "it cannot be decrypted"
        }
    }

    /// This process's, for gpg, which finds its keys, its agent and its terminal by it.
    private static var environment: [String] {
        var variables: [String] = []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            unsafe variables.append(String(cString: entry))
            unsafe place += 1
        }
        return variables
    }
}
