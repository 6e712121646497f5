// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange

extension FileFormat {
    /// The format that a caller of `Security` asks for; nil for the usual one.
    static func written(_ format: SecExternalFormat) throws(ExchangeFailure) -> FileFormat? {
        // The numbers are the same.
        if let known = FileFormat(rawValue: format.rawValue) { return known }
        guard format == .formatUnknown else { throw ExchangeFailure(.unsupportedFormat, "this format is not written") }
        return nil
    }
}

extension SecExternalFormat {
    init(_ format: FileFormat) { self = Self(rawValue: format.rawValue) ?? .formatUnknown }
}

extension SecExternalItemType {
    init(_ type: FileItemType) { self = Self(rawValue: type.rawValue) ?? .itemTypeUnknown }
}
