# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that is told what to do over a pipe, and that keeps what pages complain of and ask for."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="llavero-pages-")
        to_browser, from_browser = os.pipe(), os.pipe()

        def descriptors():
            # Chromium reads commands from 3 and writes answers to 4.
            incoming, outgoing = os.dup(to_browser[0]), os.dup(from_browser[1])
            os.dup2(os.dup(incoming) if incoming == 4 else incoming, 3)
            os.dup2(outgoing, 4)

        arguments = [
            PROGRAM, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--no-first-run",
            "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--hide-scrollbars", "--force-color-profile=srgb", "--disable-dev-shm-usage"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        self.process = subprocess.Popen(
            arguments + ["about:blank"], preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.writing, self.reading = to_browser[1], os.fdopen(from_browser[0], "rb", buffering=0)
        self.rest, self.number, self.pages = b"", 0, {}
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, EOFError):
            pass
        self.reading.close()
        os.close(self.writing)
        self.process.wait(60)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        """What the browser answers; whatever it tells of meanwhile goes to the pages."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next(self):
        while b"\0" not in self.rest:
            part = self.reading.read(1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.rest += part
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        page = self.pages.get(message.get("sessionId"))
        if page and "method" in message:
            page.told(message["method"], message["params"])
        return message

    def page(self, path, **looks):
        return Page(self, pathlib.Path(path).resolve().as_uri(), **looks)


class Page:
    def __init__(self, browser, address, width=1100, height=900, dark=False):
        self.browser, self.complaints, self.requests, self.is_loaded = browser, [], [], False
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.go(address)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def told(self, method, parameters):
        if method == "Page.loadEventFired":
            self.is_loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"].get("text", "exception"))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([argument.get("value") for argument in parameters["args"]]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def go(self, address):
        self.is_loaded = False
        self.call("Page.navigate", url=address)
        self.await_load()

    def await_load(self):
        while not self.is_loaded:
            self.browser.next()

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", expression))
        return answer["result"].get("value")

    def press(self, key, code=0, text=None):
        for kind in ("keyDown", "keyUp"):
            event = {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
            if text and kind == "keyDown":
                event["text"] = text
            self.call("Input.dispatchKeyEvent", **event)

    def tab(self):
        self.press("Tab", 9)

    def enter(self):
        self.press("Enter", 13, "\r")

    def type(self, text):
        self.call("Input.insertText", text=text)

    @property
    def focus(self):
        """What has the keyboard: its class, id or text."""
        return self.value(
            "(e => e.className || e.id || e.getAttribute('aria-labelledby') || e.textContent.slice(0, 40))(document.activeElement)")

    @property
    def overflow(self):
        """By how many pixels the page is wider than the window."""
        return self.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def picture(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = dict(x=0, y=0, width=size["width"], height=min(size["height"], 8000), scale=1)
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def violations(self, axe):
        """What axe-core finds, of the rules of WCAG 2.2 and of good practice."""
        self.value(axe + "; 1")
        found = self.value("axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(found.violations.map("
                           "one => [one.id, one.impact, one.nodes.map(node => node.html.slice(0, 200) + ' ' + node.failureSummary)])))")
        return json.loads(found)


def look(chromium, path, axe, looks, pictures, name):
    """What is wrong with a page in each of the looks."""
    failures = []
    for word, how in looks:
        page = chromium.page(path, **how)
        if pictures:
            page.picture(pictures / f"{name}-{word}.png")
        failures += [f"{name}, {word}: {text}" for text in page.complaints]
        failures += [f"{name}, {word}: asked for {url}" for url in page.requests if not url.startswith(("file:", "data:"))]
        if page.overflow > 0:
            failures.append(f"{name}, {word}: {page.overflow} pixels wider than the window")
        failures += [f"{name}, {word}: axe: {one}" for one in page.violations(axe)]
        page.call("Page.close")
    return failures
