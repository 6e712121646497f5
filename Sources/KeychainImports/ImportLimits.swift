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
    /// Of folders in folders, each of which is a call of a function.
    internal static let deepestFolder = 64
    /// Of elements in elements of XML, which take no stack.
    internal static let deepestElement = 1000
    /// Of all names, texts and secrets of one source together: more than the largest file has, so that only what is
    /// written once and read many times, or compressed, comes near it.
    internal static let largestSum = 128 << 20
    /// Of the path of an entry's groups; it is kept with every entry.
    internal static let longestPath = 1024
}
