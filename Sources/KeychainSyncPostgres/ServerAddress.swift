// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Where the server of a circle is, and how it proves who it is: read strictly from text, and without any secret.
///
/// Only what is safe is accepted: TLS that verifies the server's name, or a Unix socket of this machine.
package struct ServerAddress: Sendable, Equatable {
    /// Hosts in the order in which they are tried, with their ports.
    package let hosts: [Host]
    package let database: String
    package let user: String
    package let proof: Proof

    package struct Host: Sendable, Equatable {
        package let name: String
        package let port: UInt16
    }

    /// How both sides prove who they are.
    package enum Proof: Sendable, Equatable {
        /// TLS with `sslmode=verify-full`. Without a certificate of ours we prove who we are with a password, by SCRAM bound to the channel.
        case certificates(authority: String, revoked: String?, own: ClientCertificate?)
        /// A Unix socket of this machine, and the user that the server must run as.
        case socket(serverUser: String?)
    }

    package struct ClientCertificate: Sendable, Equatable {
        package let file: String
        package let key: String
    }

    /// Whether a password is needed to log in, may be given, or has no place.
    package enum PasswordNeed: Sendable, Equatable { case needed, allowed, none }

    package var passwordNeed: PasswordNeed {
        switch proof {
        case .certificates(_, _, let own): own == nil ? .needed : .none
        // Whoever answers at the socket would be told the password if it asked: only one that we know may.
        case .socket(let serverUser): serverUser == nil ? .none : .allowed
        }
    }

    /// Reads `postgresql://user@host/database?option=value` or `host=… option=value`, as PostgreSQL's programs do.
    package init(_ text: String) throws(AddressRefusal) {
        guard text.utf8.count <= ServerAddress.longest else { throw AddressRefusal("The address is too long.") }
        // Its escapes and controls have no place in names of hosts, files and databases; what looks like one is a mistake.
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw AddressRefusal("The address contains control characters.")
        }
        var options: [Option: String] = [:]
        if text.begins(with: "postgresql://") || text.begins(with: "postgres://") {
            try AddressReading.url(text, into: &options)
        } else {
            try AddressReading.words(text, into: &options)
        }
        try self.init(options)
    }

    private init(_ options: [Option: String]) throws(AddressRefusal) {
        try ServerAddress.checkFixed(options)
        guard let user = options[.user] else {
            throw AddressRefusal("The address does not say as whom to log in: user=ROLE, or postgresql://ROLE@HOST/….")
        }
        guard let database = options[.database] else {
            throw AddressRefusal(
                "The address does not say which database: dbname=NAME, or postgresql://ROLE@HOST/NAME.")
        }
        self.user = user
        self.database = database
        hosts = try ServerAddress.hosts(options)
        let onSockets = hosts.filter { $0.name.begins(with: "/") }.count
        guard onSockets == 0 || onSockets == hosts.count else {
            throw AddressRefusal("The address mixes Unix sockets and hosts.")
        }
        proof = onSockets > 0 ? try ServerAddress.socket(options) : try ServerAddress.certificates(options)
    }

    /// Options that have one value here, so that an address copied from elsewhere is read, or refused with a reason.
    private init(hosts: [Host], database: String, user: String, proof: Proof) {
        (self.hosts, self.database, self.user, self.proof) = (hosts, database, user, proof)
    }

    /// Another server's address, as this one's role reaches it: with its own name, and its own client certificate if it has one.
    package func moved(to other: ServerAddress) -> ServerAddress {
        var proof = other.proof
        if case .certificates(_, _, let own) = self.proof, case .certificates(let authority, let revoked, _) = proof {
            proof = .certificates(authority: authority, revoked: revoked, own: own)
        }
        return ServerAddress(hosts: other.hosts, database: other.database, user: user, proof: proof)
    }

    /// Whether two addresses lead to one database, as far as their words say.
    package func isSamePlace(as other: ServerAddress) -> Bool {
        database.hasSameBytes(as: other.database)
            && hosts.elementsEqual(other.hosts) { $0.port == $1.port && $0.name.hasSameBytes(as: $1.name) }
    }

    private static func checkFixed(_ options: [Option: String]) throws(AddressRefusal) {
        if let value = options[.channelBinding], value != "require" {
            throw AddressRefusal(
                "channel_binding is always \"require\" here, not \"\(value)\": without it a password could be passed on."
            )
        }
        if let value = options[.sessionAttributes], value != "read-write" {
            throw AddressRefusal(
                "target_session_attrs is always \"read-write\" here, not \"\(value)\": a standby can be behind, which looks like a rollback."
            )
        }
    }

    private static func hosts(_ options: [Option: String]) throws(AddressRefusal) -> [Host] {
        guard let text = options[.host] else {
            throw AddressRefusal("The address names no host: host=NAME, or host=/run/postgresql for a Unix socket.")
        }
        let names = text.parts(between: ",", andEmpty: true).map(String.init)
        let ports = (options[.port] ?? "5432").parts(between: ",", andEmpty: true).map(String.init)
        guard names.count <= mostHosts else { throw AddressRefusal("The address names more than \(mostHosts) hosts.") }
        guard ports.count == 1 || ports.count == names.count else {
            throw AddressRefusal("The address has \(names.count) hosts and \(ports.count) ports.")
        }
        var hosts: [Host] = []
        for (place, name) in names.enumerated() {
            // An abstract socket (@) belongs to whoever is first; a folder has an owner.
            guard !name.isEmpty, !name.begins(with: "@"), name.utf8.allSatisfy({ $0 > 0x20 }) else {
                throw AddressRefusal(
                    "A host of the address is none: give a name, or the folder of a Unix socket, as /run/postgresql.")
            }
            let port = ports.count == 1 ? ports[0] : ports[place]
            guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port), number > 0 else {
                throw AddressRefusal("A port of the address is no number from 1 to 65535.")
            }
            hosts.append(Host(name: name, port: number))
        }
        return hosts
    }

    private static func socket(_ options: [Option: String]) throws(AddressRefusal) -> Proof {
        for option in [Option.mode, .authority, .certificate, .key, .revoked] where options[option] != nil {
            throw AddressRefusal("\(option.rawValue) has no meaning for a Unix socket, over which there is no TLS.")
        }
        return .socket(serverUser: options[.serverUser])
    }

    private static func certificates(_ options: [Option: String]) throws(AddressRefusal) -> Proof {
        guard options[.serverUser] == nil else { throw AddressRefusal("requirepeer is for Unix sockets alone.") }
        guard let mode = options[.mode] else {
            throw AddressRefusal(
                "Say sslmode=verify-full and sslrootcert=FILE: only a server that proves its name is spoken to.")
        }
        guard mode == "verify-full" else {
            throw AddressRefusal(
                "sslmode=\(mode) lets others stand in for the server; only verify-full is accepted, or a Unix socket.")
        }
        guard let authority = options[.authority] else {
            throw AddressRefusal(
                "Say sslrootcert=FILE, with the certificate of the authority that vouches for the server, or sslrootcert=system."
            )
        }
        if authority != "system" { try checkFile(authority, .authority) }
        if let revoked = options[.revoked] { try checkFile(revoked, .revoked) }
        switch (options[.certificate], options[.key]) {
        case (nil, nil): return .certificates(authority: authority, revoked: options[.revoked], own: nil)
        case (let file?, let key?):
            try checkFile(file, .certificate)
            try checkFile(key, .key)
            return .certificates(
                authority: authority, revoked: options[.revoked], own: ClientCertificate(file: file, key: key))
        default: throw AddressRefusal("sslcert and sslkey belong together.")
        }
    }

    /// A path from the root: a daemon's folder is not the one that the address was typed in.
    private static func checkFile(_ path: String, _ option: Option) throws(AddressRefusal) {
        guard path.begins(with: "/") else {
            throw AddressRefusal("\(option.rawValue)=\(path) is not a path that begins with /.")
        }
    }

    enum Option: String, CaseIterable {
        case host, port, user
        case database = "dbname"
        case mode = "sslmode"
        case authority = "sslrootcert"
        case revoked = "sslcrl"
        case certificate = "sslcert"
        case key = "sslkey"
        case serverUser = "requirepeer"
        case channelBinding = "channel_binding"
        case sessionAttributes = "target_session_attrs"
    }

    private static let longest = 4096
    private static let mostHosts = 8
}

/// Why text is no address; a sentence for a person, without anything that could be a secret.
package struct AddressRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

extension ServerAddress: CustomStringConvertible {
    /// The address as text that reads back to the same one.
    package var description: String {
        var words: [(Option, String)] = [
            (.host, hosts.map(\.name).joined(separator: ",")),
            (.port, hosts.map { "\($0.port)" }.joined(separator: ",")), (.user, user), (.database, database),
        ]
        switch proof {
        case .socket(let serverUser):
            if let serverUser { words.append((.serverUser, serverUser)) }
        case .certificates(let authority, let revoked, let own):
            words += [(.mode, "verify-full"), (.authority, authority)]
            if let revoked { words.append((.revoked, revoked)) }
            if let own { words += [(.certificate, own.file), (.key, own.key)] }
        }
        return words.map { "\($0.rawValue)=\(AddressReading.quoted($1))" }.joined(separator: " ")
    }
}

/// The two spellings of an address, read by code points as libpq reads bytes: a mark behind a quotation mark or a comma hides it from
/// nobody.
enum AddressReading {
    /// `name=value` words; values with spaces stand between `'`, where `\` takes the next character as it is.
    static func words(_ text: String, into options: inout [ServerAddress.Option: String]) throws(AddressRefusal) {
        var rest = text.unicodeScalars[...]
        while true {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { return }
            guard let end = rest.firstIndex(where: { $0 == "=" || $0 == " " }), rest[end] == "=" else {
                throw AddressRefusal("The address is neither postgresql://… nor words such as host=… dbname=….")
            }
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            var value = String.UnicodeScalarView()
            let isQuoted = rest.first == "'"
            if isQuoted { rest = rest.dropFirst() }
            var isClosed = !isQuoted
            while let scalar = rest.popFirst() {
                if scalar == "\\" {
                    guard let next = rest.popFirst() else { throw AddressRefusal("The address ends with a backslash.") }
                    value.append(next)
                } else if isQuoted && scalar == "'" {
                    isClosed = true
                    break
                } else if !isQuoted && scalar == " " {
                    break
                } else {
                    value.append(scalar)
                }
            }
            guard isClosed else { throw AddressRefusal("A quotation mark of the address is not closed.") }
            if isQuoted, let next = rest.first, next != " " {
                throw AddressRefusal("Something stands right behind a quoted value.")
            }
            try put(name, String(value), &options)
        }
    }

    static func url(_ text: String, into options: inout [ServerAddress.Option: String]) throws(AddressRefusal) {
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw AddressRefusal("The address has a fragment (#).") }
        var rest = text.halves(at: ":")?.1.behind("//") ?? ""
        var query: Substring?
        if let (before, behind) = rest.halves(at: "?") { (rest, query) = (before, behind) }
        if let (before, name) = rest.halves(at: "/") {
            if !name.isEmpty { try put(ServerAddress.Option.database.rawValue, try decoded(name), &options) }
            rest = before
        }
        if let (user, behind) = rest.halves(at: "@", last: true) {
            guard !user.utf8.contains(UInt8(ascii: ":")) else { throw ofPassword }
            if !user.isEmpty { try put(ServerAddress.Option.user.rawValue, try decoded(user), &options) }
            rest = behind
        }
        if !rest.isEmpty { try authority(rest, &options) }
        guard let query, !query.isEmpty else { return }
        for part in query.parts(between: "&", andEmpty: true) {
            guard let (name, value) = part.halves(at: "=") else {
                throw AddressRefusal("An option of the address has no value.")
            }
            try put(try decoded(name), try decoded(value), &options)
        }
    }

    /// `host`, `host:port`, `[::1]:port`, and several of them with commas between.
    private static func authority(_ text: Substring, _ options: inout [ServerAddress.Option: String])
        throws(AddressRefusal)
    {
        var (names, ports): ([String], [String]) = ([], [])
        for part in text.parts(between: ",", andEmpty: true) {
            var (name, port) = (part, Substring("5432"))
            if let bracketed = part.behind("[") {
                guard let (inside, after) = bracketed.halves(at: "]") else {
                    throw AddressRefusal("A [ of the address is not closed.")
                }
                guard after.isEmpty || after.begins(with: ":") else {
                    throw AddressRefusal("Something stands right behind a ].")
                }
                name = inside
                if let given = after.behind(":") { port = given }
            } else if let (before, given) = part.halves(at: ":") {
                (name, port) = (before, given)
            }
            names.append(try decoded(name))
            ports.append(String(port))
        }
        try put(ServerAddress.Option.host.rawValue, names.joined(separator: ","), &options)
        try put(ServerAddress.Option.port.rawValue, ports.joined(separator: ","), &options)
    }

    private static func put(
        _ name: String, _ value: String, _ options: inout [ServerAddress.Option: String]
    ) throws(AddressRefusal) {
        if name == "password" || name == "sslpassword" { throw ofPassword }
        guard let option = ServerAddress.Option(rawValue: name) else {
            let known = ServerAddress.Option.allCases.map(\.rawValue).joined(separator: ", ")
            // Not echoed when it is no name: whoever pasted a secret in the wrong place does not find it in a log.
            let looksLikeOne =
                name.utf8.count <= 32 && name.utf8.allSatisfy { $0 == 0x5F || (0x61...0x7A).contains($0) }
            throw AddressRefusal(
                "The address has an unknown option\(looksLikeOne ? ", " + name : ""). Known are \(known).")
        }
        guard !value.isEmpty else { throw AddressRefusal("\(name) of the address has no value.") }
        guard options.updateValue(value, forKey: option) == nil else {
            throw AddressRefusal("\(name) stands twice in the address.")
        }
    }

    private static let ofPassword = AddressRefusal(
        "The address contains a password. Addresses are shown and kept in the clear: give the password by itself.")

    private static func decoded(_ text: Substring) throws(AddressRefusal) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit),
                high << 4 | low >= 0x20, high << 4 | low != 0x7F
            else { throw AddressRefusal("The address has a % that is not followed by two hexadecimal digits.") }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AddressRefusal("The address is not UTF-8.")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A value as it stands in words, in quotation marks where it needs them.
    static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && !value.unicodeScalars.contains { " '\\".unicodeScalars.contains($0) }
        return isPlain ? value : "'" + value.marking("'\\", with: "\\") + "'"
    }
}
