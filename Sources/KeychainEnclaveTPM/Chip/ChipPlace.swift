// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import KeychainModel

    /// Where a TPM is, and how long each of its answers may take.
    struct ChipPlace: Sendable {
        /// "device:/dev/tpmrm0", or "swtpm:path=" and the path of a socket.
        let connection: String
        /// In milliseconds.
        let patience: Int32

        var isEmulator: Bool { connection.hasPrefix("swtpm:") }

        /// What keeps two threads of this process from visiting it at once.
        var turn: ForkSafeMutex<Void> {
            ChipPlace.turns.withLock { turns in
                if let turn = turns[connection] { return turn }
                let turn = ForkSafeMutex<Void>(())
                turns[connection] = turn
                return turn
            }
        }

        // One for each place, not for each enclave: an emulator lets a second client wait until the first has gone.
        private static let turns = ForkSafeMutex<[String: ForkSafeMutex<Void>]>([:])
    }
#endif
