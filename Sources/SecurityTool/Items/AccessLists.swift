// SPDX-License-Identifier: Apache-2.0

/// The lists of applications that a Mac's files of keychains have (decision D24).
enum AccessLists {
    /// Says what -A and -T come to here.
    static func explain(_ options: SecurityOptions, _ session: Session) {
        guard options.has("A") || !options.all("T").isEmpty else { return }
        session.remark(
            """
            -A and -T are accepted and change nothing: items have no list of applications here; which programs may use an \
            item, its access group says
            """)
    }

    /// Says what a partition list comes to here.
    static func explainPartitions(_ session: Session) {
        session.remark(
            """
            partition lists are accepted and change nothing: which programs may use an item, its access group says, and no \
            program is asked about
            """)
    }
}
