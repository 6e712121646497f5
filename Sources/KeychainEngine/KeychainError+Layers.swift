// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
package import KeychainCrypto
internal import KeychainEnclave
internal import KeychainKeys
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
        case .classKeyMissing(let accessibility):
            self.init(
                .notAvailable, "the key of this class is damaged; unlock with the passcode to give it a new one",
                subject: accessibility.name)
        case .passcodeNeeded:
            self.init(
                .authenticationFailed, "the class needs a passcode, and this keychain has none", subject: "akpu")
        case .keyMayNotLeave:
            self.init(
                .parameter, "the key was stored as one whose bytes never leave; it cannot be copied or made another",
                subject: "extr")
        case .demands:
            self.init(.interactionNotAllowed, "an item demands somebody, and nobody was asked", subject: "accc")
        case .noPasscodeToDemand:
            self.init(
                .authenticationFailed, "the item would demand the passcode, and this keychain has none; set one first",
                subject: "accc")
        case .passcodeWithoutFactor:
            self.init(
                .notAvailable, "the passcode was set with earlier software; unlock with it once, and try again",
                subject: "accc")
        case .constraintUnavailable:
            self.init(
                .unimplemented,
                "nobody here could ever meet the access control: a watch, or a finger where none is enrolled",
                subject: "accc")
        case .operationForbidden:
            self.init(.authenticationFailed, "the access control does not allow this at all", subject: "accc")
        case .notSynchronizable:
            self.init(
                .parameter, "an item with access control flags, or a key of the enclave, cannot be synchronizable",
                subject: "sync")
        case .certificateDisagrees(let attribute):
            self.init(
                .parameter, "the item's certificate says otherwise of itself; add the other certificate instead",
                subject: attribute.key)
        case .boundToOtherFingers:
            self.init(
                .itemNotFound,
                "the item is for the fingers that were enrolled when it was stored; others are enrolled now, and it can be replaced by an Add or removed",
                subject: "accc")
        case .answerTooLarge:
            self.init(.parameter, "what it asks for is too large for one message; ask for less at once")
        case .noRoomForAnswer:
            self.init(
                .notAvailable, "the daemon is busy with other large requests and answers; try again in a few seconds")
        case .sealing(let error): self.init(error)
        case .keybag(let error): self.init(error)
        case .sqlite(let error): self.init(error)
        }
    }

    private init(_ error: SealingError) {
        switch error {
        case .classUnavailable(let accessibility):
            self.init(
                .interactionNotAllowed, "the keychain is locked for items of this class; unlock it",
                subject: accessibility.name)
        case .noPasscode: self.init(StoreError.passcodeNeeded)
        case .classKeyMissing(let accessibility): self.init(StoreError.classKeyMissing(accessibility))
        case .unknownVersion:
            self.init(.notAvailable, "an item was written by later software; update this program")
        case .undecodable: self.init(.undecodable, "an item cannot be read")
        case .unencodable: self.init(.parameter, "a date or number is outside of what can be stored")
        case .crypto(let error): self.init(error)
        }
    }

    package init(_ refusal: WorkRefusal) {
        switch refusal {
        case .tooMuchWaiting:
            self.init(
                .notAvailable,
                "as many of this user's passcodes and keys wait for a processor as may; try again in a few seconds")
        case .abandoned: self.init(.notAvailable, "the program that asked is gone, so it was not done")
        }
    }

    package init(_ error: CryptoError) {
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
        let code = Int64(error.systemError == 0 ? error.code.rawValue : error.systemError)
        if error.isForWantOfRoom {
            self.init(ofFile: error.systemError == EFBIG ? EFBIG : ENOSPC, .notAvailable, "", subject: "keychain.db")
            return
        }
        switch error.code.primary {
        case .readOnly: self.init(ofFile: EROFS, .readOnly, "", subject: "keychain.db")
        case .constraint: self.init(.duplicateItem, "the database refused a second row of one key", code: code)
        case .noMemory: self.init(.outOfMemory, "there is not enough memory for the database", code: code)
        case .io:
            self.init(
                ofFile: error.systemError, .inputOutput, "the disk failed to read or write", subject: "keychain.db",
                code: code)
        case .full: self.init(ofFile: ENOSPC, .notAvailable, "", subject: "keychain.db")
        case .busy:
            self.init(.notAvailable, "another process keeps the keychain busy", subject: "keychain.db", code: code)
        case .corrupt, .notADatabase:
            self.init(
                .notAvailable,
                "the database is damaged; it was left as it is, and nothing mends it but a backup of the keychain's folder, or `llavero import` of an export into another keychain",
                subject: "keychain.db", code: code)
        default: self.init(.notAvailable, "the database cannot be used", subject: "keychain.db", code: code)
        }
    }

    /// What an errno says of a file, and what to do about it; `cause` where it says nothing of its own.
    package init(
        ofFile number: Int32, _ reason: Reason, _ cause: StaticString, subject: String?, code: Int64? = nil
    ) {
        let code = code ?? Int64(number)
        switch number {
        case ENOSPC, EDQUOT:
            self.init(
                .notAvailable,
                "the disk is full: items can be read and removed, and nothing can be stored; make some room and try again",
                subject: subject, code: code)
        case EFBIG:
            self.init(
                .notAvailable, "the file may not grow any more: this program was started with a limit (ulimit -f)",
                subject: subject, code: code)
        case EROFS:
            self.init(
                .readOnly,
                "the keychain is on a file system that cannot be written; one that turned read-only by itself has a failing disk: see dmesg",
                subject: subject, code: code)
        case EIO, ENXIO:
            self.init(
                .inputOutput,
                "the disk failed to read or write; this need not be damage of the keychain: see dmesg, and save the folder",
                subject: subject, code: code)
        default: self.init(reason, cause, subject: subject, code: code)
        }
    }

    package static func pathTooLong(_ path: String) -> KeychainError {
        KeychainError(
            .notAvailable,
            "the keychain's path is longer than SQLite takes, 500 bytes with the names of its files; name a shorter folder with LLAVERO_HOME",
            subject: path)
    }

    /// An error while opening: what is missing in a folder that exists is unreadable, never new.
    init(opening error: SQLiteError) {
        guard error.code.primary == .cannotOpen else {
            self.init(error)
            return
        }
        if error.systemError == ENAMETOOLONG {
            self = .pathTooLong("keychain.db")
            return
        }
        self.init(
            ofFile: error.systemError, .notAvailable, "the database cannot be opened; its folder was left as it is",
            subject: "keychain.db")
    }

    init(_ refusal: KeychainRow.Refusal, forWriting: Bool) {
        switch refusal {
        case .sqlite(let error): self.init(error)
        case .newerFormat:
            self.init(
                forWriting ? .readOnly : .notAvailable, "the keychain was made for later software; update this program",
                subject: "keychain.db")
        case .otherOwner: self = .handedOver
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
        case .incomplete:
            self.init(.interactionNotAllowed, "this change needs all keys of the keychain; give the passcode")
        case .otherRecoveryKey:
            self.init(.authenticationFailed, "this is not the keychain's recovery key")
        case .otherEnclave:
            self.init(
                .notAvailable, "the keychain was made with another device key; a copied folder looks like this",
                subject: "device.key")
        case .crypto(let error): self.init(error)
        }
    }

    init(_ error: PromptError) {
        switch error {
        case .cancelled: self.init(.cancelled, "the person refused, or the request was taken back")
        case .timedOut: self.init(.authenticationFailed, "nobody answered in time")
        case .notAvailable(let cause):
            self.init(
                relaying: .interactionNotAllowed,
                "\(cause) (a program can give it beforehand: LAContext.setCredential)",
                subject: nil, code: nil, retryAfter: nil)
        case .failed(let cause, let code): self.init(.authenticationFailed, cause, code: Int64(code))
        }
    }

    init(_ error: FingerprintError) {
        switch error {
        case .cancelled: self.init(.cancelled, "the request for a finger was taken back")
        case .timedOut: self.init(.authenticationFailed, "no finger was shown in time")
        case .notRecognized: self.init(.authenticationFailed, "the finger is not one of the enrolled ones")
        case .notAvailable(let cause): self.init(.interactionNotAllowed, cause)
        case .busy: self.init(.interactionNotAllowed, "somebody else uses the fingerprint reader now")
        case .untrusted:
            self.init(.authenticationFailed, "whoever answers for the fingerprint reader is not the system's service")
        case .failed(let cause, let code): self.init(.authenticationFailed, cause, code: Int64(code))
        }
    }

    static let handedOver = KeychainError(
        .handedOver,
        "a daemon has this keychain, and this program cannot reach it; start llaverod again, as `llavero unlock` does, or take it back with llaverod --give-back",
        subject: "keychain.db")
}

/// An error of a layer below, which means the same wherever it comes from.
protocol LayerError: Error {
    var meaning: KeychainError { get }
}

extension StoreError: LayerError { var meaning: KeychainError { KeychainError(self) } }
extension SQLiteError: LayerError { var meaning: KeychainError { KeychainError(self) } }
extension CryptoError: LayerError { var meaning: KeychainError { KeychainError(self) } }
extension KeybagError: LayerError { var meaning: KeychainError { KeychainError(self) } }
extension KeyError: LayerError { var meaning: KeychainError { KeychainError(self) } }

/// Runs what throws a layer's error, and throws what it means.
func translating<Result: ~Copyable, Failure: LayerError>(
    _ body: () throws(Failure) -> Result
) throws(KeychainError) -> Result {
    do throws(Failure) { return try body() } catch { throw error.meaning }
}
