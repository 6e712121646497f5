// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Glibc
    internal import KeychainCrypto
    internal import KeychainEnclave
    internal import KeychainModel

    extension SecretBytes {
        static func random32() throws(EnclaveError) -> SecretBytes {
            do throws(CryptoError) {
                return try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in
                    try unsafe fillRandom(buffer)
                }
            } catch { throw .failed(Int64(EIO)) }
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

    private func randomBytes(_ count: Int) throws(EnclaveError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe [UInt8](count: count) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        } catch { throw .failed(Int64(EIO)) }
    }
#endif
