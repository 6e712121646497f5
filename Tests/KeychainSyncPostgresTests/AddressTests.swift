// SPDX-License-Identifier: Apache-2.0

import CPostgres
import KeychainModel
import KeychainSyncPostgres
import Testing

@Suite struct ServerAddressTests {
    @Test(
        "an address is read, and reads back",
        arguments: [
            (
                "postgresql://ana@db.example.org/circles?sslmode=verify-full&sslrootcert=/etc/ca.pem",
                "host=db.example.org port=5432 user=ana dbname=circles sslmode=verify-full sslrootcert=/etc/ca.pem"
            ),
            (
                "postgres://a%20b@[2001:db8::1]:6432,db2:5433/ci%2Frcles?sslmode=verify-full&sslrootcert=system",
                "host=2001:db8::1,db2 port=6432,5433 user='a b' dbname=ci/rcles sslmode=verify-full sslrootcert=system"
            ),
            (
                "postgresql:///circles?host=/run/postgresql&user=ana&requirepeer=postgres",
                "host=/run/postgresql port=5432 user=ana dbname=circles requirepeer=postgres"
            ),
            (
                "host=db,db2 dbname=circles  user='o\\'Brien \\\\' sslmode=verify-full sslrootcert=/a sslcert=/c sslkey=/k "
                    + "sslcrl=/r channel_binding=require target_session_attrs=read-write",
                "host=db,db2 port=5432,5432 user='o\\'Brien \\\\' dbname=circles sslmode=verify-full sslrootcert=/a sslcrl=/r "
                    + "sslcert=/c sslkey=/k"
            ),
        ])
    func read(text: String, plain: String) throws {
        let address = try ServerAddress(text)
        #expect(address.description == plain)
        #expect(try ServerAddress(plain) == address)
    }

    /// Marks that belong to the sign before or behind them, and hide it from whoever looks for whole letters.
    static let hiding = [
        "c'\u{301} sslmode='disable' hostaddr='192.0.2.7' x='", "c\u{D4E}' sslmode='disable' hostaddr='192.0.2.7' x='",
        "c\\\u{301}' sslmode='disable' hostaddr='192.0.2.7' x='", "c\\\u{200D}", "c'\u{200D}", "\u{D4E}\\",
        "a \u{301}b=c",
        "'\u{301}", "\\\u{301}", "=\u{301}", ",\u{301}", "?\u{301}#", "\u{37E}\u{1FEF}",
    ]

    @Test("a name is itself and nothing more, whatever marks are in it", arguments: hiding)
    func marks(name: String) throws {
        let quoted = name.unicodeScalars.map { "'\\".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        let address = try ServerAddress("host=db user=a dbname='\(quoted)' sslmode=verify-full sslrootcert=/ca")
        #expect(Array(address.database.unicodeScalars) == Array(name.unicodeScalars))
        #expect(Array(try ServerAddress(address.description).database.unicodeScalars) == Array(name.unicodeScalars))
        let encoded = name.utf8.map { "%" + String($0, radix: 16) }.joined()
        let url = try ServerAddress("postgresql://\(encoded)@db/\(encoded)?sslmode=verify-full&sslrootcert=/ca")
        for text in [url.database, url.user] { #expect(Array(text.unicodeScalars) == Array(name.unicodeScalars)) }

        let options = try Self.options(of: url)
        #expect(Array((options["dbname"] ?? "").unicodeScalars) == Array(name.unicodeScalars))
        #expect(Array((options["user"] ?? "").unicodeScalars) == Array(name.unicodeScalars))
        #expect(options["sslmode"] == "verify-full" && options["hostaddr"] == "" && options["host"] == "db")
        #expect(options["sslrootcert"] == "/ca" && options["channel_binding"] == "require")
    }

    @Test("what the address says stands before what we say, in one order")
    func order() throws {
        let address = try ServerAddress("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca")
        let text = try ConnectionOptions.text(address, address.hosts[0], password: Ground.password)
        #expect(text == (try ConnectionOptions.text(address, address.hosts[0], password: Ground.password)))
        let names = text.split(separator: " ").compactMap { $0.split(separator: "=").first.map(String.init) }
        #expect(Array(names.prefix(4)) == ["dbname", "user", "host", "port"], "\(text)")
        let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: max)
        for name in ["sslmode", "hostaddr", "channel_binding", "gssencmode", "passfile"] {
            #expect(try #require(places[name]) > #require(places["sslrootcert"]), "\(name)")
        }
    }

    /// What libpq reads from what it would be given.
    private static func options(of address: ServerAddress) throws -> [String: String] {
        let functions = try #require(unsafe llv_pq_functions()).pointee
        let text = try ConnectionOptions.text(address, address.hosts[0], password: Ground.password)
        let first = try #require(unsafe functions.PQconninfoParse(text, nil), "libpq does not read \(text)")
        defer { unsafe functions.PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = unsafe first
        while let keyword = unsafe UnsafeRawPointer(option).load(as: UnsafePointer<CChar>?.self) {
            options[unsafe String(cString: keyword)] = unsafe option.pointee.val.map { unsafe String(cString: $0) }
            unsafe option = option.advanced(by: 1)
        }
        return options
    }

    @Test("a host that begins with a slash is a socket, and a comma parts hosts, whatever mark follows")
    func hosts() throws {
        #expect(throws: AddressRefusal.self) {
            try ServerAddress("host=/\u{301}tmp user=a dbname=c sslmode=verify-full sslrootcert=/ca")
        }
        #expect(throws: AddressRefusal.self) {
            try ServerAddress("host=@\u{301}tmp user=a dbname=c sslmode=verify-full sslrootcert=/ca")
        }
        let two = try ServerAddress("host=db,\u{301}b user=a dbname=c sslmode=verify-full sslrootcert=/ca")
        #expect(two.hosts.count == 2)
    }

    @Test("two spellings of a letter are two places")
    func spellings() throws {
        func address(_ database: String) throws -> ServerAddress {
            try ServerAddress("host=db user=a dbname=\(database) sslmode=verify-full sslrootcert=/ca")
        }
        #expect(try address("\u{E9}").isSamePlace(as: address("\u{E9}")))
        #expect(try !address("\u{E9}").isSamePlace(as: address("e\u{301}")))
    }

    @Test(
        "what is unsafe, unknown or unclear is refused with words",
        arguments: [
            ("", "as whom to log in"),
            ("db.example.org", "neither"),
            ("host=db user=a", "which database"),
            ("host=db user=a dbname=c", "sslmode=verify-full"),
            ("host=db user=a dbname=c sslmode=verify-full", "sslrootcert=FILE"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=ca.pem", "begins with /"),
            ("host=db user=a dbname=c sslmode=require sslrootcert=/ca", "only verify-full"),
            ("host=db user=a dbname=c sslmode=verify-ca sslrootcert=/ca", "only verify-full"),
            ("host=db user=a dbname=c sslmode=disable", "only verify-full"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca sslcert=/c", "belong together"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca channel_binding=prefer", "passed on"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca target_session_attrs=any", "rollback"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca requirepeer=postgres", "Unix sockets alone"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca password=hunter2", "contains a password"),
            ("host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca sslpassword=hunter2", "contains a password"),
            ("postgresql://a:hunter2@db/c?sslmode=verify-full&sslrootcert=/ca", "contains a password"),
            ("postgresql://a:hun/ter2@db/c?sslmode=verify-full&sslrootcert=/ca", "as whom"),
            ("postgresql://a:hun?ter2@db/c", "has no value"),
            ("postgresql://a@db/c?password=hunter2", "contains a password"),
            ("postgresql://a@db/c?hunter2=1", "unknown option. Known are"),
            ("postgresql://a@db/c?sslmode=verify-full&sslrootcert=/ca#x", "fragment"),
            ("postgresql://a@db/c?user=b", "stands twice"),
            ("postgresql://a@db/c%0", "hexadecimal digits"),
            ("postgresql://a@db/c%00", "hexadecimal digits"),
            ("postgresql://a@db/c%ff", "not UTF-8"),
            ("postgresql://a@[::1/c", "not closed"),
            ("host=db host=db2 user=a dbname=c", "stands twice"),
            ("host=db user=a dbname=c service=prod", "unknown option, service"),
            ("host=db user=a dbname=c passfile=/home/a/.pgpass", "unknown option, passfile"),
            ("host=db user=a dbname=c options=-csearch_path=x", "unknown option, options"),
            ("host=db user=a dbname=c hostaddr=1.2.3.4", "unknown option, hostaddr"),
            ("host=@abstract user=a dbname=c", "is none"),
            ("host=db, user=a dbname=c", "is none"),
            ("host=/run,db user=a dbname=c", "mixes"),
            ("host=/run user=a dbname=c sslmode=verify-full", "no meaning for a Unix socket"),
            ("host=db port=0 user=a dbname=c", "no number"),
            ("host=db port=65536 user=a dbname=c", "no number"),
            ("host=db port=+1 user=a dbname=c", "no number"),
            ("host=a,b,c port=1,2 user=a dbname=c", "3 hosts and 2 ports"),
            ("host=a,b,c,d,e,f,g,h,i user=a dbname=c", "more than 8"),
            ("host='db user=a", "not closed"),
            ("host='db'x user=a", "right behind"),
            ("host=db\\", "backslash"),
            ("host= user=a", "has no value"),
            ("host=db\nuser=a", "control characters"),
            (String(repeating: "a", count: 5000), "too long"),
        ])
    func refused(text: String, words: String) throws {
        do throws(AddressRefusal) {
            let address = try ServerAddress(text)
            Issue.record("it was read as \(address)")
        } catch {
            #expect(error.description.contains(words), "\(error)")
            #expect(!error.description.contains("hunter2") && !error.description.contains("ter2"))
        }
    }

    @Test("a password is needed where nothing else proves who we are, and is not told to anybody")
    func passwords() throws {
        let tls = "host=db user=a dbname=c sslmode=verify-full sslrootcert=/ca"
        #expect(try ServerAddress(tls).passwordNeed == .needed)
        #expect(try ServerAddress(tls + " sslcert=/c sslkey=/k").passwordNeed == .none)
        #expect(try ServerAddress("host=/run user=a dbname=c").passwordNeed == .none)
        #expect(try ServerAddress("host=/run user=a dbname=c requirepeer=postgres").passwordNeed == .allowed)
    }
}
