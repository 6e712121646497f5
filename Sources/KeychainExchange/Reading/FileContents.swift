// SPDX-License-Identifier: Apache-2.0

/// What was found in a file, and how it was written.
package struct FileContents {
    package var format: FileFormat
    package var items: [FileItem]

    /// One thing's type; several of several, and of what can hold several.
    package var type: FileItemType {
        guard items.count == 1, let only = items.first, format != .pkcs7, format != .pkcs12 else { return .several }
        return only.type
    }
}
