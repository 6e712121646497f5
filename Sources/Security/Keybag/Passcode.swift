// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
public import LlaveroFoundation

extension Llavero {
    /// A passcode on its way to the keychain; kept in locked memory, wiped with its last copy.
    public struct Passcode: Sendable, CustomStringConvertible {
        let passcode: KeychainModel.Passcode

        /// A passcode of these characters, between 1 and 1000 bytes of UTF-8.
        ///
        /// The string itself stays the program's, and cannot be wiped.
        public init(_ text: String) throws {
            try self.init(
                unsafe KeychainModel.Passcode(count: text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) })
        }

        /// A passcode of these bytes, between 1 and 1000.
        public init(_ bytes: Data) throws {
            try self.init(unsafe bytes.withUnsafeBytes { unsafe KeychainModel.Passcode(copying: $0) })
        }

        /// Reads a passcode to the end of a descriptor, which stays open; one line feed at the end does not count.
        public init(fileDescriptor: Int32) throws {
            passcode = try LlaveroError.translating { () throws(KeychainError) in
                try PasscodeSource.read(from: fileDescriptor)
            }
        }

        /// Reads the systemd credential of a name, from `$CREDENTIALS_DIRECTORY`.
        public init(credential name: String) throws {
            passcode = try LlaveroError.translating { () throws(KeychainError) in
                try PasscodeSource.credential(named: name)
            }
        }

        private init(_ passcode: KeychainModel.Passcode?) throws {
            guard let passcode else {
                throw LlaveroError(KeychainError(.parameter, "a passcode must have between 1 and 1000 bytes"))
            }
            self.passcode = passcode
        }

        /// Says nothing of the passcode.
        public var description: String { "Passcode(redacted)" }
    }
}
