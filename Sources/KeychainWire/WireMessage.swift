// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A call or its reply, with the number that says which belong together.
///
/// As bytes: a head, and behind it the secrets that it names, in the order of their names. The head is a property list;
/// a secret is in it as a list of its number and its size. So a secret goes from one wiped memory to the next, and never
/// through the values and arrays a head is made of.
package struct WireMessage: Sendable {
    package enum Content: Sendable {
        case call(WireCall)
        case reply(WireReply)
    }

    /// The program's count of its calls; a reply has that of its call.
    package let number: UInt64
    package let content: Content

    package init(number: UInt64, _ content: Content) {
        self.number = number
        self.content = content
    }

    /// The one encoding; `.tooLarge` or `.unwritable` when there is none.
    package func encoded() throws(WireError) -> SecretBytes {
        var writer = WireWriter()
        try writer.write(self)
        let head = writer.head
        let size = head.count + writer.secretsSize
        guard size <= WireLimits.message else { throw .tooLarge }
        let secrets = writer.secrets
        return unsafe SecretBytes(count: size) { output in
            unsafe output.copyBytes(from: head)
            var offset = head.count
            for secret in secrets {
                unsafe secret.withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[offset...]).copyMemory(from: bytes)
                }
                offset += secret.count
            }
        }
    }

    /// The message of exactly these bytes, which are not looked at any more when this returns.
    ///
    /// What is read is what `encoded()` writes as the same bytes, and what the parser of `KeychainRequest` could have made:
    /// every type says at its own reading what it checks.
    package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard bytes.count <= WireLimits.message else { throw .tooLarge }
        var fields = try unsafe WireFields(unsafeMessage: bytes)
        self = try fields.next()
        guard fields.isAtEnd else { throw .wrongSecret }
    }
}

extension WireMessage: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        guard try fields.number() == Int64(WireVersion.current) else { throw .wrongVersion }
        number = UInt64(bitPattern: try fields.number())
        switch try fields.number() {
        case 1: content = .call(try fields.next())
        case 2: content = .reply(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(WireVersion.current))
        writer.number(Int64(bitPattern: number))
        switch content {
        case .call(let call): try writer.write(1, call)
        case .reply(let reply): try writer.write(2, reply)
        }
    }
}
