// SPDX-License-Identifier: Apache-2.0

/// The kinds of element a property list is made of, by their first byte.
internal enum DERTag: UInt8, Sendable {
    case boolean = 0x01
    case integer = 0x02
    case octetString = 0x04
    case null = 0x05
    case utf8String = 0x0C
    case generalizedTime = 0x18
    case sequence = 0x30
    case set = 0x31
}
