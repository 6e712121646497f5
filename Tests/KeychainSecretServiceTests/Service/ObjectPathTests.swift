// SPDX-License-Identifier: Apache-2.0

import KeychainSecretService
import TestSeed
import Testing

@Suite struct ObjectPathTests {
    static let known: [(ObjectPath, String)] = [
        (.service, "/org/freedesktop/secrets"),
        (.collection("login"), "/org/freedesktop/secrets/collection/login"),
        (.collection("Default keyring"), "/org/freedesktop/secrets/collection/Default_20keyring"),
        (.collection("aws-vault \u{FC}"), "/org/freedesktop/secrets/collection/aws_2dvault_20_c3_bc"),
        (.collection("a_b/c"), "/org/freedesktop/secrets/collection/a_5fb_2fc"),
        (.collection(""), "/org/freedesktop/secrets/collection/_"),
        (.collection("\0"), "/org/freedesktop/secrets/collection/_00"),
        (.item(collection: "login", id: "17"), "/org/freedesktop/secrets/collection/login/17"),
        (.alias("default"), "/org/freedesktop/secrets/aliases/default"),
        (.aliasedItem(alias: "default", id: "17"), "/org/freedesktop/secrets/aliases/default/17"),
        (.session("s1"), "/org/freedesktop/secrets/session/s1"),
        (.prompt("p1"), "/org/freedesktop/secrets/prompt/p1"),
    ]

    @Test("an object has the path that other providers of the service give it", arguments: known)
    func text(object: ObjectPath, path: String) {
        #expect(object.text == path)
        #expect(ObjectPath(path) == object)
    }

    @Test(
        "a path that the service never gives names nothing",
        arguments: [
            "", "/", "/org/freedesktop/secret", "/org/freedesktop/secrets/", "/org/freedesktop/secretsx",
            "/org/freedesktop/secrets/collection", "/org/freedesktop/secrets/collection/",
            "/org/freedesktop/secrets/collection//", "/org/freedesktop/secrets/collection/a/",
            "/org/freedesktop/secrets/collection/a/b/c", "/org/freedesktop/secrets/collections/a",
            "/org/freedesktop/secrets/session/a/b", "/org/freedesktop/secrets/prompt/a/b",
            // Text that decodes and is not what encoding gives.
            "/org/freedesktop/secrets/collection/_61", "/org/freedesktop/secrets/collection/a_2D",
            "/org/freedesktop/secrets/collection/__", "/org/freedesktop/secrets/collection/a_",
            "/org/freedesktop/secrets/collection/a_2", "/org/freedesktop/secrets/collection/a_2g",
            "/org/freedesktop/secrets/collection/a-b", "/org/freedesktop/secrets/collection/\u{FC}",
            // Bytes that are not UTF-8.
            "/org/freedesktop/secrets/collection/_ff", "/org/freedesktop/secrets/collection/_c3",
            "/org/freedesktop/secrets/collection/_c0_80",
        ])
    func foreign(path: String) {
        #expect(ObjectPath(path) == nil)
    }

    @Test("names of other bytes are other objects, even where Swift takes the texts for equal")
    func equality() {
        let (one, two) = ("\u{E9}", "e\u{301}")
        #expect(one == two)
        #expect(ObjectPath.collection(one) != .collection(two))
        #expect(Set([ObjectPath.collection(one), .collection(two)]).count == 2)
    }

    @Test("every name comes back from its path, and the path has only what a bus allows")
    func roundTrip() {
        var seed = Seed(for: "object paths")
        let allowed = Set("/_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        for _ in 0..<2000 {
            let limit: UInt32 = seed.oneIn(2) ? 0x80 : 0x11_0000
            let scalars = (0..<seed.next() % 12).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0..<limit, using: &seed))
            }
            let name = String(String.UnicodeScalarView(scalars))
            for object in [ObjectPath.collection(name), .item(collection: name, id: name), .alias(name)] {
                #expect(object.text.utf8.allSatisfy(allowed.contains))
                #expect(ObjectPath(object.text) == object)
            }
        }
    }
}
