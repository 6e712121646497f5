// SPDX-License-Identifier: Apache-2.0

internal import CPostgres
internal import Glibc
package import KeychainModel
package import KeychainSync

/// Every option of a connection, so that libpq takes none from elsewhere.
///
/// libpq fills an option that nobody gave from the service file and the environment (PGHOST, PGPASSWORD, PGOPTIONS …), and some
/// files from ~/.postgresql. So all options that this libpq knows are given: ours, else what it was compiled with, else an empty
/// text; and where empty means "the default file", a path that cannot exist. What is left is PGSERVICE, whose values would find no
/// option to fill but whose file is read all the same (it may be on an LDAP server): with it set, nothing is connected. PGDATESTYLE,
/// PGTZ and PGGEQO are still sent, and nothing of ours depends on them.
package struct ConnectionOptions: Sendable {
    private let words: [(name: String, value: String)]
    private let password: SecretValue?

    init(
        _ address: ServerAddress, _ host: ServerAddress.Host, password: SecretValue?, _ functions: llv_pq
    ) throws(CircleServerError) {
        if unsafe getenv("PGSERVICE") != nil {
            throw .refused("PGSERVICE is set in the environment, which would read a service file: unset it.")
        }
        try ConnectionOptions.check(password, address)
        let known = try ConnectionOptions.known(functions)
        if case .certificates("system", _, _) = address.proof, known["sslcertmode"] == nil {
            throw .refused(
                "This libpq is older than version 16 and does not know sslrootcert=system: give the file, on Debian "
                    + "sslrootcert=/etc/ssl/certs/ca-certificates.crt.")
        }
        let ours = ConnectionOptions.ours(address, host, hasPassword: password != nil)
        // Of two of one name libpq takes the last: so what the address says stands before what we say, and cannot change it.
        let order = known.keys.sorted { (ConnectionOptions.place(of: $0), $0) < (ConnectionOptions.place(of: $1), $1) }
        words = order.map { ($0, ours[$0] ?? known[$0] ?? "") }
        self.password = password
    }

    /// The options of a connection as text, as this machine's libpq would be given them.
    package static func text(
        _ address: ServerAddress, _ host: ServerAddress.Host, password: SecretValue?
    ) throws(CircleServerError) -> String {
        guard let functions = unsafe llv_pq_functions() else { throw PostgresFailure.noLibrary }
        return try unsafe ConnectionOptions(address, host, password: password, functions.pointee).text
    }

    private var text: String {
        words.map { "\($0.name)='\(ConnectionOptions.escaped($0.value))'" }.joined(separator: " ")
    }

    private static func place(of name: String) -> Int {
        ofAddress.firstIndex(of: name) ?? ofAddress.count
    }

    /// Options with words of the address, most freely chosen first.
    private static let ofAddress = [
        "dbname", "user", "host", "port", "requirepeer", "sslcert", "sslkey", "sslcrl", "sslrootcert",
    ]

    /// Begins to connect.
    func start(_ functions: llv_pq) -> OpaquePointer? {
        // As one text, for an empty value given by itself counts as not given; the password by itself, so that it is copied less.
        return unsafe text.withCString { text in
            unsafe "dbname".withCString { database in
                unsafe "password".withCString { name in
                    guard let password else {
                        return unsafe functions.PQconnectStartParams([database, nil], [text, nil], 1)
                    }
                    let copy = SecretValue.joined([password, SecretValue(copying: [0])])
                    return unsafe copy.withUnsafeBytes { bytes in
                        let secret = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                        return unsafe functions.PQconnectStartParams(
                            [database, name, nil], [text, secret, nil], 1)
                    }
                }
            }
        }
    }

    private static func check(_ password: SecretValue?, _ address: ServerAddress) throws(CircleServerError) {
        switch (address.passwordNeed, password) {
        case (.needed, nil):
            throw .refused("The role needs a password, or a client certificate in its address (sslcert, sslkey).")
        case (.none, .some):
            guard case .socket = address.proof else {
                throw .refused("The address has a client certificate: with it a password is not sent.")
            }
            throw .refused("A password over a Unix socket needs requirepeer=USER, whom the server runs as.")
        case (_, let password?):
            let isUsable = unsafe password.withUnsafeBytes { bytes in unsafe !bytes.isEmpty && !bytes.contains(0) }
            guard isUsable, password.isText, password.count <= longestPassword else {
                throw .refused("The role's password is empty, too long, or no text.")
            }
        case (_, nil): break
        }
    }

    private static func ours(
        _ address: ServerAddress, _ host: ServerAddress.Host, hasPassword: Bool
    ) -> [String: String] {
        var options = [
            "host": host.name, "port": "\(host.port)", "user": address.user, "dbname": address.database,
            "target_session_attrs": "read-write", "gssencmode": "disable", "client_encoding": "UTF8",
            "application_name": "llavero", "fallback_application_name": "llavero", "passfile": nowhere,
            "connect_timeout": "30", "keepalives": "1", "keepalives_idle": "60", "keepalives_interval": "15",
            "keepalives_count": "4", "tcp_user_timeout": "60000", "sslcert": nowhere, "sslkey": nowhere,
            "sslrootcert": nowhere, "sslcrl": nowhere, "sslcrldir": "", "sslmode": "disable",
            "channel_binding": "disable", "require_auth": hasPassword ? "scram-sha-256" : "none",
            "sslcertmode": "disable", "ssl_min_protocol_version": "TLSv1.2",
            // For a key that is encrypted: OpenSSL would ask at the terminal.
            "sslpassword": "none",
        ]
        switch address.proof {
        case .socket(let serverUser): options["requirepeer"] = serverUser ?? ""
        case .certificates(let authority, let revoked, let own):
            options["sslmode"] = "verify-full"
            options["sslrootcert"] = authority
            if let revoked { options["sslcrl"] = revoked }
            if let own {
                (options["sslcert"], options["sslkey"]) = (own.file, own.key)
                options["sslcertmode"] = "require"
            } else {
                options["channel_binding"] = "require"
            }
        }
        return options
    }

    /// All options but the service, with what the library was compiled with.
    private static func known(_ functions: llv_pq) throws(CircleServerError) -> [String: String] {
        guard let first = unsafe functions.PQconninfoParse("", nil) else { throw PostgresFailure.outOfMemory }
        defer { unsafe functions.PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = unsafe first
        // The list ends with an option without a name, which the declaration rules out for all before it.
        while let keyword = unsafe UnsafeRawPointer(option).load(as: UnsafePointer<CChar>?.self) {
            let name = unsafe String(cString: keyword)
            // The password's place is empty too: what is given beside the text goes before it.
            if name != "service" {
                options[name] = unsafe option.pointee.compiled.map { unsafe String(cString: $0) } ?? ""
            }
            unsafe option = option.advanced(by: 1)
        }
        return options
    }

    private static func escaped(_ value: String) -> String {
        value.marking("'\\", with: "\\")
    }

    /// Below a file there is nothing: libpq takes that for a file that is not there.
    private static let nowhere = "/dev/null/none"
    private static let longestPassword = 1024
}
