// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainRequest
import KeychainWire
import TestSeed
import Testing

@Suite struct RoundTripTests {
    @Test("a message of any kind and contents is the same bytes after it was read", arguments: Seed.messages)
    func same(kind: Int) throws {
        var seed = Seed(for: "RoundTripTests.same \(kind)")
        for _ in 0..<200 {
            let message = seed.message(kind)
            let bytes = try message.bytes()
            let read = try WireMessage(bytes)
            #expect(read.number == message.number)
            #expect(try read.bytes() == bytes)
        }
    }

    @Test("the head of a message is a property list in its one encoding", arguments: Seed.messages)
    func head(kind: Int) throws {
        var seed = Seed(for: "RoundTripTests.head \(kind)")
        for _ in 0..<50 {
            let bytes = try seed.message(kind).bytes()
            let parts = try WireBytes(bytes)
            #expect(try parts.bytes() == bytes)
        }
    }

    @Test("what a query says arrives")
    func query() throws {
        var attributes = AttributeList()
        attributes[.service] = .string("service")
        attributes[.creationDate] = .date(12.5)
        var request = MatchRequest(
            predicate: ItemPredicate(
                queriedClass: .stored(.genericPassword), attributes: attributes, groups: .named("group"),
                synchronizable: .any, tombstones: true, accessibility: .afterFirstUnlock,
                restriction: .items([.persistent(.item(.genericPassword, PersistentID(high: 1, low: .max)))]),
                filters: [.text(.account, TextPattern("É", at: .whole, matching: TextMatching(ignoring: .diacritics)))]),
            returning: [.data, .attributes], limit: .atMost(7))
        let context = AuthenticationContextID.random()
        let name = AuthenticationRequestID.random()
        request.authentication = AuthenticationTerms(
            context: context, interaction: .skipping, reason: "why", cancelTitle: "no", holder: nil)
        request.authentication.request = name
        let read = try WireMessage(WireMessage(number: 9, .call(.match(request))).bytes())
        guard case .call(.match(let arrived)) = read.content else {
            Issue.record("another call arrived")
            return
        }
        #expect(read.number == 9)
        #expect(arrived.predicate.queriedClass == .stored(.genericPassword))
        #expect(arrived.predicate.attributes == attributes)
        #expect(arrived.predicate.groups == .named("group"))
        #expect(arrived.predicate.synchronizable == .any)
        #expect(arrived.predicate.tombstones)
        #expect(arrived.predicate.accessibility == .afterFirstUnlock)
        #expect(arrived.predicate.filters == request.predicate.filters)
        #expect(arrived.returning == [.data, .attributes])
        #expect(arrived.limit == .atMost(7))
        #expect(arrived.authentication.context == context)
        #expect(arrived.authentication.interaction == .skipping)
        #expect(arrived.authentication.request == name)
        #expect(arrived.authentication.reason == "why")
        #expect(arrived.authentication.cancelTitle == "no")
    }

    @Test("a found item arrives with its secret")
    func found() throws {
        var seed = Seed(for: "RoundTripTests.found")
        let secret = seed.secret()
        var attributes = AttributeList()
        attributes[.account] = .data([1, 2])
        let control = AccessControl(protection: .whenUnlocked, flags: [.biometryCurrentSet, .applicationPassword])
        let item = FoundItem(
            itemClass: .key, persistentID: PersistentID(high: 3, low: 4), attributes: attributes,
            accessControl: try #require(control), secret: secret, keptKey: KeptKey(publicKey: [4], bits: 256))
        let read = try WireMessage(WireMessage(number: 0, .reply(.item(item))).bytes())
        guard case .reply(.item(let arrived?)) = read.content else {
            Issue.record("another reply arrived")
            return
        }
        #expect(arrived.itemClass == .key)
        #expect(arrived.persistentID == item.persistentID)
        #expect(arrived.attributes == attributes)
        #expect(arrived.accessControl == control)
        #expect(arrived.secret?.isEqualInConstantTime(to: secret) == true)
        #expect(arrived.keptKey == item.keptKey)
    }

    @Test("an error arrives with its words, for every reason", arguments: KeychainError.Reason.allCases)
    func error(reason: KeychainError.Reason) throws {
        let error = KeychainError(reason, "what happened", subject: "acct", code: -5, retryAfter: .max)
        let read = try WireMessage(WireMessage(number: 0, .reply(.failure(error))).bytes())
        guard case .reply(.failure(let arrived)) = read.content else {
            Issue.record("another reply arrived")
            return
        }
        #expect(arrived.reason == reason)
        #expect(arrived.text == "what happened")
        #expect(arrived.subject == "acct")
        #expect(arrived.code == -5)
        #expect(arrived.retryAfter == .max)
    }
}
