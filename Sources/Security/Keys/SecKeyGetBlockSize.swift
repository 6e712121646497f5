// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The bytes of an RSA key's modulus, of a curve's coordinate, or of an AES block.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.key.blockSize }
