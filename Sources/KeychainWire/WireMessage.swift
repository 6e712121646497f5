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

/// The version of the protocol: both sides speak the same one or do not speak.
package enum WireVersion {
    package static let current: UInt8 = 1
}

/// How much one message may hold.
///
/// Far more than any program asks for; what is above is refused on both sides.
package enum WireLimits {
    /// Bytes of a message: head and secrets.
    package static let message = 64 << 20
    /// Results of one request.
    package static let results = 1_000_000
    /// Items that one request names.
    static let designations = 1_000_000
    /// Items that one request adds.
    static let entries = 100_000
    /// Conditions of one query: each is looked at for every row.
    static let filters = 1000
    /// Names of issuers in one condition.
    static let issuers = 100_000
    /// Bytes of a text that is looked for: the search costs its length for every character it looks in.
    static let pattern = 65_536
    /// Bytes of the name of an algorithm; the longest there is has 68.
    static let algorithm = 200
    /// Bytes of a public key: RSA of 16 384 bits has 2 062.
    static let publicKey = 16_384
    /// Bytes of what an enclave calls its key; a TPM's has less than 500.
    static let enclaveBlob = 65_536
    /// Bytes that a chip's statement is over.
    static let certified = 64
    /// Bytes of a passcode or a password that a context keeps for as long as its program stays.
    package static let credential = 4096
    /// Bytes of what is derived from, beside the secret.
    static let sharedInfo = 1 << 20
    /// Bytes that are derived at once.
    static let derived = 1 << 20
    /// The bits of the largest supported key.
    static let keyBits = 16_384
    /// Bytes of what a keychain keeps of its circle.
    static let syncState = 16 << 20
    /// Bytes of a record, which are at most 1 MiB and what its seal adds, or of a head.
    static let syncBody = 2 << 20
    /// Bytes of an error's words, and of what they are about.
    static let errorText = 65_536
}
