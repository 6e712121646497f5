# SPDX-License-Identifier: Apache-2.0
"""What a person is asked: windows of pinentry, answered with the keyboard."""
from bed import COLLECTION, PASSCODE, ROOT, SERVICE


def shown(bed):
    return [window for window, text in bed.screen.windows() if "pinentry" in text.lower()]


def wait_prompt(bed):
    """pinentry's window, once it reads keys: it grabs the keyboard for that."""
    window = bed.screen.wait("pinentry", 60)
    bed.screen.focus(window)
    bed.screen.until(lambda: bed.screen.is_grabbed(), "that the prompt reads the keyboard", 60)
    return window


def type_passcode(bed, passcode, repeats=False):
    window = wait_prompt(bed)
    bed.screen.type(passcode)
    if repeats:
        # Past the button that shows what is typed.
        bed.screen.press("Tab", "Tab")
        bed.screen.type(passcode)
    bed.screen.press("Return")
    bed.screen.wait_gone(window, 60)


def dismiss(bed):
    window = wait_prompt(bed)
    bed.screen.press("Escape")
    bed.screen.wait_gone(window, 60)


def decide(bed, agrees):
    """Answers a question that is a yes or a no; the window has the no chosen at first, and may not read keys at once."""
    window = bed.screen.wait("pinentry", 60)
    size = window.get_geometry()

    def answered():
        bed.screen.focus(window)
        if agrees:
            # At the right end of the lower edge.
            bed.screen.click(bed.screen.root, size.x + size.width - 50, size.y + size.height - 25)
        else:
            bed.screen.press("Return")
        return all(shown.id != window.id for shown, _ in bed.screen.windows())
    bed.screen.until(answered, "that the question is answered", 60)


def started(bed, *words):
    """A program that runs on while somebody is asked."""
    name = f"asking {len(bed.running)}"
    (bed.folder / (name + ".log")).unlink(missing_ok=True)
    process = bed.spawn(name, words)

    def ended():
        process.wait(60)
        bed.end(name)
        return process.returncode, bed.log(name)
    return ended


def prompt_unlock(bed):
    """A locked keychain opens for a program when the person types the passcode, at the second try too; a refusal ends it."""
    lookup = ("/usr/bin/secret-tool", "lookup", "prompt", "unlock")
    bed.run("secret-tool", "store", "--label=Asked", "prompt", "unlock", input="found", check=True)
    with bed.client() as client:
        client.lock(client.default())
        ended = started(bed, *lookup)
        dismiss(bed)
        assert ended() == (1, ""), "a refusal opened it"
        ended = started(bed, *lookup)
        type_passcode(bed, "wrong")
        type_passcode(bed, PASSCODE)
        code, text = ended()
        assert (code, text) == (0, "found"), (code, text)
        assert not client.get(client.default(), COLLECTION, "Locked")


def prompt_collection(bed):
    """A new collection gets the passcode that the person thinks of, and none is made where the person refuses."""
    before = names(bed)
    with bed.client() as client:
        def make():
            path, prompt = client.call(ROOT, SERVICE, "CreateCollection", "a{sv}s", ({COLLECTION + ".Label": ("s", "Of the desk")}, ""))
            assert path == "/" and prompt != "/", (path, prompt)
            client.watch(interface="org.freedesktop.Secret.Prompt", path=prompt)
            client.call(prompt, "org.freedesktop.Secret.Prompt", "Prompt", "s", ("",))

        def completed():
            while (signal := client.wait_signal(60)) is not None:
                if signal.header.fields.get(3) == "Completed":
                    return signal.body[0], signal.body[1][1]
            raise AssertionError("the prompt never completed")

        make()
        dismiss(bed)
        assert completed() == (True, "/"), "a collection although the person refused"
        assert names(bed) == before
        make()
        type_passcode(bed, "of the desk", repeats=True)
        is_dismissed, path = completed()
        assert not is_dismissed and path in names(bed), path
        client.lock(path)
        _, prompt = client.call(ROOT, SERVICE, "Unlock", "ao", ([path],))
        client.watch(interface="org.freedesktop.Secret.Prompt", path=prompt)
        client.call(prompt, "org.freedesktop.Secret.Prompt", "Prompt", "s", ("",))
        type_passcode(bed, "of the desk")
        assert completed() == (False, [path])
        prompt = client.call(path, COLLECTION, "Delete")
        if prompt != "/":
            client.watch(interface="org.freedesktop.Secret.Prompt", path=prompt)
            client.call(prompt, "org.freedesktop.Secret.Prompt", "Prompt", "s", ("",))
            decide(bed, True)
            assert completed()[0] is False
    assert names(bed) == before


def prompt_program(bed):
    """Where the person wants to be asked about new programs, one is asked about once, and the answer holds from then on."""
    lookup = ("/usr/bin/secret-tool", "lookup", "prompt", "program")
    bed.run("secret-tool", "store", "--label=Asked", "prompt", "program", input="found", check=True)
    bed.tool("apps", "others", "ask")
    try:
        ended = started(bed, *lookup)
        decide(bed, True)
        assert ended() == (0, "found"), "the person agreed"
        assert started(bed, *lookup)() == (0, "found") and not shown(bed), "it was asked about again"
        bed.tool("apps", "forget", "program:/usr/bin/secret-tool")
        ended = started(bed, *lookup)
        decide(bed, False)
        code, text = ended()
        assert code == 1 and "found" not in text, (code, text)
        assert started(bed, *lookup)()[0] == 1 and not shown(bed), "it was asked about again"
    finally:
        bed.tool("apps", "others", "allow")
        bed.tool("apps", "allow", "program:/usr/bin/secret-tool")
    assert started(bed, *lookup)() == (0, "found")


def names(bed):
    with bed.client() as client:
        return sorted(client.get(ROOT, SERVICE, "Collections"))


TESTS = [prompt_unlock, prompt_collection, prompt_program]
