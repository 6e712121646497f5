// SPDX-License-Identifier: Apache-2.0

/// The place of one entry in an encoded dictionary of attributes, found without encoding it.
///
/// An entry is SEQUENCE { UTF8String key, value }, and entries stand in the order of their bytes. That is the order of
/// (content size, key size, key):
/// - All begin with the byte 30, then the length of the content. Lengths are minimal, so a greater one has either a
///   greater first byte (00–7F, then 81, 82, …, which counts the bytes that follow) or as many bytes, most significant
///   first. Their order as bytes is their order as numbers, and none is the beginning of another.
/// - With equal lengths comes 0C and the length of the key, to which the same applies.
/// - With equal key lengths come the keys. No two are the same, so the values are never compared.
internal struct EntryOrder: Sendable {
    /// Size of the SEQUENCE's content.
    let contentSize: Int
    /// The packed key, or `secret`.
    let key: UInt64
    /// Where the value is in the list of attributes; not used for the secret.
    let index: Int
    /// A date's value, taken apart; nil for what is no date.
    let seconds: DecimalSeconds?

    /// Sorts behind every four-letter key of the same content size: `v_Data` has six letters.
    static let secret = UInt64.max

    @inline(__always)
    static func < (left: EntryOrder, right: EntryOrder) -> Bool {
        left.contentSize != right.contentSize ? left.contentSize < right.contentSize : left.key < right.key
    }
}
