// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainCrypto
internal import KeychainTools
internal import SecurityTool

/// The command line tool: one verb a call, `llavero help` names them.
@main
enum LlaveroCommand {
    static func main() {
        Tool.start()
        LibraryStart.withoutConfiguration()
        var words = Tool.arguments.dropFirst()
        // One program under several names: a link to it is all that the others take.
        if Tool.name == "security" { SecurityTool.main(words) }
        if let helper = CredentialHelper(rawValue: Tool.name) { helper.main(words) }
        let name = words.popFirst() ?? ""
        do throws(CommandError) {
            // What runs a command hands its words on as they are.
            let read = name == RunVerb.name ? Tool.arguments.firstIndex(of: "--") : nil
            if let place = Tool.unreadableWord(before: read ?? .max) { throw .usage("word \(place) is no UTF-8") }
            guard let verb = VerbTable.verb(name) else {
                throw .usage(name.isEmpty ? "say what to do" : VerbTable.nothing(called: name))
            }
            if words.prefix(while: { $0 != "--" }).contains("--help") {
                print(verb.help + VerbExamples.text(of: verb.name))
            } else {
                try verb.run(words)
            }
        } catch {
            Tool.say(error.sentence(name))
            Tool.end(error.exitCode)
        }
        Tool.end(0)
    }
}
