// SPDX-License-Identifier: Apache-2.0

/// Bytes that are looked at one by one, wherever they are; they may be secret.
package protocol ByteSource {
    /// nil where nothing is.
    subscript(index: Int) -> UInt8? { get }
}
