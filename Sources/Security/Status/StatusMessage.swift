// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The messages of all statuses, by number.
enum StatusMessage {
    static func text(for status: OSStatus) -> String? {
        for group in groups {
            if let text = group[status] { return text }
        }
        return nil
    }

    private static let groups: [[OSStatus: String]] = [
        keychain, system, certificate, trust, networkTrust, algorithm, keyFormat, module, database,
        privateConditions,
    ]
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A sentence that says what a status means, for a developer or a log; never nil.
///
/// - Parameters:
///   - status: The result of a call. For one that is not known the sentence gives its number.
///   - reserved: Not used; pass nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (StatusMessage.text(for: status) ?? "OSStatus \(status)") as NSString
}
