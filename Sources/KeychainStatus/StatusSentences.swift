// SPDX-License-Identifier: Apache-2.0

/// What the statuses mean: those that scripts look for in the words they know.
///
/// `Security` documents each of its constants with the sentence that stands here.
package enum StatusSentences {
    static func sentence(for number: Int32) -> String? {
        for group in groups {
            if let sentence = group[number] { return sentence }
        }
        return nil
    }

    /// The numbers that mean something.
    package static var numbers: [Int32] { groups.flatMap(\.keys) }

    private static let groups = [
        keychain, system, certificate, trust, networkTrust, algorithm, keyFormat, module, database,
        privateConditions,
    ]
}
