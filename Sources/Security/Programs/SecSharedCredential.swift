// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

// Apple's service for passwords that sites and programs share has no counterpart on Linux: which program may have which site's
// password is decided there by a file on the site's server, which Apple fetches.

/// Would store a password that a site shares; it stores nothing, and calls back with ``errSecUnimplemented``.
public func SecAddSharedWebCredential(
    _ fqdn: CFString, _ account: CFString, _ password: CFString?,
    _ completionHandler: @escaping @Sendable (CFError?) -> Void
) {
    SharedCredentials.refuse { completionHandler($0) }
}

/// Would ask a person for a password that a site shares; it asks nobody, and calls back with ``errSecUnimplemented``.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?, _ account: CFString?,
    _ completionHandler: @escaping @Sendable (CFArray?, CFError?) -> Void
) {
    SharedCredentials.refuse { completionHandler(nil, $0) }
}

private enum SharedCredentials {
    static func refuse(_ reply: @escaping @Sendable (CFError) -> Void) {
        DispatchQueue.global().async {
            reply(
                NSError(
                    domain: NSOSStatusErrorDomain, code: Int(errSecUnimplemented),
                    userInfo: [NSLocalizedDescriptionKey: "Linux has no service for shared web credentials"]))
        }
    }
}

/// A new password of four groups of three letters and digits, about 69 bits of chance.
///
/// Letters that look like others (l, o, I, O) and the digits 0 and 1 are left out. There is an upper and a lower
/// case letter and a digit in it, as most sites demand.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    let lower = Array("abcdefghijkmnpqrstuvwxyz")
    let upper = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")
    let digits = Array("23456789")
    let all = lower + upper + digits
    var generator = SystemRandomNumberGenerator()
    // Drawn again until all three kinds are there: so every such password is as likely as any other.
    while true {
        let drawn = (0..<12).map { _ in all[Int.random(in: all.indices, using: &generator)] }
        let kinds = [lower, upper, digits]
        guard kinds.allSatisfy({ kind in drawn.contains { kind.contains($0) } }) else { continue }
        let groups = stride(from: 0, to: 12, by: 3).map { String(drawn[$0..<$0 + 3]) }
        return groups.joined(separator: "-") as NSString
    }
}
