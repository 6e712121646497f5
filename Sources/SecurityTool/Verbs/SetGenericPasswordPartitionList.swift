// SPDX-License-Identifier: Apache-2.0

/// `security set-generic-password-partition-list`.
enum SetGenericPasswordPartitionList: SecurityVerb {
    static let name = "set-generic-password-partition-list"
    static let summary = "accepts a partition list for a generic password"
    static let usage = PartitionList.usage(like: FindGenericPassword.name)

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        try PartitionList.accept(for: .generic, words, session)
    }
}
