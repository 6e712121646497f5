// SPDX-License-Identifier: Apache-2.0

/// How much of anything a source may have.
internal enum ImportLimits {
    internal static let largestFile = 64 << 20
    internal static let mostLines = 2_000_000
    internal static let mostItems = 200_000
    /// Of a name, an attribute or a comment.
    internal static let longestText = 1 << 20
    /// Of one record that may go over several lines.
    internal static let longestRecord = 4 << 20
    /// What `gpg` may say to one file.
    internal static let largestPassEntry = 4 << 20
    internal static let deepest = 64
}
