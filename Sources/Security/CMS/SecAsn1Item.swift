// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates

/// Bytes that belong to the caller, with their count: the way in which older functions take an object identifier.
@frozen @unsafe public struct SecAsn1Item {
    /// How many bytes there are.
    public var Length: Int
    /// The first of them; nil for none.
    public var Data: UnsafeMutablePointer<UInt8>?

    /// An item without bytes.
    public init() { unsafe self.init(Length: 0, Data: nil) }

    /// An item of these bytes, which have to last as long as it is used.
    public init(Length: Int, Data: UnsafeMutablePointer<UInt8>?) {
        unsafe self.Length = Length
        unsafe self.Data = Data
    }
}

// What a caller points to is the caller's to guard.
@available(*, unavailable)
extension SecAsn1Item: Sendable {}

/// The content of an OBJECT IDENTIFIER.
public typealias SecAsn1Oid = SecAsn1Item

/// The older name of ``SecAsn1Item``.
public typealias CSSM_DATA = SecAsn1Item

/// The older name of ``SecAsn1Oid``.
public typealias CSSM_OID = SecAsn1Item

extension KeychainCertificates.ObjectIdentifier {
    /// The identifier that an item points to; nil when it is none.
    init?(unsafeItem item: UnsafePointer<SecAsn1Item>?) {
        guard let item = unsafe item?.pointee, let start = unsafe item.Data, unsafe (1...100).contains(item.Length)
        else { return nil }
        self.init(strict: unsafe Array(UnsafeBufferPointer(start: start, count: item.Length)))
    }

    /// The identifier of an object that a caller gives: text in dots, or the content in data; nil for anything else.
    init?(of object: AnyObject) {
        switch object {
        case let text as NSString: self.init(dotted: text as String)
        case let data as NSData where data.length <= 100: self.init(strict: data.der)
        default: return nil
        }
    }
}
