// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle words`, `remove`, `erase-device`, `heal`, `follow`, `move`.
enum CircleChanges {
    static func words(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let key = try TypedRecoveryKey.key(options)
        let action: LogAction
        do throws(CircleError) {
            action = try RecoveryDevice(key).enrolment(in: circle.state.log.circle)
        } catch { throw .failure(CircleWords.sentence(error)) }
        try tool.round(.change([action]))
        options.tell("these words open the circle: whoever has them, and can reach the server, is an owner of it")
    }

    static func remove(_ word: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let device = try CircleNames(of: circle).device(word, present: true)
        guard device != (try? circle.device.card.id()) else {
            throw .usage("that is this machine; `llavero circle leave` ends its part")
        }
        try tool.round(.change([.remove(device)]))
        options.tell(
            "removed \(PlainText.shown(word)): what is stored from now on is closed to it; `llavero circle rotate-list \(PlainText.shown(word))` names what it could read"
        )
        let members = circle.state.log.membership.members
        if members[device]?.roles.isOwner == true {
            for (id, member) in members where member.isPresent && member.isRecovery {
                Tool.say(
                    "the words \(Hexadecimal.digits(of: id.bytes)) are still a member, and it was an owner: if it may know them, remove them as well, and make others with `llavero circle words`"
                )
            }
        }
        options.tell("its role in the database goes with `llavero circle sql --drop ROLE`")
    }

    static func erase(_ word: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let device = try CircleNames(of: circle).device(word, present: false)
        try tool.round(.change([.erase(device, options.has("--all") ? .all : .circle)]))
        options.tell(
            "\(PlainText.shown(word)) erases it when it hears of it; whoever keeps it offline prevents that")
    }

    static func heal(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        let report = try tool.round(.heal)
        options.tell("the server has again what this machine remembers: \(CircleReports.count(report.sent, "record"))")
    }

    static func follow(_ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        let views = Set(
            try tool.local().state.alarms.compactMap { alarm in
                if case .heads(let view)? = alarm.chain { view } else { nil as SyncView? }
            })
        guard !views.isEmpty else {
            throw .failure("there is no alarm that this would answer; `llavero circle status` shows all")
        }
        for view in views { try tool.round(.follow(view)) }
        options.tell("this machine follows what the server has, and merged its own items into it")
    }

    static func move(_ address: String, _ options: Options) throws(CommandError) {
        let tool = try CircleTool(options)
        let server = try tool.server(address, options)
        let circle = try tool.local()
        let sealed: [UInt8]
        do throws(CircleError) {
            sealed = try circle.keys.seal(Array(server.text.utf8), of: .invite([]))
        } catch { throw .failure(CircleWords.sentence(error)) }
        try tool.round(.change([.moved(sealedAddress: sealed)]))
        options.tell(
            "members that hear of it stop writing here, and their daemons follow; where the password there is another one, `llavero circle server ADDRESS` sets it"
        )
    }
}
