// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import KeychainSystem
import TestCircles
import TestPostgres
import TestProcesses
import Testing

/// A circle in the tests' database, with roles of its own.
struct Ground {
    let server: PostgresServer
    let circle: CircleID
    /// What the names of its roles begin with: roles belong to the whole server.
    private let prefix: String

    /// The tables, once for all tests.
    private static let setUp = Result { try PostgresServer.shared.get().sql(SyncSchema.setUp) }

    init(_ server: PostgresServer? = nil) throws {
        if server == nil { _ = try Ground.setUp.get() }
        self.server = try server ?? PostgresServer.shared.get()
        prefix = "r\(UInt64.random(in: .min ... .max))"
        circle = try #require(CircleID((0..<16).map { _ in UInt8.random(in: .min ... .max) }))
    }

    func role(_ name: String) -> String { "\(prefix) \(name)" }

    static let password = SecretValue(copying: Array("correct-horse".utf8))

    static func login() throws -> SyncSchema.Login {
        .password(try #require(ScramVerifier(password: password, salt: [UInt8](repeating: 5, count: 16))))
    }

    /// Makes a member's role, unless it is there.
    @discardableResult
    func makeMember(_ name: String) throws -> String {
        try server.sql(SyncSchema.member(role(name), circle: circle, login: Ground.login()))
        return role(name)
    }

    /// An address on the loopback address, with TLS.
    func address(_ role: String, host: String = "localhost", authority: String? = nil, more: String = "") throws
        -> ServerAddress
    {
        try ServerAddress(
            "host=\(host) port=\(server.port) dbname=circles user=\(Ground.quoted(role)) sslmode=verify-full "
                + "sslrootcert=\(authority ?? server.authority) \(more)")
    }

    /// The way of a new member, over TLS with SCRAM.
    func member(_ name: String = "ana", settings: PostgresTransport.Settings = .init()) throws -> PostgresTransport {
        PostgresTransport(
            try address(makeMember(name)), circle: circle, password: Ground.password, settings: settings)
    }

    /// The way of a new member over the socket, whom the server knows by the user that the tests are.
    func local(_ name: String = "ana", settings: PostgresTransport.Settings = .init()) throws -> PostgresTransport {
        try makeMember(name)
        return PostgresTransport(try socketAddress(role(name)), circle: circle, password: nil, settings: settings)
    }

    func transport(
        _ address: ServerAddress, _ password: SecretValue? = nil, _ settings: PostgresTransport.Settings = .init()
    ) -> PostgresTransport {
        PostgresTransport(address, circle: circle, password: password, settings: settings)
    }

    /// Why nothing comes from there.
    func failure(
        _ address: ServerAddress, _ password: SecretValue?, _ settings: PostgresTransport.Settings = .init()
    ) throws -> CircleServerError {
        do throws(CircleServerError) {
            _ = try transport(address, password, settings).perform(.newest([.log]))
        } catch {
            #expect(!"\(error)".contains("horse") && !"\(error)".contains("donkey"))
            return error
        }
        throw Trouble("it answered")
    }

    /// Looks that it is refused, with one of these words.
    func expectRefusal(
        _ address: ServerAddress, _ password: SecretValue?, _ words: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let failure = try failure(address, password)
        let sentence: String
        switch failure {
        case .refused(let text), .wrongPassword(let text): sentence = text
        default:
            Issue.record("\(failure)", sourceLocation: location)
            return
        }
        #expect(words.split(separator: "|").contains { sentence.contains($0) }, "\(sentence)", sourceLocation: location)
    }

    func socketAddress(_ role: String, more: String = "") throws -> ServerAddress {
        try ServerAddress(
            "host=\(server.socket) port=\(server.port) dbname=circles user=\(Ground.quoted(role)) \(more)")
    }

    /// The same as `local`, for a role that is there.
    func local2(_ name: String) throws -> PostgresTransport { transport(try socketAddress(role(name))) }

    /// Something in each table.
    static var insertions: [CircleInsertion] {
        var all: [CircleInsertion] = []
        func add(_ fill: (inout CircleInsertion) -> Void) {
            var insertion = CircleInsertion()
            fill(&insertion)
            all.append(insertion)
        }
        let (view, device) = (CircleConformance.view(1), CircleConformance.device(1))
        add { $0.chains = [(.heads(view), ChainBody(number: 1, body: [1]))] }
        add { $0.records = [(view, CircleConformance.record(1, 1))] }
        add { $0.shares = [ShareBody(device: device, chance: 1, body: [1])] }
        add { $0.seen = [SeenBody(device: device, counter: 1, body: [1])] }
        add { $0.mail = [MailBody(box: CircleConformance.box(1), number: 1, body: [1])] }
        return all
    }

    func fill(_ transport: PostgresTransport) throws {
        for insertion in Ground.insertions { _ = try transport.perform(.insert(insertion)) }
    }

    var circleText: String { "'\\x\(Hexadecimal.digits(of: circle.bytes))'" }

    /// How many rows of the circle are in a table.
    func rows(_ table: String) throws -> Int {
        Int(try server.sql("select count(*) from llavero.\(table) where circle = \(circleText)")) ?? -1
    }

    /// Makes the circle's rows of a table older.
    func age(_ table: String, _ interval: String) throws {
        try server.sql("update llavero.\(table) set at = at - interval '\(interval)' where circle = \(circleText)")
    }

    /// Looks that a statement is refused for want of rights.
    func expectDenied(_ statement: String, as role: String, _ location: SourceLocation = #_sourceLocation) {
        do {
            try server.sql("\\set VERBOSITY verbose\n" + statement, as: role)
            Issue.record("\(statement): it was done", sourceLocation: location)
        } catch { #expect("\(error)".contains("42501"), "\(statement): \(error)", sourceLocation: location) }
    }

    /// All that there is in the schema, with rights and policies.
    func definitions(of database: String = "circles") throws -> String {
        try server.sql(
            """
            select table_name, column_name, data_type, column_default from information_schema.columns
            where table_schema = 'llavero' order by 1, 2;
            select relname, relacl, relrowsecurity from pg_class where relnamespace = 'llavero'::regnamespace order by 1;
            select tablename, policyname, roles, cmd, qual, with_check from pg_policies where schemaname = 'llavero' order by 1, 2;
            select proname, prosrc, proacl from pg_proc where pronamespace = 'llavero'::regnamespace order by 1
            """, database: database)
    }

    private static func quoted(_ value: String) -> String {
        "'" + value.marking("'\\", with: "\\") + "'"
    }
}

extension CircleServerError {
    var isUnreachable: Bool {
        if case .unreachable = self { return true }
        return false
    }
}
