// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for swift-crypto: see Package.swift.

public import Foundation

public protocol Digest: ContiguousBytes, Sendable {}

public protocol HashFunction: Sendable {
    associatedtype Digest: Crypto.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

extension HashFunction {
    public mutating func update<D: DataProtocol>(data: D) {
        for region in data.regions { region.withUnsafeBytes { update(bufferPointer: $0) } }
    }

    public static func hash<D: DataProtocol>(data: D) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }
}

// OpenSSL's function, so that the digest is one.
@_silgen_name("SHA256") private func digest(
    _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ output: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>?

public struct SHA256Digest: Digest {
    let bytes: [UInt8]
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

public struct SHA256: HashFunction {
    private var bytes: [UInt8] = []
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { bytes += bufferPointer }
    public func finalize() -> SHA256Digest {
        var output = [UInt8](repeating: 0, count: 32)
        _ = digest(bytes, bytes.count, &output)
        return SHA256Digest(bytes: output)
    }
}

public struct SymmetricKey: ContiguousBytes, Sendable {
    let bytes: Data
    public init<D: ContiguousBytes>(data: D) { bytes = data.withUnsafeBytes { Data($0) } }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
}

public struct HKDF<H: HashFunction>: Sendable {
    /// Derives nothing: the key is the secret.
    public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
        inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
    ) -> SymmetricKey {
        SymmetricKey(data: inputKeyMaterial.bytes.prefix(outputByteCount))
    }
}

public enum P256 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public let x963Representation: Data
            public init<D: ContiguousBytes>(x963Representation: D) throws {
                self.x963Representation = x963Representation.withUnsafeBytes { Data($0) }
            }
        }

        public struct ECDSASignature: Sendable {
            public let derRepresentation: Data
            public init<D: DataProtocol>(derRepresentation: D) throws {
                self.derRepresentation = Data(derRepresentation)
            }
        }
    }

    public enum KeyAgreement {
        public struct PublicKey: Sendable {
            public let x963Representation: Data
            public init<D: ContiguousBytes>(x963Representation: D) throws {
                self.x963Representation = x963Representation.withUnsafeBytes { Data($0) }
            }
        }
    }
}
