// SPDX-License-Identifier: Apache-2.0

internal import KeychainStatus
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A sentence that says what a status means, for a developer or a log; never nil.
///
/// - Parameters:
///   - status: The result of a call. For one that is not known the sentence gives its number.
///   - reserved: Not used; pass nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (SecurityStatus(status).sentence ?? "OSStatus \(status)") as NSString
}
