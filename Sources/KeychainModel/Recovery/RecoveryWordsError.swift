// SPDX-License-Identifier: Apache-2.0

/// Why a recovery key could not be written in words, or words are no recovery key.
///
/// It never carries a word.
package enum RecoveryWordsError<ChecksumFailure: Error>: Error {
    /// There are so many words, and not 14.
    case wrongCount(Int)
    /// The word at this position, counted from 1, is not in the list.
    case unknownWord(position: Int)
    /// Every word is in the list, but one or more are wrong, or in the wrong place.
    case wrongChecksum
    /// The key belongs to the process this one was forked from.
    case abandoned
    /// The checksum could not be computed.
    case noChecksum(ChecksumFailure)
}

extension RecoveryWordsError: Equatable where ChecksumFailure: Equatable {}
