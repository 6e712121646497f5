// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What was seen of a process, to be held against what is seen of it later.
package struct PeerEvidence: Sendable {
    /// The file it executes; nil when we may not look.
    package let image: ProgramImage?
    package let namespaces: ProcessNamespaces

    internal init(of process: PeerProcess) throws(PeerError) {
        image = try ProgramImage(of: process)
        namespaces = try ProcessNamespaces(of: process)
    }

    /// Throws unless the process runs, executes the same unchanged file, and is in the same namespaces.
    ///
    /// One that hides its image has to hide it for ever, and one that shows it has to go on showing it, unless it `mayHide`.
    internal func requireUnchanged(for process: PeerProcess, mayHide: Bool) throws(PeerError) {
        let now = try ProcessNamespaces(of: process)
        guard now == namespaces || (mayHide && (now == .hidden || namespaces == .hidden)) else {
            throw .namespacesChanged
        }
        try requireSameImage(for: process, mayHide: mayHide)
    }

    /// Throws unless the process runs and executes the same unchanged file.
    ///
    /// Namespaces are not asked for again: whoever goes into others without executing another file is still the program
    /// that was known, and its file is compared by what it is and not by its path.
    ///
    /// A program that `mayHide` shows its file while it connects, and forbids debuggers before and after: to a daemon of its
    /// own user, from which it keeps nothing by that. To execute another file would undo it, and be seen, but for a file
    /// that its user may not read.
    internal func requireSameImage(for process: PeerProcess, mayHide: Bool) throws(PeerError) {
        switch (image, try ProgramImage.facts(of: process)) {
        case (nil, nil): break
        case (let before?, let now?):
            guard now.isUnchanged(since: before.facts) else { throw .imageChanged }
        case (nil, .some), (.some, nil):
            guard mayHide else { throw .imageChanged }
        }
    }
}
