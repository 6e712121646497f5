// SPDX-License-Identifier: Apache-2.0

/// Why a file, or the way to it, cannot be relied on.
package enum FileFault: Error, Sendable, Equatable {
    /// The path does not begin with a slash, or has an empty component, "." or "..".
    case notAPath
    case missing
    /// A component is a symbolic link: name the file that it leads to.
    case symbolicLink
    /// A component belongs to somebody else, or others may write to it.
    case exposed
    /// A component is something else than it must be there.
    case wrongKind
    /// The file is larger than such files may be.
    case tooLarge
    /// It was changed while it was read.
    case changed
    /// The system refused a call; an errno.
    case system(Int32)
}
