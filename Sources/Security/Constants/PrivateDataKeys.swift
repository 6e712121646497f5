// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// Notes on an internet password, secret like the password.
@safe nonisolated(unsafe) public let kSecDataInetExtraNotes: CFString = "binn"
/// The history of an internet password, secret like the password.
@safe nonisolated(unsafe) public let kSecDataInetExtraHistory: CFString = "bini"
/// What a program keeps secret with an internet password, first of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined0: CFString = "bin0"
/// What a program keeps secret with an internet password, second of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined1: CFString = "bin1"
/// What a program keeps secret with an internet password, third of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined2: CFString = "bin2"
/// What a program keeps secret with an internet password, fourth of four.
@safe nonisolated(unsafe) public let kSecDataInetExtraClientDefined3: CFString = "bin3"
