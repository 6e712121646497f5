// SPDX-License-Identifier: Apache-2.0

internal import CPostgres
internal import KeychainSync

/// What a code or a broken connection means: one of four errors, with a sentence that says what to do.
///
/// The sentences are ours. Of what a server wrote, only its five-letter code is shown: it could write anything.
enum PostgresFailure {
    static let noLibrary = CircleServerError.unprepared(
        "PostgreSQL's client library is missing (libpq.so.5 of version 14 or later): on Debian, sudo apt install libpq5"
    )
    static let lost = CircleServerError.unreachable("The server ended the connection.")
    static let slow = CircleServerError.unreachable("The server did not answer in time.")
    static let cancelled = CircleServerError.unreachable("The wait for the server was cancelled.")
    static let outOfMemory = CircleServerError.unreachable("There is no memory for a connection to the server.")

    static func broken(_ what: String) -> CircleServerError { .broken("The server answered something else: \(what).") }

    /// What an SQLSTATE means.
    static func meaning(of code: String, atSocket: Bool = false) -> CircleServerError {
        switch code {
        case "23505", "40001", "40P01", "55P03", "23P01": return .taken
        case "28P01":
            return .wrongPassword(
                "The server did not accept the role's password (28P01); `circle sql` draws another each time, unless --password-fd gives it."
            )
        case "28000" where atSocket:
            return .refused(
                "The server does not let this role in (28000): at a socket it needs a role of that name that may log in, and in pg_hba.conf "
                    + "peer, where this user of the machine has the role's name, or scram-sha-256, where the address has requirepeer."
            )
        case "28000":
            return .refused(
                "The server does not let this role in (28000): it needs a role that may log in, and a line in pg_hba.conf with "
                    + "hostssl and scram-sha-256 or cert.")
        case "3D000": return .refused("The server has no database of that name (3D000).")
        case "42501":
            return .refused(
                "The role may not do this in the circle's tables (42501): whoever runs the server gives it what `circle sql` prints, for the circle of this very ID."
            )
        case "3F000", "42P01", "42703", "42883":
            return .refused(
                "The database does not have the circle's tables, or older ones (\(code)): run what `circle sql` prints in it."
            )
        case "25006": return .unreachable("The server only lets read now (25006): it is a standby, or has become one.")
        case "57014": return .unreachable("The server gave up on a statement that took too long (57014).")
        case "53300":
            return .unreachable("The server has no connection left (53300): raise max_connections, or use pgbouncer.")
        case "53100": return .unreachable("The server's disk is full (53100).")
        default: return meaning(ofClass: code)
        }
    }

    private static func meaning(ofClass code: String) -> CircleServerError {
        switch code.prefix(2) {
        case "28": return .refused("The server does not let this role in (\(code)).")
        case "08", "53", "55", "57", "58": return .unreachable("The server cannot serve now (\(code)).")
        case "40": return .taken
        case "42": return .refused("The server's tables are not those of `circle sql` (\(code)): run what it prints.")
        default: return .broken("The server refused a statement (\(code)).")
        }
    }

    /// Why no connection came about; `message` is the library's, which with `LLV_PQ_ERRORS_SQLSTATE` has no text of the server's
    /// but its code.
    static func ofConnecting(
        _ message: String, stage: Int32, hadAnswer: Bool, isLoggedIn: Bool, atSocket: Bool
    ) -> CircleServerError {
        if let code = code(in: message) { return meaning(of: code, atSocket: atSocket) }
        let said = shown(message)
        // What is left then is whether it lets us write.
        if isLoggedIn { return .unreachable("The server lets nobody write: a standby is not spoken to. (\(said))") }
        // The option's name, which stands in the message of every language.
        if message.contains("requirepeer") {
            return .refused("Somebody else than the user that requirepeer names answers at the socket. (\(said))")
        }
        switch Int(stage) {
        case LLV_PQ_SSL_STARTUP where hadAnswer:
            return .refused(
                "The server did not prove who it is, or does not take our certificate: compare sslrootcert and the "
                    + "host's name with its certificate, and look at sslcert and sslkey. (\(said))"
            )
        case LLV_PQ_AWAITING_RESPONSE where hadAnswer:
            return .refused(
                "Logging in failed: the server must take SCRAM with channel binding, or this certificate. (\(said))")
        default: return .unreachable(said)
        }
    }

    /// The code at the end of "…FATAL:  28P01".
    private static func code(in message: String) -> String? {
        let words = message.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == ":" })
        guard let last = words.last, last.utf8.count == 5,
            last.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }),
            last.utf8.contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        return String(last)
    }

    /// One line of what the library said, without anything that moves a terminal's cursor.
    private static func shown(_ message: String) -> String {
        let line = message.unicodeScalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? " " : $0 }
        var text = String(String.UnicodeScalarView(line.prefix(400)))
        while text.last == " " { text.removeLast() }
        return text
    }
}
