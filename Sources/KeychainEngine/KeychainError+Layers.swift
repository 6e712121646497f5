// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
package import KeychainCrypto
package import KeychainKeys
package import KeychainModel
package import KeychainSQLite
package import KeychainStore

/// The one place where the layers' errors become reasons. No switch here has a default: a new case must be decided.
extension KeychainError {
    package init(_ error: StoreError) {
        switch error {
        case .notFound: self.init(.itemNotFound, "no item matches the query in the program's access groups")
        case .mayBeInKeptLog:
            self.init(
                .inputOutput,
                "changes were lost with a damaged log, and what was asked for may be among them: see `llavero check`; `llavero repair` brings them back",
                subject: "keychain.db-wal")
        case .duplicate: self.init(.duplicateItem, "an item with the same unique attributes exists; update it instead")
        case .keybagChanged: self.init(.notAvailable, "the keychain's keys changed during the operation; try again")
        case .locked(let accessibility):
            self.init(
                .interactionNotAllowed, "the keychain is locked for items of this class; unlock it",
                subject: accessibility.name)
        case .classKeyMissing(let accessibility):
            self.init(
                .notAvailable, "the key of this class is damaged; unlock with the passcode to replace it",
                subject: accessibility.name)
        case .passcodeNeeded:
            self.init(
                .authenticationFailed, "the class requires a passcode, and this keychain has none; set one first",
                subject: "akpu")
        case .keyMayNotLeave:
            self.init(
                .parameter, "the key was stored as not extractable; its bytes cannot be copied or changed",
                subject: "extr")
        case .demands:
            self.init(
                .interactionNotAllowed, "the item requires authentication, and no prompt was possible", subject: "accc")
        case .noPasscodeToDemand:
            self.init(
                .authenticationFailed, "the item would require the passcode, and this keychain has none; set one first",
                subject: "accc")
        case .passcodeWithoutFactor:
            self.init(
                .notAvailable, "the passcode was set by an earlier version; unlock with it once, and try again",
                subject: "accc")
        case .constraintUnavailable:
            self.init(
                .unimplemented,
                "this machine can never satisfy the access control: it requires a watch, or a finger where none is enrolled",
                subject: "accc")
        case .operationForbidden:
            self.init(.authenticationFailed, "the item's access control does not allow this operation", subject: "accc")
        case .notSynchronizable:
            self.init(
                .parameter, "an item with access control flags, or a key of the enclave, cannot be synchronizable",
                subject: "sync")
        case .certificateDisagrees(let attribute):
            self.init(
                .parameter,
                "the attribute comes from the item's certificate and cannot be changed; add the other certificate instead",
                subject: attribute.key)
        case .boundToOtherFingers:
            self.init(
                .itemNotFound,
                "the item requires the fingers that were enrolled when it was stored, and others are enrolled now; replace or delete the item",
                subject: "accc")
        case .answerTooLarge:
            self.init(.parameter, "the result is too large for one message; ask for fewer items at once")
        case .noRoomForAnswer:
            self.init(
                .notAvailable, "the daemon is busy with other large requests and answers; try again in a few seconds")
        case .newerFormat(let forWriting):
            self.init(
                forWriting ? .readOnly : .notAvailable, "the keychain was made by a later version; update this program",
                subject: "keychain.db")
        case .notKeychain:
            self.init(.notAvailable, "the database is not a keychain and was not changed", subject: "keychain.db")
        case .otherOwner: self = .handedOver
        case .inCircle: self.init(.duplicateItem, "the keychain is in a circle already; have it leave that one first")
        case .inNoCircle: self.init(.itemNotFound, "the keychain is in no circle")
        case .tooEarlyForCircle:
            self.init(
                .notAvailable,
                "the keychain is of an earlier format; close the other programs that use it and try again, so that it is brought to today's",
                subject: "keychain.db")
        case .keychainReplaced:
            self.init(
                .notAvailable, "another keychain took the place of the one that was being listed; list the items again")
        case .sealing(let error): self.init(error)
        case .keybag(let error): self.init(error)
        case .sqlite(let error) where error.code.isDamagedPage:
            self.init(
                .inputOutput,
                "a part of the database is damaged, and what was asked for may be there; everything else can still be read: see `llavero check`; `llavero repair` saves what is intact",
                subject: "keychain.db", code: Int64(error.code.rawValue))
        case .sqlite(let error), .unreadable(let error): self.init(error)
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
        case .undecodable: self.init(.undecodable, "an item cannot be read")
        case .unencodable: self.init(.parameter, "a date or number is outside the range that can be stored")
        case .crypto(let error): self.init(error)
        }
    }

    package init(_ refusal: WorkRefusal) {
        switch refusal {
        case .tooMuchWaiting:
            self.init(
                .notAvailable,
                "too many passcode and key operations of this user are waiting; try again in a few seconds")
        case .abandoned: self.init(.notAvailable, "the requesting program ended, so the operation was not performed")
        }
    }

    package init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self.init(.outOfMemory, "there is not enough memory for the cryptography")
        case .randomnessUnavailable: self.init(.internalError, "the system provided no random bytes")
        case .library(let number):
            self.init(.internalError, "OpenSSL reported an error", code: Int64(truncatingIfNeeded: number))
        case .authenticationFailed, .zeroKey, .invalidLength, .invalidParameters, .abandoned:
            self.init(.internalError, "a cryptographic operation failed")
        }
    }

    package init(_ error: SQLiteError) {
        let code = Int64(error.systemError == 0 ? error.code.rawValue : error.systemError)
        if error.isForWantOfRoom {
            self.init(ofFile: error.systemError == EFBIG ? EFBIG : ENOSPC, .notAvailable, "", subject: "keychain.db")
            return
        }
        if error.code.isDamagedPage {
            self.init(
                .notAvailable,
                "the database is damaged and was not changed; `llavero repair` saves what it still holds, or restore a backup of the keychain's folder",
                subject: "keychain.db", code: code)
            return
        }
        switch error.code.primary {
        case .readOnly: self.init(ofFile: EROFS, .readOnly, "", subject: "keychain.db")
        case .constraint: self.init(.duplicateItem, "the database rejected a second row with the same key", code: code)
        case .noMemory: self.init(.outOfMemory, "there is not enough memory for the database", code: code)
        case .io:
            self.init(
                ofFile: error.systemError, .inputOutput, "the disk failed to read or write", subject: "keychain.db",
                code: code)
        case .full: self.init(ofFile: ENOSPC, .notAvailable, "", subject: "keychain.db")
        case .busy:
            self.init(
                .notAvailable, "another process keeps the keychain locked; try again", subject: "keychain.db",
                code: code)
        case .notADatabase:
            self.init(
                .notAvailable,
                "the file is damaged: it is no database any more, and was not changed; `llavero repair` saves what it still holds, or restore a backup of the keychain's folder",
                subject: "keychain.db", code: code)
        case .error:
            self.init(
                .notAvailable,
                "the database has not what a keychain has, and was not changed; `llavero repair` saves what it still holds, or restore a backup of the keychain's folder",
                subject: "keychain.db", code: code)
        default: self.init(.notAvailable, "the database cannot be used", subject: "keychain.db", code: code)
        }
    }

    /// Of a removal on a full disk: what it writes is about three times what the item has.
    static func noRoomForRemoval(_ error: KeychainError) -> KeychainError {
        KeychainError(
            .notAvailable,
            "the disk is full, and the room that the keychain keeps for removing is too little here: free some space on the disk; `llavero remove --forever` needs less of it",
            subject: error.subject, code: error.code)
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
                "the disk is full, so nothing can be stored; items can still be read and deleted: free some space and try again",
                subject: subject, code: code)
        case EFBIG:
            self.init(
                .notAvailable, "the file has reached this program's file size limit (ulimit -f); raise the limit",
                subject: subject, code: code)
        case EROFS:
            self.init(
                .readOnly,
                "nothing can be written: the keychain's folder is read-only for this user (its mode), or is on a read-only file system; one that became so by itself is on a disk that is failing: see dmesg",
                subject: subject, code: code)
        case EIO, ENXIO:
            self.init(
                .inputOutput,
                "the disk failed to read or write; the keychain may be undamaged: see dmesg, and back up the folder",
                subject: subject, code: code)
        default: self.init(reason, cause, subject: subject, code: code)
        }
    }

    package static func pathTooLong(_ path: String) -> KeychainError {
        KeychainError(
            .notAvailable,
            "the keychain's path is too long: SQLite accepts 500 bytes with the names of its files; set LLAVERO_HOME to a shorter path",
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
            ofFile: error.systemError, .notAvailable, "the database cannot be opened; its folder was not changed",
            subject: "keychain.db")
    }

    package init(_ error: KeybagError) {
        switch error {
        case .damaged:
            self.init(
                .notAvailable,
                "the keybag is damaged and was not changed; `llavero repair` takes the copy of it, or restore a backup of the keychain's folder",
                subject: "keychain.db")
        case .newerVersion:
            self.init(
                .notAvailable, "the keybag was made by a later version; update this program",
                subject: "keychain.db")
        case .incomplete:
            self.init(.interactionNotAllowed, "the change requires all keys of the keychain; give the passcode")
        case .otherRecoveryKey:
            self.init(.authenticationFailed, "this is not the keychain's recovery key")
        case .otherEnclave:
            self.init(
                .notAvailable,
                "the keychain was made with another device key, as in a folder that was copied without its own; copy device.key too",
                subject: "device.key")
        case .crypto(let error): self.init(error)
        }
    }

    init(_ error: PromptError) {
        switch error {
        case .cancelled: self.init(.cancelled, "the prompt was cancelled")
        case .timedOut: self.init(.authenticationFailed, "the prompt was not answered in time")
        case .notAvailable(let cause):
            self.init(
                relaying: .interactionNotAllowed,
                "\(cause) (a program can provide the answer with LAContext.setCredential)",
                subject: nil, code: nil, retryAfter: nil)
        case .failed(let cause, let code): self.init(.authenticationFailed, cause, code: Int64(code))
        }
    }

    init(_ error: FingerprintError) {
        switch error {
        case .cancelled: self.init(.cancelled, "the fingerprint request was cancelled")
        case .timedOut: self.init(.authenticationFailed, "no finger was presented in time")
        case .notRecognized: self.init(.authenticationFailed, "the finger is not enrolled")
        case .notAvailable(let cause): self.init(.interactionNotAllowed, cause)
        case .busy: self.init(.interactionNotAllowed, "the fingerprint reader is in use; try again")
        case .untrusted:
            self.init(
                .authenticationFailed, "the process that answers for the fingerprint reader is not the system's service"
            )
        case .failed(let cause, let code): self.init(.authenticationFailed, cause, code: Int64(code))
        }
    }

    static let handedOver = KeychainError(
        .handedOver,
        "a daemon serves this keychain, and this program cannot reach it; start llaverod again (`llavero unlock` does), or take the keychain back with llaverod --give-back",
        subject: "keychain.db")
}

/// An error of a layer below, which means the same wherever it comes from.
package protocol LayerError: Error {
    var meaning: KeychainError { get }
}

extension StoreError: LayerError { package var meaning: KeychainError { KeychainError(self) } }
extension SQLiteError: LayerError { package var meaning: KeychainError { KeychainError(self) } }
extension CryptoError: LayerError { package var meaning: KeychainError { KeychainError(self) } }
extension KeybagError: LayerError { package var meaning: KeychainError { KeychainError(self) } }
extension KeyError: LayerError { package var meaning: KeychainError { KeychainError(self) } }

/// Runs what throws a layer's error, and throws what it means.
package func translating<Result: ~Copyable, Failure: LayerError>(
    _ body: () throws(Failure) -> Result
) throws(KeychainError) -> Result {
    do throws(Failure) { return try body() } catch { throw error.meaning }
}
