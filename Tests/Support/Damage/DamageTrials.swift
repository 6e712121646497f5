// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program of `make damage`: damages every byte of a keychain's files in turn, and looks at what the keychain answers then.
///
///     llavero-damage [--every N] [--only PART-OF-A-FILE'S-NAME] [--repairs-every N] [--jobs N] [--notes FILE]
///
/// It ends with a table, a line for each violation, and 1 if there is any; FILE gets a line for each case in which something was
/// lost that may be lost.
@main
enum DamageTrials {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "worker" {
            arguments.removeFirst()
            return try Worker(Plan(arguments), arguments: arguments).run()
        }
        let plan = try Plan(arguments)
        let isRight = try tried(plan)
        exit(isRight ? 0 : 1)
    }

    private static func tried(_ plan: Plan) throws -> Bool {
        defer { try? FileManager.default.removeItem(at: plan.ground) }
        try SampleKeychain.make(in: plan.ground)
        return try Foreman(plan).run()
    }
}

/// Which damages are tried, and where.
struct Plan {
    var every = 1
    var repairsEvery = 97
    var only = ""
    var notes = ""
    /// A damaged page is read again after a pause, and meanwhile another process works.
    var jobs = 2 * max(ProcessInfo.processInfo.activeProcessorCount, 1)
    /// The number of the worker, and of the first case it takes.
    var worker = 0
    var first = 0
    /// The folder with the keychains as they were, and the places where workers damage them.
    var ground: URL

    init(_ arguments: [String]) throws {
        let memory = "/dev/shm"
        let root =
            access(memory, W_OK) == 0 ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        ground = root.appendingPathComponent("llavero-damage-\(getpid())")
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Trouble("\(name) needs a value") }
            switch (name, Int(value)) {
            case ("--every", let number?) where number > 0: every = number
            case ("--repairs-every", let number?) where number > 0: repairsEvery = number
            case ("--jobs", let number?) where number > 0: jobs = number
            case ("--worker", let number?): worker = number
            case ("--first", let number?): first = number
            case ("--only", _): only = value
            case ("--notes", _): notes = value
            case ("--ground", _): ground = URL(fileURLWithPath: value)
            default: throw Trouble("what is \(name) \(value)?")
            }
        }
    }

    /// The arguments of a worker that goes on from a case.
    func arguments(ofWorker worker: Int, from first: Int) -> [String] {
        let numbers = [
            ("--every", every), ("--repairs-every", repairsEvery), ("--jobs", jobs), ("--worker", worker),
            ("--first", first),
        ]
        return ["worker"] + numbers.flatMap { [$0.0, String($0.1)] } + ["--only", only, "--ground", ground.path]
    }
}

struct Trouble: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
