// SPDX-License-Identifier: Apache-2.0

/// `security set-internet-password-partition-list`.
enum SetInternetPasswordPartitionList: SecurityVerb {
    static let name = "set-internet-password-partition-list"
    static let summary = "accepts a partition list for an internet password"
    static let usage = PartitionList.usage(like: FindInternetPassword.name)

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PartitionList.accept(for: .internet, words, session)
    }
}
