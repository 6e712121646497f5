// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import Testing

@Suite struct SystemUnitTests {
    @Test(
        "a process of a system service belongs to it",
        arguments: [
            ("0::/system.slice/tool.service\n", "tool.service"),
            ("0::/system.slice/tool.service/worker/1\n", "tool.service"),
            // A mark behind a slash hides it from nobody.
            ("0::/system.slice/tool.service/\u{301}worker\n", "tool.service"),
            ("0::/system.slice/system-tool.slice/tool@a.service\n", "tool@a.service"),
            (
                "12:cpu,cpuacct:/x\n1:name=systemd:/system.slice/tool.service\n0::/system.slice/tool.service\n",
                "tool.service"
            ),
            ("1:name=systemd:/system.slice/tool.service\n", "tool.service"),
        ])
    func system(text: String, unit: String) {
        #expect(SystemUnit.named(in: text) == unit)
    }

    @Test(
        "what a user or a container says of itself names no unit",
        arguments: [
            "", "\n", "garbage", "0::/\n", "0::/system.slice\n", "0::/tool.service\n",
            "4:memory:/system.slice/tool.service\n",
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/tool.service\n",
            "0::/user.slice/user-1000.slice/session-2.scope\n", "0::/machine.slice/system.slice/tool.service\n",
            "0::/../system.slice/tool.service\n", "0::/system.slice/../tool.service\n",
            "0::/system.slice/x.scope/tool.service\n",
            "0::/system.slice//tool.service\n", "1:name=systemd:/\n0::/system.slice/tool.service\n",
            "0::/system.slice/user@1000.service/tool.service\n",
        ])
    func others(text: String) {
        #expect(SystemUnit.named(in: text) == nil)
    }
}
