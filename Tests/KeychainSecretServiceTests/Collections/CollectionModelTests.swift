// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSecretService
import TestSeed
import Testing

@Suite struct CollectionModelTests {
    /// What a collection ought to have.
    private struct Model {
        struct Item {
            var label: String
            var attributes: [String: String]
            var type: String
            var secret: [UInt8]
            /// The step at which it was changed last.
            var step: Int
        }

        var items: [String: Item] = [:]

        func search(_ attributes: [String: String]) -> [String] {
            items.filter { $0.value.attributes.hasAll(of: attributes) }.sorted { $0.value.step > $1.value.step }.map(
                \.key)
        }

        func same(_ attributes: [String: String]) -> String? {
            items.filter { $0.value.attributes.isSameSet(as: attributes) }.max { $0.value.step < $1.value.step }?.key
        }
    }

    @Test("a collection does what a dictionary does, whatever is asked of it in whatever order")
    func likeADictionary() throws {
        var seed = Seed(for: "CollectionModelTests.likeADictionary")
        let bed = try CollectionBed(passcode: true)
        var collection = bed.collection()
        var model = Model()
        var isLocked = false
        for step in 0..<400 {
            switch seed.next() % 12 {
            case 0: collection = bed.collection()
            case 1: collection.forgetIndex()
            case 2:
                try isLocked ? bed.unlock() : bed.lock()
                isLocked.toggle()
            default: try write(&seed, step, collection, &model, isLocked)
            }
            try compare(&seed, collection, model, isLocked)
        }
    }

    private func write(
        _ seed: inout Seed, _ step: Int, _ collection: SecretCollection, _ model: inout Model, _ isLocked: Bool
    ) throws {
        var item = Model.Item(
            label: "label \(seed.next() % 9)", attributes: Self.attributes(&seed), type: "type \(seed.next() % 3)",
            secret: (0..<Int(seed.next() % 40)).map { _ in UInt8(truncatingIfNeeded: seed.next()) }, step: step)
        let id = seed.oneIn(8) ? "0123456789abcdef" : model.items.keys.sorted().first { _ in seed.oneIn(4) } ?? ""
        let old = model.items[id]
        let secret = SecretValue(copying: item.secret)
        let kind = seed.next() % 6
        if isLocked, old != nil || kind < 2 {
            #expect(
                refusal {
                    switch kind {
                    case 0, 1:
                        _ = try collection.create(
                            label: item.label, attributes: item.attributes, contentType: item.type, secret: secret,
                            replacing: kind == 0)
                    case 2: _ = try collection.setSecret(secret, contentType: item.type, of: id)
                    case 3: _ = try collection.setLabel(item.label, of: id)
                    case 4: _ = try collection.setAttributes(item.attributes, of: id)
                    default: _ = try collection.delete(id)
                    }
                } == .interactionNotAllowed)
            return
        }
        switch kind {
        case 0, 1:
            let expected = kind == 0 ? model.same(item.attributes) : nil
            let made = try collection.create(
                label: item.label, attributes: item.attributes, contentType: item.type, secret: secret,
                replacing: kind == 0)
            #expect(made.replaced == (expected != nil))
            if let expected { #expect(made.id == expected) } else { #expect(model.items[made.id] == nil) }
            model.items[made.id] = item
            return
        case 2:
            #expect(try collection.setSecret(secret, contentType: item.type, of: id) == (old != nil))
            if let old { (item.label, item.attributes) = (old.label, old.attributes) }
        case 3:
            #expect(try collection.setLabel(item.label, of: id) == (old != nil))
            if let old { (item.attributes, item.type, item.secret) = (old.attributes, old.type, old.secret) }
        case 4:
            #expect(try collection.setAttributes(item.attributes, of: id) == (old != nil))
            if let old { (item.label, item.type, item.secret) = (old.label, old.type, old.secret) }
        default:
            #expect(try collection.delete(id) == (old != nil))
            model.items[id] = nil
            return
        }
        if old != nil { model.items[id] = item }
    }

    private func compare(
        _ seed: inout Seed, _ collection: SecretCollection, _ model: Model, _ isLocked: Bool
    ) throws {
        let wanted = Self.attributes(&seed)
        #expect(try collection.search(wanted) == model.search(wanted))
        #expect(try collection.search([:]) == model.search([:]))
        if seed.oneIn(8) {
            let entries = try collection.entries()
            #expect(entries.map(\.id) == model.search([:]))
            for entry in entries {
                let item = try #require(model.items[entry.id])
                #expect(entry.label == item.label && entry.attributes == item.attributes)
                #expect(entry.contentType == item.type && entry.created <= entry.modified)
            }
        }
        guard !isLocked, seed.oneIn(4) else { return }
        let secrets = try collection.secrets(of: Array(model.items.keys) + ["0123456789abcdef"])
        #expect(secrets.mapValues { $0.0.plain } == model.items.mapValues(\.secret))
        #expect(secrets.mapValues(\.contentType) == model.items.mapValues(\.type))
    }

    private static func attributes(_ seed: inout Seed) -> [String: String] {
        var attributes: [String: String] = [:]
        for name in ["user", "server", "xdg:schema"] where seed.oneIn(2) {
            attributes[name] = seed.pick(["1", "2", "org.freedesktop.Secret.Generic"])
        }
        return attributes
    }

    @Test("what goes between collection and keychain does not grow with the number of items")
    func flat() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        // Made before there is anything, it knows from then on where everything is.
        _ = try collection.search([:])
        var traffic: [[Traffic.Counts]] = []
        var count = 0
        for size in [10, 100, 500] {
            while count < size {
                try collection.store("\(count)", ["xdg:schema": "org.example", "server": "\(count).example.org"])
                count += 1
            }
            let attributes = ["xdg:schema": "org.example", "server": "3.example.org"]
            let id = try #require(try collection.search(attributes).first)
            traffic.append([
                try bed.traffic.during { _ = try collection.search(["server": "3.example.org"]) },
                try bed.traffic.during { _ = try collection.search(attributes) },
                try bed.traffic.during { _ = try collection.search(["server": "none"]) },
                try bed.traffic.during { _ = try collection.secret(of: id) },
                try bed.traffic.during { _ = try collection.secrets(of: [id]) },
                try bed.traffic.during { try collection.store("a", attributes, replacing: true) },
                try bed.traffic.during { _ = try collection.setLabel("b", of: id) },
                try bed.traffic.during { try collection.store("c", ["server": "\(count)"]) },
                try bed.traffic.during { _ = try collection.delete(try collection.store("d", ["server": "d"])) },
            ])
        }
        #expect(Set(traffic.map { "\($0)" }).count == 1, "\(traffic)")
    }

    @Test("the secrets of many items are asked for at once")
    func manySecrets() throws {
        let bed = try CollectionBed()
        let collection = bed.collection()
        let ids = try (0..<200).map { try collection.store("\($0)", ["n": "\($0)"]) }
        _ = try collection.secrets(of: [ids[0]])
        // From here on it is known where the secrets are.
        var count = 0
        let counts = try bed.traffic.during { count = try collection.secrets(of: ids).count }
        #expect(count == 200 && counts.calls == 1)
    }
}
