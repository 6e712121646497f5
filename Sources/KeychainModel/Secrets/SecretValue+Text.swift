// SPDX-License-Identifier: Apache-2.0

extension UnsafeRawBufferPointer {
    /// Whether all of it is UTF-8; of a secret no text is made to find that out.
    package var isUTF8: Bool {
        var decoder = UTF8()
        var iterator = unsafe makeIterator()
        while true {
            switch unsafe decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}

extension SecretValue {
    /// Whether it is UTF-8.
    package var isText: Bool { unsafe withUnsafeBytes { unsafe $0.isUTF8 } }
}
