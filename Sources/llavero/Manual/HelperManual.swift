// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainManual

/// The pages about the programs that git, docker, podman, ssh and sudo call.
enum HelperManual {
    static func page(of helper: CredentialHelper) -> String {
        switch helper {
        case .git: git
        case .docker: docker
        case .askpass: askpass
        }
    }

    private static var git: String {
        var page = ManualPage("git-credential-llavero", section: 1, "gives git its passwords out of the keychain")
        page.add(synopsis: ["git config --global credential.helper llavero"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "Git calls it with get, store, erase or capability, and says on standard input what for. What it stores are",
                    "internet passwords of the security domain git, labelled `git: HOST`; `llavero list` shows them. It stores",
                    "nothing before git has found it right, and replaces and removes what git stored itself and nothing else.",
                ],
                [
                    "Of several accounts of a host, the one of git's own that worked last is given, then the newest of a person's.",
                    "A URL with a user in it names one. Where an item says that there is no password (kSecAttrIsNegative), git is",
                    "told nothing and asks.",
                ],
                ["It asks nobody and waits for nobody. A locked keychain is unlocked with `llavero unlock`."],
            ])
        return ended(&page, "0 when it did what it was to, also when there is no password; 1 when that failed.")
    }

    private static var docker: String {
        var page = ManualPage(
            "docker-credential-llavero", section: 1, "gives podman, skopeo, buildah and docker their passwords")
        page.add(synopsis: ["docker-credential-llavero store | get | erase | list | version"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "These programs call it, once they are set up for it, with the registry on standard input. What it stores are",
                    "internet passwords of the security domain docker, labelled `docker: URL`, one account for each registry.",
                ]
            ])
        page.add(section: "SET-UP")
        page.add(
            term: "podman, skopeo, buildah",
            "credential-helpers = [\"llavero\"] in ~/.config/containers/registries.conf.d/llavero.conf. They do not read credsStore:"
                + " without this line they write passwords in base64 into auth.json.")
        page.add(term: "docker", "{\"credsStore\": \"llavero\"} in ~/.docker/config.json")
        page.add([["`llavero doctor` finds passwords that were written into files before."]])
        return ended(&page, "0 when it did what it was to; 1 when that failed, with the reason on standard output.")
    }

    private static var askpass: String {
        var page = ManualPage("llavero-askpass", section: 1, "answers what ssh, sudo and git ask")
        page.add(synopsis: ["llavero-askpass QUESTION"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "ssh, sudo and git call it with a question, and it prints the answer: out of the keychain, and where there is no",
                    "item for it, from the person at the display or the terminal. Where nobody can be asked it fails at once.",
                ],
                [
                    "Questions for yes or no (an unknown host, ssh-add -c) are never answered by the keychain. The person is asked, by",
                    "pinentry or on the terminal; without one it fails, and says so.",
                ],
                [
                    "A stored answer is given once to the same question of the same process. A process that asks again found it",
                    "wrong; then the person is asked.",
                ],
            ])
        page.add(section: "ITEMS")
        page.add(term: "ssh: PATH", "the passphrase of a key file, by its path from the root on")
        page.add(term: "ssh: USER@HOST", "the password of an account")
        page.add(term: "sudo: USER", "the password that sudo asks for")
        page.add([
            [
                "`llavero add \"ssh: $HOME/.ssh/id_ed25519\"` makes one. Git gets what git-credential-llavero(1) would give."
            ]
        ])
        page.add(section: "ENVIRONMENT")
        for (name, text) in [
            ("SSH_ASKPASS=llavero-askpass", "has ssh, ssh-add and an ssh-agent that is started later call it"),
            ("SSH_ASKPASS_REQUIRE=force", "has them call it although there is a terminal"),
            ("SUDO_ASKPASS=/usr/local/bin/llavero-askpass", "has `sudo -A` call it; sudo wants the whole path"),
            ("GIT_ASKPASS=llavero-askpass", "has git call it where no credential helper knows the answer"),
            ("SSH_ASKPASS_PROMPT", "set by ssh: confirm for a question for yes or no, none for a notice"),
            ("PINENTRY", "the program that asks, an absolute path; else pinentry in the PATH"),
        ] {
            page.add(term: name, text)
        }
        return ended(&page, "0 when it answered; 1 when nobody did, or the person said no.")
    }

    private static func ended(_ page: inout ManualPage, _ status: String) -> String {
        page.add(section: "EXIT STATUS", [[status]])
        page.add(
            seeAlso: [
                ("docker-credential-llavero", 1), ("git-credential-llavero", 1), ("llavero", 1), ("llavero-askpass", 1),
                ("llavero-doctor", 1),
            ])
        return page.text
    }
}
