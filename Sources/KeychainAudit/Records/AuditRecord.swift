// SPDX-License-Identifier: Apache-2.0

/// One record of a log: its number in the whole log, its time, and what it says.
package struct AuditRecord: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// The first record of every file.
        case opening(AuditOpening)
        case entry(AuditEntry)
        /// More items of the entry before it.
        case moreItems([AuditedItem])
        /// So many entries could not be written since the record before this one; the number says why the last could not.
        case lost(Int64, reason: Int64)
        /// The last record of a file that is full: how many records it has, this one included.
        case seal(records: Int64)
    }

    /// 1 and up.
    package let number: Int64
    /// Microseconds since 2001-01-01 00:00:00 UTC, by the system's clock.
    package let time: Int64
    package let content: Content

    package init(number: Int64, time: Int64, _ content: Content) {
        self.number = number
        self.time = time
        self.content = content
    }
}

/// What a file says of itself and of the one before it.
package struct AuditOpening: Sendable, Equatable {
    /// Why the file was begun.
    package enum Cause: Int64, Sendable, CaseIterable {
        /// There was no log.
        case first = 1
        /// The file before it was full and has its seal.
        case rotation = 2
        /// The file before it ends in the middle of a record, as after a power cut.
        case tornTail = 3
        /// Records are missing at the end of the file before it that may never have reached the disk.
        case unsyncedTail = 4
        /// Records are missing at its end that were on the disk.
        case cutTail = 5
        /// There is something in it that nobody with the key wrote.
        case damage = 6
        /// The head was gone, or damaged, so nobody knows where the file before it ended.
        case lostHead = 7
    }

    package let file: UInt32
    /// The oldest file that is still kept; older ones were removed.
    package let oldest: UInt32
    package let cause: Cause
    /// The last record before this file, and its MAC; 0 and zeros when none is known.
    package let previousNumber: Int64
    package let previousMAC: [UInt8]

    package init(file: UInt32, oldest: UInt32, cause: Cause, previousNumber: Int64, previousMAC: [UInt8]) {
        self.file = file
        self.oldest = oldest
        self.cause = cause
        self.previousNumber = previousNumber
        self.previousMAC = previousMAC
    }
}
