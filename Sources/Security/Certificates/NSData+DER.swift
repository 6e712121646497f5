// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension NSData {
    /// Data with a copy of the bytes of something in DER.
    convenience init(der bytes: [UInt8]) {
        unsafe self.init(bytes: bytes, length: bytes.count)
    }

    /// A copy of the bytes, to be read as DER.
    var der: [UInt8] { unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: length)) }
}
