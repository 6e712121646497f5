// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import Glibc
    package import KeychainCrypto
    package import KeychainModel
    internal import KeychainSystem

    /// An enclave in a TPM 2.0: what a copied disk lacks, and what counts wrong passcodes.
    ///
    /// Its file says what is where in the TPM, and keeps what the TPM has encrypted for itself. A program that may use the TPM
    /// and reads the file has the device root, as this program has; on another machine it is useless.
    package struct TPMEnclave: Enclave {
        let file: DeviceFile
        let place: ChipPlace

        package var kind: EnclaveKind { .tpm }

        /// The file of tpm2-tss, which has no function that says its version; in words where there is none.
        package static var library: String {
            guard let name = unsafe llv_tss2_file() else { return "not installed" }
            guard let path = unsafe realpath(name, nil) else { return unsafe String(cString: name) }
            defer { unsafe free(path) }
            return unsafe String(cString: path)
        }

        /// The enclave of a keychain whose file lies at `path`, which is absolute.
        ///
        /// `connection` is "device:/dev/tpmrm0", or "swtpm:path=" and the path of a socket. The TPM has `timeout`
        /// milliseconds for each answer.
        package init(path: String, connection: String, timeout: Int32 = 60_000) {
            file = DeviceFile(path: path)
            place = ChipPlace(connection: connection, timeout: timeout)
        }

        /// Makes the root of a new keychain, and the file, which must not exist yet and is on the disk in the end.
        package func create(
            for keychain: KeychainUUID, _ turn: borrowing OwnerLock
        ) throws(EnclaveError) -> DeviceRoot {
            try place.turn.withLock { _ throws(EnclaveError) in
                guard try !file.exists() else { throw .unreadable(EEXIST) }
                let key = try SecretBytes.random32()
                let authorization = try ChipAuthorization(of: keychain)
                let record = try Chip.visit(place) { chip throws(EnclaveError) in
                    try EnclaveError.translating { () throws(Refusal) in
                        let (storageKey, root) = try chip.sealRoot(key, for: authorization)
                        return DeviceRecord(
                            keychain: keychain, storageKeyPlace: storageKey.place, storageKeyName: storageKey.name,
                            endorsementKeyName: try chip.endorsementKeyName() ?? [], root: root)
                    }
                }
                try file.write(record)
                return try DeviceRoot(ofTPM: key)
            }
        }

        package func deviceRoot() throws(EnclaveError) -> DeviceRoot {
            try visit { visit throws(EnclaveError) in
                let (chip, storageKey) = (visit.chip, visit.storageKey)
                let authorization = try ChipAuthorization(of: visit.record.keychain)
                let key: SecretBytes
                do throws(Refusal) {
                    let root = try chip.load(visit.record.root, like: .sealedForValue, under: storageKey).handle
                    try chip.setAuthorization(authorization, of: root)
                    key = try chip.unseal(root, in: chip.startSession(.authorization, under: storageKey))
                } catch {
                    // The storage key is the right one, so it is the file.
                    throw error.isAboutContent || error.isWrongAuthorization ? .damaged : EnclaveError(error)
                }
                return try DeviceRoot(ofTPM: key)
            }
        }

        package func isWhole() throws(EnclaveError) -> Bool { try !file.read().isHalfDamaged }

        package func mend(_ turn: borrowing OwnerLock) throws(EnclaveError) {
            let content = try file.read()
            if content.isHalfDamaged { try file.write(content.record) }
        }
    }

    extension TPMEnclave {
        package func description() -> EnclaveDescription {
            var summary = "TPM 2.0: the device key and private keys need this chip, which counts wrong passcodes."
            var warnings: [String] = []
            do throws(EnclaveError) {
                let content = try file.read()
                if content.isHalfDamaged { warnings.append("One of the two copies in the enclave's file is damaged.") }
                let chip = try visit { visit throws(EnclaveError) in
                    try EnclaveError.translating { () throws(Refusal) in try ChipProperties(of: visit.chip) }
                }
                summary += " \(chip.name)."
                if content.record.storageKeyPlace == 0 {
                    warnings.append("The TPM could not store its storage key, and creates it again for each use.")
                }
                warnings += chip.warnings
            } catch { warnings.append("The TPM cannot be used now: \(error).") }
            return EnclaveDescription(kind: kind, summary: summary, warnings: warnings)
        }

        /// Runs `body` when it is the right TPM; no other thread of this process visits it meanwhile.
        func visit<Result: ~Copyable>(
            _ body: (EnclaveVisit) throws(EnclaveError) -> sending Result
        ) throws(EnclaveError) -> sending Result {
            try place.turn.withLock { _ throws(EnclaveError) in
                let record = try file.read().record
                return try Chip.visit(place) { chip throws(EnclaveError) in
                    let storageKey = try chip.storageKey(of: record)
                    return try body(EnclaveVisit(chip: chip, storageKey: storageKey, record: record))
                }
            }
        }
    }

    /// A visit to the TPM that a keychain was made with, and what the keychain's file says.
    struct EnclaveVisit {
        let chip: Chip
        let storageKey: StorageKey
        let record: DeviceRecord
    }

    extension Chip {
        /// The storage key that the record names; else says what became of it.
        fileprivate func storageKey(of record: DeviceRecord) throws(EnclaveError) -> StorageKey {
            let failure: EnclaveError
            do throws(Refusal) {
                if let key = try storageKey(named: record.storageKeyName, at: record.storageKeyPlace) { return key }
                failure = .wasReset
            } catch {
                guard error.isFromChip else { throw EnclaveError(error) }
                failure = EnclaveError(error)
            }
            // Slow on a real chip, and asked only when something is amiss.
            let name = try EnclaveError.translating { () throws(Refusal) in try endorsementKeyName() }
            // Without a name to compare, that it was cleared would be a guess, and one that makes people give up.
            guard let name, name == record.endorsementKeyName else { throw .otherDevice }
            throw failure
        }

        /// Seals a new root, under the shared storage key if that can be used.
        func sealRoot(
            _ root: borrowing SecretBytes, for authorization: borrowing ChipAuthorization
        ) throws(Refusal) -> (StorageKey, KeptObject) {
            let shared = try sharedStorageKey()
            do throws(Refusal) {
                let session = try startSession(.authorization, under: shared)
                return (shared, try seal(root, .sealedForValue, for: authorization, under: shared, in: session))
            } catch {
                // It has a password, which its public area does not tell.
                guard error.isWrongAuthorization else { throw error }
            }
            let own = try ownStorageKey()
            let session = try startSession(.authorization, under: own)
            return (own, try seal(root, .sealedForValue, for: authorization, under: own, in: session))
        }

        func seal(
            _ secret: borrowing SecretBytes, _ template: TPM2B_PUBLIC, for authorization: borrowing ChipAuthorization,
            under key: StorageKey, in session: ChipSession
        ) throws(Refusal) -> KeptObject {
            try unsafe secret.withUnsafeBytes { (secret) throws(Refusal) in
                try unsafe make(template, sealing: secret, for: authorization, under: key, in: session)
            }
        }
    }

    extension DeviceRoot {
        /// A root that a TPM keeps; its binding is derived from the key, so that another is noticed before it is used.
        init(ofTPM key: consuming SecretBytes) throws(EnclaveError) {
            let binding: [UInt8]
            do throws(CryptoError) {
                binding = try unsafe key.withUnsafeBytes { (root) throws(CryptoError) in
                    try unsafe [UInt8](count: 16) { (buffer) throws(CryptoError) in
                        try unsafe KeyDerivation.hkdf(
                            secret: root, salt: [], info: Array("llavero tpm enclave".utf8), into: buffer)
                    }
                }
            } catch { throw .damaged }
            self.init(key: key, binding: binding)
        }
    }

    extension SecretBytes {
        static func random32() throws(EnclaveError) -> SecretBytes {
            try EnclaveError.besideTPM { () throws(CryptoError) in
                try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
            }
        }
    }

    extension GateID {
        static func random() throws(EnclaveError) -> GateID {
            guard let id = GateID(try randomBytes(16)) else { throw .failed(Int64(EIO)) }
            return id
        }
    }

    extension GateIndex {
        /// One of the four million numbers that are for owners of TPMs.
        static func randomNumber() throws(EnclaveError) -> UInt32 {
            let random = try randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) }
            return 0x0180_0000 + random & 0x3f_ffff
        }
    }

    /// What a TPM tells every program of itself.
    private struct ChipProperties {
        let name: String
        let warnings: [String]

        init(of chip: Chip) throws(Refusal) {
            let fixed = try chip.properties(from: llv_property_manufacturer)
            let maker = String(
                decoding: (0..<4).map { byte in
                    UInt8(truncatingIfNeeded: (fixed[llv_property_manufacturer] ?? 0) >> UInt32(24 - 8 * byte))
                }.filter { (0x21...0x7e).contains($0) }, as: UTF8.self)
            let firmware = fixed[llv_property_firmware_1] ?? 0
            name = "Made by \(maker), firmware \(firmware >> 16).\(firmware & 0xffff)"
            let flags = try chip.properties(from: llv_property_permanent)[llv_property_permanent] ?? 0
            var warnings: [String] = []
            if flags & llv_permanent_owner_auth_set == 0 {
                warnings.append(
                    "The TPM's owner has no password: a user of the TPM can reset its count of wrong passcodes.")
            }
            if flags & llv_permanent_lockout_auth_set == 0 {
                warnings.append(
                    "The TPM's lockout has no password: a user of the TPM can clear it, and so destroy every key.")
            }
            if flags & llv_permanent_in_lockout != 0 {
                warnings.append(
                    "Failures of other programs have locked the TPM out; this enclave does not depend on that lockout.")
            }
            self.warnings = warnings
        }
    }

    private func randomBytes(_ count: Int) throws(EnclaveError) -> [UInt8] {
        try EnclaveError.besideTPM { () throws(CryptoError) in
            try unsafe [UInt8](count: count) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        }
    }
#endif
