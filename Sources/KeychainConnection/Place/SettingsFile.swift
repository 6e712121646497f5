// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest

/// The file beside a keychain that says when it locks by itself: `lock-with-session yes` or `no`, and `timeout SECONDS`.
struct SettingsFile {
    private let path: String

    init(_ path: String) { self.path = path }

    func read() throws(KeychainError) -> KeychainSettings {
        guard try FileStatus(reaching: path) != nil else { return .usual }
        guard let bytes = FolderCheck.content(of: path), let settings = SettingsFile.settings(in: bytes) else {
            throw KeychainError(
                .undecodable, "the file of settings is not as it is written; write it again", subject: path)
        }
        return settings
    }

    func write(_ settings: KeychainSettings) throws(KeychainError) {
        var text = "lock-with-session \(settings.locksWithSession ? "yes" : "no")\n"
        if let timeout = settings.timeout { text += "timeout \(timeout)\n" }
        let bytes = Array(text.utf8)
        let failure = unsafe llv_replace_file(path, bytes, bytes.count)
        guard failure == 0 else {
            throw KeychainError(ofFile: failure, .inputOutput, "the settings cannot be written", subject: path)
        }
    }

    private static func settings(in bytes: [UInt8]) -> KeychainSettings? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var locks: Bool?
        var timeout: UInt32?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2 else { return nil }
            switch (words[0], words[1]) {
            case ("lock-with-session", "yes") where locks == nil: locks = true
            case ("lock-with-session", "no") where locks == nil: locks = false
            case ("timeout", let seconds) where timeout == nil:
                guard let seconds = UInt32(seconds), seconds > 0 else { return nil }
                timeout = seconds
            default: return nil
            }
        }
        guard let locks else { return nil }
        return KeychainSettings(locksWithSession: locks, timeout: timeout)
    }
}
