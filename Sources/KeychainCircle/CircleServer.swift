// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel
package import KeychainRequest
package import KeychainSync
package import KeychainSyncPostgres
package import KeychainSystem

/// Where the server of this keychain's circle is, with the password that opens it.
package struct CircleServer: Sendable {
    package let address: ServerAddress
    /// As the person wrote it, who reads it again in `circle status`.
    package let text: String
    package let password: SecretValue?

    package init(_ text: String, password: SecretValue?) throws(AddressRefusal) {
        address = try ServerAddress(text)
        (self.text, self.password) = (text, password)
    }

    private static let itemName = "server"
    /// The item that says that this machine goes on there although the log names another place (`CircleMove.stay`).
    static let staysName = "stays"

    /// The one that the keychain has; nil when it has none.
    package static func stored(in session: any KeychainSession) throws(KeychainError) -> CircleServer? {
        guard let secret = try CircleItems(session).secret(itemName) else { return nil }
        return try unsafe secret.withUnsafeBytes { (bytes) throws(KeychainError) in
            // The address, a zero byte, which no address has, and the password to the end.
            guard let end = unsafe bytes.firstIndex(of: 0),
                let text = unsafe String(validating: bytes[..<end], as: UTF8.self)
            else { throw damaged }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
            let password = rest.count == 0 ? nil : unsafe SecretValue(copying: rest)
            do throws(AddressRefusal) { return try CircleServer(text, password: password) } catch {
                throw damaged
            }
        }
    }

    /// Keeps it, in place of another; where a person had the machine stay counts for that one alone.
    package func keep(in session: any KeychainSession) throws(KeychainError) {
        let head = Array(text.utf8) + [0]
        let value = unsafe SecretValue(count: head.count + (password?.count ?? 0)) { output in
            unsafe output.copyBytes(from: head)
            if let password {
                unsafe password.withUnsafeBytes { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyMemory(from: bytes)
                }
            }
        }
        try CircleItems(session).remove(CircleServer.staysName)
        try CircleItems(session).keep(value, as: CircleServer.itemName, .afterFirstUnlock)
    }

    /// The way to it; `cancellation` ends every wait.
    package func transport(_ circle: CircleID, cancellation: Cancellation = Cancellation()) -> PostgresTransport {
        PostgresTransport(address, circle: circle, password: password, cancellation: cancellation)
    }

    private static let damaged = KeychainError(
        .undecodable,
        "the keychain's item with the server of the circle is damaged; `llavero circle server` sets it anew")
}
