// SPDX-License-Identifier: Apache-2.0

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
