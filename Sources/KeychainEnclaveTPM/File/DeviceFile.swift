// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CLinux
    internal import Glibc
    internal import KeychainCrypto
    internal import KeychainEnclave

    /// The file of a TPM's enclave: its record, twice.
    struct DeviceFile: Sendable {
        let path: String

        struct Content: Sendable {
            let record: DeviceRecord
            /// Whether one of the two copies is damaged.
            let isHalfDamaged: Bool
        }

        func read() throws(EnclaveError) -> Content {
            let bytes = try readBytes()
            guard let payload = try? TwinRecord.decode(bytes, magic: DeviceFile.magic) else {
                throw .damaged
            }
            return Content(record: try DeviceRecord(decoding: payload.bytes), isHalfDamaged: payload.isHalfDamaged)
        }

        /// Puts the record on the disk, in place of the one before.
        func write(_ record: DeviceRecord) throws(EnclaveError) {
            let payload = try record.encoded()
            let bytes: [UInt8]
            do throws(KeybagError) { bytes = try TwinRecord.encode(payload, magic: DeviceFile.magic) } catch {
                throw .failed(Int64(EIO))
            }
            let failure = unsafe bytes.lendingBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe llv_replace_file(path, $0, bytes.count) } ?? EINVAL
            }
            guard failure == 0 else { throw .unreadable(failure) }
        }

        /// Whether there is anything of that name.
        func exists() throws(EnclaveError) -> Bool {
            var status = llv_file_status()
            switch unsafe llv_read_file_status(path, &status) {
            case 0: return true
            case ENOENT: return false
            case let failure: throw .unreadable(failure)
            }
        }

        private func readBytes() throws(EnclaveError) -> [UInt8] {
            let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0 else { throw errno == ENOENT ? .missing : .unreadable(errno) }
            defer { close(file) }
            var status = stat()
            guard unsafe fstat(file, &status) == 0 else { throw .unreadable(errno) }
            guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
                status.st_uid == geteuid() || status.st_uid == 0
            else { throw .exposed }
            guard status.st_size > 0, status.st_size <= DeviceFile.largest else { throw .damaged }
            return try unsafe [UInt8](count: status.st_size) { (buffer) throws(EnclaveError) in
                let count = unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
                guard count >= 0 else { throw .unreadable(errno) }
                guard count == buffer.count else { throw .damaged }
            }
        }

        private static let magic = Array("LLAVETPM".utf8)
        private static let largest = 1 << 20
    }
#endif
