// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSync
import KeychainSyncPostgres
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
        guard case .refused(let sentence) = failure else {
            Issue.record("\(failure)", sourceLocation: location)
            return
        }
        #expect(words.split(separator: "|").contains { sentence.contains($0) }, "\(sentence)", sourceLocation: location)
    }

    func socketAddress(_ role: String, more: String = "") throws -> ServerAddress {
        try ServerAddress(
            "host=\(server.socket) port=\(server.port) dbname=circles user=\(Ground.quoted(role)) \(more)")
    }

    private static func quoted(_ value: String) -> String {
        "'" + value.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
    }
}

extension CircleServerError {
    var isUnreachable: Bool {
        if case .unreachable = self { return true }
        return false
    }
}
