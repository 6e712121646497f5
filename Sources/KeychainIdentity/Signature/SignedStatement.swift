// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel

/// A statement and whoever's signature, which says nothing before `requireSignature`.
package struct SignedStatement: Sendable, Equatable {
    package let statement: ProgramStatement
    package let signature: [UInt8]

    /// Signs; the statement has to name this very key.
    package init(
        signing statement: ProgramStatement, with privateKey: borrowing SecretBytes
    ) throws(SignatureFault) {
        do throws(CryptoError) {
            let publicKey = try Ed25519.publicKey(of: privateKey)
            guard try Digest.sha256(of: publicKey) == statement.signer else { throw .invalidParameters }
            let message = try SignedStatement.message(statement)
            signature = try Ed25519.signature(of: message, with: privateKey)
        } catch { throw .library }
        self.statement = statement
    }

    /// Throws unless the owner of `publicKey` signed exactly this.
    package func requireSignature(by publicKey: [UInt8]) throws(SignatureFault) {
        let message: [UInt8]
        do throws(CryptoError) { message = try SignedStatement.message(statement) } catch { throw .library }
        guard Ed25519.isValid(signature: signature, of: message, publicKey: publicKey) else { throw .wrongSignature }
    }

    // Words before it, so that no signature for another purpose under the same key can stand here.
    private static func message(_ statement: ProgramStatement) throws(CryptoError) -> [UInt8] {
        do throws(CodingError) {
            return try Array("llavero signed program\0".utf8) + statement.propertyList.encoded()
        } catch { throw .invalidParameters }
    }

    internal func encoded() throws(SignatureFault) -> [UInt8] {
        do throws(CodingError) {
            return try PropertyList.array([statement.propertyList, .data(signature)]).encoded()
        } catch { throw .malformed(.statement) }
    }

    /// Reads what `encoded` writes, and nothing else.
    internal init(decoding bytes: [UInt8]) throws(SignatureFault) {
        let list: PropertyList
        do throws(CodingError) { list = try PropertyList(decoding: bytes) } catch { throw .malformed(.statement) }
        guard case .array(let parts) = list, parts.count == 2, let statement = ProgramStatement(parts[0]),
            case .data(let signature) = parts[1], signature.count == Ed25519.signatureSize
        else { throw .malformed(.statement) }
        self.statement = statement
        self.signature = signature
        // Keys that Unicode holds equal to ours are not ours.
        guard try encoded() == bytes else { throw .malformed(.statement) }
    }
}
