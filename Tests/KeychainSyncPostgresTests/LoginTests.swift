// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSync
import KeychainSyncPostgres
import KeychainSystem
import TestPostgres
import TestProcesses
import Testing

@Suite struct LoginTests {
    @Test("a member gets in by SCRAM and by a certificate over TLS, and by SCRAM over the socket")
    func ways() throws {
        let ground = try Ground()
        #expect(throws: Never.self) { try ground.member("scram").perform(.newest([.log])) }

        let certified = ground.role("certified")
        try ground.server.sql(SyncSchema.member(certified, circle: ground.circle, login: .certificate))
        try ground.server.sql("grant by_certificate to \"\(certified)\"")
        let own = try ground.server.certificate(of: certified)
        let address = try ground.address(certified, more: "sslcert=\(own.file) sslkey=\(own.key)")
        #expect(throws: Never.self) { try ground.transport(address).perform(.newest([.log])) }

        let peer = try ground.makeMember("peer")
        try ground.server.sql("grant by_scram to \"\(peer)\"")
        let user = Root.isMine ? "nobody" : NSUserName()
        let local = try ground.socketAddress(peer, more: "requirepeer=\(user)")
        #expect(throws: Never.self) { try ground.transport(local, Ground.password).perform(.newest([.log])) }
    }

    @Test("who is not let in hears why, and never the password")
    func refusals() throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        let wrong = SecretValue(copying: Array("wrong-donkey".utf8))
        try ground.expectRefusal(ground.address(role), wrong, "did not accept the role's password (28P01)")
        try ground.expectRefusal(ground.address(ground.role("nobody")), wrong, "28P01")
        try ground.expectRefusal(ground.address(role), nil, "needs a password")
        try ground.expectRefusal(ground.address(role), SecretValue(copying: []), "empty")
        try ground.expectRefusal(ground.address(role), SecretValue(copying: [0x61, 0, 0x62]), "no text")
        try ground.expectRefusal(ground.socketAddress(role), wrong, "requirepeer=USER")
        try ground.expectRefusal(ground.socketAddress(role, more: "requirepeer=daemon"), wrong, "requirepeer names")
        let elsewhere = try ServerAddress(
            ground.address(role).description.replacing("dbname=circles", with: "dbname=nothing"))
        try ground.expectRefusal(elsewhere, Ground.password, "no database of that name")
        let own = try ground.server.certificate(of: role)
        let certified = try ground.address(role, more: "sslcert=\(own.file) sslkey=\(own.key)")
        try ground.expectRefusal(certified, Ground.password, "a password is not sent")
        // The server wants SCRAM of this role all the same.
        try ground.expectRefusal(certified, nil, "Logging in failed")
    }

    @Test("a certificate of another authority, of another role, without its key or gone is no certificate")
    func certificates() throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        try ground.server.sql("grant by_certificate to \"\(role)\"")
        let other = try ground.server.certificate(of: "somebody else")
        try ground.expectRefusal(
            ground.address(role, more: "sslcert=\(other.file) sslkey=\(other.key)"), nil, "28000")
        let mine = try ground.server.certificate(of: role)
        try ground.expectRefusal(
            ground.address(role, more: "sslcert=\(mine.file) sslkey=\(other.key)"), nil, "did not prove")
        try ground.expectRefusal(
            ground.address(role, more: "sslcert=/nonexistent/c sslkey=\(mine.key)"), nil, "/nonexistent/c")
        let foreign = try ground.server.certificate(of: role, authority: "other")
        try ground.expectRefusal(
            ground.address(role, more: "sslcert=\(foreign.file) sslkey=\(foreign.key)"), nil, "refused|Logging in")
    }

    @Test("a server of another authority or name is not spoken to, nor one without TLS or with less than SCRAM")
    func servers() throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        try ground.expectRefusal(
            ground.address(role, authority: ground.server.otherAuthority), Ground.password, "did not prove who it is")
        try ground.expectRefusal(ground.address(role, host: "127.0.0.1"), Ground.password, "did not prove who it is")
        try ground.expectRefusal(
            ground.address(role, authority: "/nonexistent/ca.pem"), Ground.password, "/nonexistent/ca.pem")
        try ground.expectRefusal(
            ground.address(role, more: "sslcrl=/nonexistent/crl.pem"), Ground.password, "/nonexistent/crl.pem")
        for group in ["by_md5", "in_clear", "trusted"] {
            let weak = try ground.makeMember(group)
            // md5 needs a verifier of its own kind, or the server takes SCRAM by itself.
            if group == "by_md5" {
                try ground.server.sql("set password_encryption = md5; alter role \"\(weak)\" password 'correct-horse'")
            }
            try ground.server.sql("grant \(group) to \"\(weak)\"")
            try ground.expectRefusal(ground.address(weak), Ground.password, "SCRAM with channel binding")
        }
        let plain = try FakeServer { connection in
            // "No TLS": what a server without it says, or somebody in between.
            _ = connection.read(8)
            connection.write(Array("N".utf8))
        }
        let address = try ground.address(role).description.replacing(
            "port=\(ground.server.port)", with: "port=\(plain.port)")
        try ground.expectRefusal(ServerAddress(address), Ground.password, "did not prove who it is")
    }

    @Test("a server that is gone, silent, or hangs up is unreachable, in the time that was given")
    func unreachable() throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        let free = try HeldPort()
        func address(_ port: UInt16) throws -> ServerAddress {
            try ServerAddress(
                ground.address(role).description.replacing("port=\(ground.server.port)", with: "port=\(port)"))
        }
        #expect(try ground.failure(address(free.number), Ground.password).isUnreachable)

        let gone = try FakeServer { _ in }
        #expect(try ground.failure(address(gone.port), Ground.password).isUnreachable)

        let silent = try FakeServer { connection in while !connection.read(1).isEmpty {} }
        var settings = PostgresTransport.Settings()
        settings.connecting = 1
        let before = Date()
        let failure = try ground.failure(address(silent.port), Ground.password, settings)
        #expect(failure.isUnreachable && "\(failure)".contains("in time"))
        #expect(Date().timeIntervalSince(before) >= 0.9)

        let cancellation = Cancellation()
        let waiting = PostgresTransport(
            try address(silent.port), circle: ground.circle, password: Ground.password, cancellation: cancellation)
        Thread.detachNewThread {
            // The first was the one before.
            silent.waitForConnection()
            silent.waitForConnection()
            cancellation.trip()
        }
        do throws(CircleServerError) {
            _ = try waiting.perform(.newest([.log]))
            Issue.record("it answered")
        } catch { #expect("\(error)".contains("cancelled")) }
    }

    @Test("the first host that lets us write is taken; one that refuses is not passed over")
    func hosts() throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        let free = try HeldPort()
        let text = try ground.address(role).description
        let port = ground.server.port
        let second = try ServerAddress(
            text.replacing("host=localhost port=\(port)", with: "host=localhost,localhost port=\(free.number),\(port)"))
        #expect(throws: Never.self) { try ground.transport(second, Ground.password).perform(.newest([.log])) }
        let wrong = try ServerAddress(
            text.replacing("host=localhost port=\(port)", with: "host=127.0.0.1,localhost port=\(port),\(port)"))
        try ground.expectRefusal(wrong, Ground.password, "did not prove")
    }

    @Test("a server that only lets read is not used")
    func standby() throws {
        let ground = try Ground()
        let role = try ground.makeMember("ana")
        try ground.server.sql("alter role \"\(role)\" set default_transaction_read_only to on")
        let failure = try ground.failure(ground.address(role), Ground.password)
        #expect(failure.isUnreachable && "\(failure)".contains("standby"), "\(failure)")
    }
}
