// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainTools

/// The manual pages of the programs that git, docker, podman, cargo, ssh and sudo call.
enum HelperManual {
    static func page(of helper: CredentialHelper) -> String {
        switch helper {
        case .git: git
        case .docker: docker
        case .cargo: cargo
        case .askpass: askpass
        }
    }

    private static var git: String {
        var page = ManualPage("git-credential-llavero", section: 1, "gives git its passwords from the keychain")
        page.add(synopsis: ["git config --global credential.helper llavero"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "Git calls it with get, store, erase or capability, and describes the credential on standard input. It stores",
                    "internet passwords of the security domain git, labelled `git: HOST`, which `llavero list` shows. It stores",
                    "a password only after git has used it successfully, and replaces and removes only items that git stored.",
                ],
                [
                    "Of several accounts of a host, git gets its own one that worked last, or else the newest of a person's.",
                    "A URL with a user selects one. Where a negative item (kSecAttrIsNegative) records that there is no password, git",
                    "gets no answer and asks the person.",
                ],
                ["It never prompts and never waits. `llavero unlock` unlocks a locked keychain."],
            ])
        page.add(examples: [
            ("git config --global credential.helper llavero", "git asks it from now on"),
            (
                "printf 'protocol=https\\nhost=example.org\\n\\n' | git credential fill",
                "prints what git gets for a host, with the password"
            ),
        ])
        return ended(&page, "0 on success, also when there is no password; 1 on failure.")
    }

    private static var docker: String {
        var page = ManualPage(
            "docker-credential-llavero", section: 1, "gives podman, skopeo, buildah and docker their passwords")
        page.add(synopsis: ["docker-credential-llavero store | get | erase | list | version"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "These programs call it, once they are configured for it, with the registry on standard input. It stores",
                    "internet passwords of the security domain docker, labelled `docker: URL`, with one account for each registry.",
                ]
            ])
        page.add(section: "SET-UP")
        page.add(
            term: "podman, skopeo, buildah",
            "credential-helpers = [\"llavero\"] in ~/.config/containers/registries.conf.d/llavero.conf. They do not read credsStore:"
                + " without this line they write passwords in base64 into auth.json.")
        page.add(term: "docker", "{\"credsStore\": \"llavero\"} in ~/.docker/config.json")
        page.add([["`llavero doctor` finds passwords that these programs wrote into files before."]])
        page.add(examples: [
            ("docker-credential-llavero list", "prints the registries with an account, and its user"),
            ("podman login registry.example.org", "stores the password here, once podman is set up"),
        ])
        return ended(&page, "0 on success; 1 on failure, with the reason on standard output.")
    }

    private static var cargo: String {
        var page = ManualPage(
            "cargo-credential-llavero", section: 1, "gives cargo the tokens of registries from the keychain")
        page.add(synopsis: ["cargo-credential-llavero --cargo-plugin"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "Cargo 1.74 or newer calls it for the token of a registry: it speaks the protocol of cargo's credential",
                    "providers, one line of JSON for each question and answer. It stores generic passwords of the service",
                    "cargo-registry:INDEX-URL, labelled `cargo: NAME`, which `llavero list` shows.",
                ],
                [
                    "`cargo login` stores a token: from standard input, else it asks on the terminal or the display. Where neither",
                    "exists it fails at once. `cargo logout` removes it. `llavero unlock` unlocks a locked keychain.",
                ],
            ])
        page.add(section: "SET-UP")
        page.add(
            term: "~/.cargo/config.toml",
            "global-credential-providers = [\"cargo-credential-llavero\"] below [registry]: for all registries; or"
                + " credential-provider = \"cargo-credential-llavero\" below [registries.NAME]: for one.")
        page.add(examples: [
            ("cargo login", "asks for the token of crates.io, and stores it"),
            ("cargo login --registry work < token.txt", "stores that of another registry"),
        ])
        return ended(&page, "0 when cargo got an answer, also one that says what failed; 1 on failure.")
    }

    private static var askpass: String {
        var page = ManualPage("llavero-askpass", section: 1, "answers the password prompts of ssh, sudo and git")
        page.add(synopsis: ["llavero-askpass QUESTION"])
        page.add(
            section: "DESCRIPTION",
            [
                [
                    "ssh, sudo and git call it with a question, and it prints the answer: from the keychain, or where that has no",
                    "item for it, from the person on the display or the terminal. Where no prompt is possible it fails at once.",
                ],
                [
                    "Yes-or-no questions (an unknown host, ssh-add -c) are never answered from the keychain. The person is asked, by",
                    "pinentry or on the terminal; without either it fails with a message.",
                ],
                [
                    "A stored answer is given only once to the same question of the same process. If a process asks again, the answer was",
                    "wrong, and the person is asked.",
                ],
            ])
        page.add(section: "ITEMS")
        page.add(term: "ssh: PATH", "the passphrase of a key file, by its absolute path")
        page.add(term: "ssh: USER@HOST", "the password of an account")
        page.add(term: "sudo: USER", "the password that sudo asks for")
        page.add([
            [
                "`llavero add \"ssh: $HOME/.ssh/id_ed25519\"` adds one. Git gets the same answers as from git-credential-llavero(1)."
            ]
        ])
        page.add(section: "ENVIRONMENT")
        for (name, text) in [
            ("SSH_ASKPASS=llavero-askpass", "makes ssh, ssh-add and an ssh-agent that is started later call it"),
            ("SSH_ASKPASS_REQUIRE=force", "makes them call it even if there is a terminal"),
            ("SUDO_ASKPASS=/usr/local/bin/llavero-askpass", "makes `sudo -A` call it; sudo needs the absolute path"),
            ("GIT_ASKPASS=llavero-askpass", "makes git call it where no credential helper has an answer"),
            ("SSH_ASKPASS_PROMPT", "set by ssh: confirm for a yes-or-no question, none for a notice"),
            ("PINENTRY", "the absolute path of the program that prompts; else pinentry in the PATH"),
        ] {
            page.add(term: name, text)
        }
        page.add(examples: [
            (
                "SSH_ASKPASS=llavero-askpass SSH_ASKPASS_REQUIRE=force ssh-add ~/.ssh/id_ed25519",
                "loads a key with its passphrase from the keychain"
            ),
            ("SUDO_ASKPASS=$(command -v llavero-askpass) sudo -A true", "gives sudo the password that was stored for it"),
        ])
        return ended(&page, "0 with an answer; 1 without one, or when the person said no.")
    }

    private static func ended(_ page: inout ManualPage, _ status: String) -> String {
        page.add(section: "EXIT STATUS", [[status]])
        page.add(
            seeAlso: [
                ("cargo-credential-llavero", 1), ("docker-credential-llavero", 1), ("git-credential-llavero", 1),
                ("llavero", 1), ("llavero-askpass", 1), ("llavero-doctor", 1),
            ])
        return page.text
    }
}
