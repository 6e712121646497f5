// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainModel

/// Passcodes that are not typed: from a descriptor, or from what the service manager hands a service.
package enum PasscodeSource {
    /// Everything that can be read from a descriptor, without one line feed at its end; the descriptor stays open.
    package static func read(from descriptor: Int32) throws(KeychainError) -> Passcode {
        var count = 0
        let buffer = try unsafe SecretBytes(count: Passcode.longest + 2) { (buffer) throws(KeychainError) in
            while count < buffer.count {
                let got = unsafe Glibc.read(
                    descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else {
                    throw KeychainError(
                        .inputOutput, "the passcode cannot be read from the descriptor", code: Int64(errno))
                }
                if got == 0 { break }
                count += got
            }
        }
        let passcode = unsafe buffer.withUnsafeBytes { bytes -> Passcode? in
            var end = count
            if end > 0, unsafe bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            return unsafe Passcode(copying: UnsafeRawBufferPointer(rebasing: bytes[0..<end]))
        }
        guard let passcode else {
            throw KeychainError(.parameter, "a passcode must have between 1 and 1000 bytes")
        }
        return passcode
    }

    /// The systemd credential of a name (`LoadCredential=` and its kin), from the folder the service manager names.
    package static func credential(named name: String) throws(KeychainError) -> Passcode {
        guard let folder = Environment.current()["CREDENTIALS_DIRECTORY"], folder.begins(with: "/") else {
            throw KeychainError(
                .notAvailable,
                "the service manager passed no credentials to this program; set LoadCredential= in its unit",
                subject: "CREDENTIALS_DIRECTORY")
        }
        guard !name.isEmpty, !name.unicodeScalars.contains("/"), name != ".", name != ".." else {
            throw KeychainError(.parameter, "the name of a credential must be a file name")
        }
        let file = unsafe open(folder + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == EACCES {
                throw KeychainError(
                    .notAvailable, "the credential cannot be read by this program's user", subject: name,
                    code: Int64(EACCES))
            }
            throw KeychainError(
                .notAvailable,
                "the service manager did not pass this credential to the program; set LoadCredential= in its unit",
                subject: name, code: Int64(errno))
        }
        defer { close(file) }
        return try read(from: file)
    }
}
