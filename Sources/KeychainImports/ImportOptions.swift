// SPDX-License-Identifier: Apache-2.0

/// What a person wants of a source that can be read in two ways.
package struct ImportOptions: Sendable {
    /// Takes what lies in the recycle bin of KeePass, too.
    package var withRecycleBin = false
    /// Takes the first line of a file of pass for the password, and all others for notes, whatever they look like.
    package var firstLineOnly = false

    package init() {}
}
