// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Bytes that `fill` writes; not for secrets, which belong into `SecretBytes`.
    package init<Failure: Error>(
        count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.init(repeating: 0, count: count)
        var span = mutableSpan
        var bytes = unsafe span.mutableBytes
        try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(Failure) in try unsafe fill(buffer) }
    }

    /// Lends the bytes; unlike `withUnsafeBytes` of the standard library it keeps the type of what is thrown.
    package func lendingBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = span
        return try unsafe span.bytes.withUnsafeBytes { (bytes) throws(Failure) in try unsafe body(bytes) }
    }
}
