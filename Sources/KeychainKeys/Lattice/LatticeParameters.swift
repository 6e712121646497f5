// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The sets of parameters of ML-KEM (FIPS 203) and ML-DSA (FIPS 204) that keys are made of; sizes are in bytes.
///
/// OpenSSL has them since 3.5; with an older one no key is made or read, and `KeyError.notOffered` says so.
package enum LatticeParameters: Sendable, CaseIterable {
    case mlkem768
    case mlkem1024
    case mldsa65
    case mldsa87

    /// The set of a type and what `kSecAttrKeySizeInBits` says; nil for other keys.
    package init?(_ type: KeyType, bits: Int) {
        guard let match = Self.allCases.first(where: { $0.type == type && $0.bits == bits }) else { return nil }
        self = match
    }

    /// The set whose keys of that type and part have so many external bytes.
    internal init?(_ type: KeyType, _ part: KeyPart, size: Int) {
        let match = Self.allCases.first { $0.type == type && $0.externalSize(of: part) == size }
        guard let match else { return nil }
        self = match
    }

    package var type: KeyType {
        switch self {
        case .mlkem768, .mlkem1024: .mlkem
        case .mldsa65, .mldsa87: .mldsa
        }
    }

    /// The number in the name of the set, which Apple puts where other keys have their bits.
    package var bits: Int {
        switch self {
        case .mlkem768: 768
        case .mlkem1024: 1024
        case .mldsa65: 65
        case .mldsa87: 87
        }
    }

    package var publicSize: Int {
        switch self {
        case .mlkem768: 1184
        case .mlkem1024: 1568
        case .mldsa65: 1952
        case .mldsa87: 2592
        }
    }

    /// The size of the private key as the standards encode it, which is the expanded one.
    package var privateSize: Int {
        switch self {
        case .mlkem768: 2400
        case .mlkem1024: 3168
        case .mldsa65: 4032
        case .mldsa87: 4896
        }
    }

    /// The size of what the whole key is computed from: d and z, or ξ.
    package var seedSize: Int {
        switch self {
        case .mlkem768, .mlkem1024: 64
        case .mldsa65, .mldsa87: 32
        }
    }

    /// The size of a signature, or of an encapsulated secret.
    package var outputSize: Int {
        switch self {
        case .mlkem768: 1088
        case .mlkem1024: 1568
        case .mldsa65: 3309
        case .mldsa87: 4627
        }
    }

    /// The size of what ML-KEM makes both sides share.
    package static let sharedSecretSize = 32
    /// The most bytes of a context that a signature is bound to.
    package static let largestContext = 255

    /// The public key, or the public and behind it the private one.
    private func externalSize(of part: KeyPart) -> Int? {
        switch part {
        case .public: publicSize
        case .private: publicSize + privateSize
        case .symmetric: nil
        }
    }

    /// OpenSSL's name.
    internal var name: String {
        switch self {
        case .mlkem768: "ML-KEM-768"
        case .mlkem1024: "ML-KEM-1024"
        case .mldsa65: "ML-DSA-65"
        case .mldsa87: "ML-DSA-87"
        }
    }

    /// Whether the OpenSSL that this program runs with has it.
    package var isOffered: Bool {
        if unsafe llv_lattice_is_offered(KeyLibrary.context, name) == 1 { return true }
        _ = KeyError.takeFromLibrary()
        return false
    }

    internal func requireOffered() throws(KeyError) {
        guard isOffered else { throw .notOffered }
    }
}
