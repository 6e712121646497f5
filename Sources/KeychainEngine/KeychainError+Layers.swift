// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainEnclave
package import KeychainModel
package import KeychainSQLite
package import KeychainStore

/// The one place where the layers' errors become reasons. No switch here has a default: a new case must be decided.
extension KeychainError {
    package init(_ error: StoreError) {
        switch error {
        case .notFound: self.init(.itemNotFound, "no item matches the query in the program's access groups")
        case .duplicate: self.init(.duplicateItem, "an item with the same unique attributes exists; update it instead")
        case .keybagChanged: self.init(.notAvailable, "the keychain's keys changed under the operation; try again")
        case .locked(let accessibility):
            self.init(
                .interactionNotAllowed, "the keychain is locked for items of this class; unlock it",
                subject: accessibility.name)
        case .passcodeNeeded:
            self.init(
                .authenticationFailed, "the class needs a passcode, and this keychain has none", subject: "akpu")
        case .identitiesUnavailable:
            self.init(.unimplemented, "identities are not available in this version", subject: "class")
        case .constraintUnavailable:
            self.init(
                .unimplemented, "access control flags that demand a person or a password are not available yet",
                subject: "accc")
        case .synchronizableThisDeviceOnly:
            self.init(.parameter, "a synchronizable item cannot be ThisDeviceOnly", subject: "sync")
        case .sealing(let error): self.init(error)
        case .sqlite(let error): self.init(error)
        }
    }

    private init(_ error: SealingError) {
        switch error {
        case .classUnavailable(let accessibility):
            self.init(
                .interactionNotAllowed, "the keychain is locked for items of this class; unlock it",
                subject: accessibility.name)
        case .unknownVersion:
            self.init(.notAvailable, "an item was written by later software; update this program")
        case .undecodable: self.init(.undecodable, "an item cannot be read")
        case .unencodable: self.init(.parameter, "a date or number is outside of what can be stored")
        case .crypto(let error): self.init(error)
        }
    }

    private init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self.init(.outOfMemory, "there is not enough memory for the cryptography")
        case .randomnessUnavailable: self.init(.internalError, "the system gave no randomness")
        case .library(let number):
            self.init(.internalError, "OpenSSL refused", code: Int64(truncatingIfNeeded: number))
        case .authenticationFailed, .zeroKey, .invalidLength, .invalidParameters, .abandoned:
            self.init(.internalError, "a cryptographic operation was refused")
        }
    }

    package init(_ error: SQLiteError) {
        let code = Int64(error.code.rawValue)
        switch error.code.primary {
        case .readOnly: self.init(.readOnly, "the keychain is on a file system that cannot be written", code: code)
        case .constraint: self.init(.duplicateItem, "the database refused a second row of one key", code: code)
        case .noMemory: self.init(.outOfMemory, "there is not enough memory for the database", code: code)
        case .io: self.init(.inputOutput, "the disk failed to read or write", subject: "keychain.db", code: code)
        case .full: self.init(.notAvailable, "the disk is full", subject: "keychain.db", code: code)
        case .busy:
            self.init(.notAvailable, "another process keeps the keychain busy", subject: "keychain.db", code: code)
        case .corrupt, .notADatabase:
            self.init(
                .notAvailable, "the database is damaged; it was left as it is, and can be checked and repaired",
                subject: "keychain.db", code: code)
        default: self.init(.notAvailable, "the database cannot be used", subject: "keychain.db", code: code)
        }
    }

    /// An error while opening: what is missing in a folder that exists is unreadable, never new.
    init(opening error: SQLiteError) {
        guard error.code.primary == .cannotOpen else {
            self.init(error)
            return
        }
        self.init(
            .notAvailable, "the database cannot be opened; its folder was left as it is", subject: "keychain.db",
            code: Int64(error.systemError))
    }

    init(_ refusal: KeychainRow.Refusal, forWriting: Bool) {
        switch refusal {
        case .sqlite(let error): self.init(error)
        case .newerFormat:
            self.init(
                forWriting ? .readOnly : .notAvailable, "the keychain was made for later software; update this program",
                subject: "keychain.db")
        case .damaged:
            self.init(.notAvailable, "the database is not a keychain; it was left as it is", subject: "keychain.db")
        }
    }

    package init(_ error: KeybagError) {
        switch error {
        case .damaged:
            self.init(.notAvailable, "the keybag is damaged; it was left as it is", subject: "keychain.db")
        case .newerVersion:
            self.init(
                .notAvailable, "the keybag was made by later software; update this program",
                subject: "keychain.db")
        case .otherEnclave:
            self.init(
                .notAvailable, "the keychain was made with another device key; a copied folder looks like this",
                subject: "device.key")
        case .enclave(let error): self.init(error)
        case .crypto(let error): self.init(error)
        }
    }

    package init(_ error: EnclaveError) {
        switch error {
        case .missing:
            self.init(
                .notAvailable, "the device key is not there; without it the keychain cannot be opened",
                subject: "device.key")
        case .unreadable(let number):
            self.init(.notAvailable, "the device key cannot be read", subject: "device.key", code: Int64(number))
        case .damaged:
            self.init(.notAvailable, "both copies of the device key are damaged", subject: "device.key")
        case .exposed:
            self.init(
                .notAvailable, "others can read or replace the device key; set its mode to 0600 and own it",
                subject: "device.key")
        case .failed(let number): self.init(.notAvailable, "the enclave failed", code: number)
        }
    }
}
