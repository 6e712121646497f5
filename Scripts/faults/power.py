# SPDX-License-Identifier: Apache-2.0
"""What a disk may hold when the power goes: made of the folder as it was, and a record of the calls since
(Tests/Support/KillPoint/record_disk.c).

A file's content is safe once the file was synced, a name once its folder was. The rest may be there or not, in any mixture: a
`Disk` gives some that file systems are known for.
"""
import os
import random
from operator import attrgetter
from typing import NamedTuple

from ground import Picture


class Call(NamedTuple):
    """A call that changed something, or a sync; the driver adds "done" where the command had ended and said so."""

    verb: str
    inode: int
    number: int
    mode: int
    data: bytes


def calls_of(record):
    """The calls in the bytes of a record."""
    at = 0
    while at < len(record):
        end = record.index(b"\n", at)
        verb, inode, number, mode, size = record[at:end].decode().split()
        at = end + 1 + int(size)
        yield Call(verb, int(inode), int(number), int(mode, 8), record[end + 1:at])


class File:
    def __init__(self, mode, content=b""):
        self.mode, self.content, self.synced = mode, content, content
        # The changes since the last sync.
        self.unsynced = []

    def change(self, call):
        self.content = changed(self.content, call)
        self.unsynced.append(call)

    def sync(self):
        self.synced, self.unsynced = self.content, []

    def in_parts(self, unit, chance):
        """The content with some parts of what was not synced, each of so many bytes; sizes too are kept or lost."""
        content = self.synced
        for call in self.unsynced:
            if call.verb == "size":
                content = changed(content, call) if chance.random() < 0.5 else content
                continue
            at, end = call.number, call.number + len(call.data)
            while at < end:
                until = min(at - at % unit + unit, end)
                part = call._replace(number=at, data=call.data[at - call.number:until - call.number])
                content = changed(content, part) if chance.random() < 0.5 else content
                at = until
        return content


def changed(content, call):
    if call.verb == "size":
        return content[:call.number].ljust(call.number, b"\0")
    end = call.number + len(call.data)
    return content[:call.number].ljust(call.number, b"\0") + call.data + content[end:]


class Folder:
    def __init__(self, mode):
        self.mode, self.names, self.synced = mode, {}, {}

    def sync(self):
        self.synced = dict(self.names)


class Disk:
    """A folder, followed from call to call; one that `forgets_syncs` has nothing safe but what was there at the beginning."""

    def __init__(self, base, forgets_syncs=False):
        self.base, self.forgets_syncs = base, forgets_syncs
        self.nodes = {}
        self.root = self.scan(base)
        # The names after each call, from the last call that synced anything on: a journal writes them in this order.
        self.journal = [self.tree("names")]

    def scan(self, path):
        """What is there at the beginning is safe."""
        status = os.lstat(path)
        if os.path.isdir(path):
            node = Folder(status.st_mode & 0o7777)
            node.names = {entry.name: self.scan(entry.path) for entry in os.scandir(path)}
            node.sync()
        else:
            with open(path, "rb") as file:
                node = File(status.st_mode & 0o7777, file.read())
        self.nodes[status.st_ino] = node
        return node

    def parent(self, path):
        """The folder of a path, and the name in it."""
        *folders, name = os.path.relpath(path.decode(), self.base).split("/")
        node = self.root
        for folder in folders:
            node = node.names[folder]
        return node, name

    def follow(self, call):
        getattr(self, "follow_" + call.verb)(call)
        self.journal.append(self.tree("names"))

    def follow_file(self, call):
        self.make(File(call.mode), call)

    def follow_folder(self, call):
        self.make(Folder(call.mode), call)

    def make(self, node, call):
        # An inode's number may have been another file's.
        self.nodes[call.inode] = node
        if call.data:  # A file without a name gets it by a link.
            self.follow_link(call)

    def follow_link(self, call):
        folder, name = self.parent(call.data)
        folder.names[name] = self.nodes[call.inode]

    def follow_unlink(self, call):
        folder, name = self.parent(call.data)
        folder.names.pop(name, None)  # A socket is nothing that a disk keeps.

    def follow_rename(self, call):
        (old_folder, old), (new_folder, new) = map(self.parent, call.data.split(b"\0"))
        if old in old_folder.names:
            new_folder.names[new] = old_folder.names.pop(old)

    def follow_exchange(self, call):
        (one_folder, one), (other_folder, other) = map(self.parent, call.data.split(b"\0"))
        names = one_folder.names[one], other_folder.names[other]
        other_folder.names[other], one_folder.names[one] = names

    def follow_write(self, call):
        self.nodes[call.inode].change(call)

    def follow_size(self, call):
        self.nodes[call.inode].change(call)

    def follow_mode(self, call):
        if call.inode in self.nodes:
            self.nodes[call.inode].mode = call.mode

    def follow_sync(self, call):
        if not self.forgets_syncs:
            self.nodes[call.inode].sync()
            self.journal = []

    def tree(self, names, folder=None):
        """The names and what they name; those of folders with a tree of their own."""
        children = getattr(folder or self.root, names).items()
        return {
            name: (node, self.tree(names, node) if isinstance(node, Folder) else None) for name, node in children}

    def readings(self, seed):
        """Pictures of what may be on the disk if the power goes now, by what they are called."""
        written, synced = attrgetter("content"), attrgetter("synced")
        yield "synced", picture(self.tree("synced"), synced)
        yield "journal", picture(self.journal[0], synced)
        yield "names", picture(self.tree("names"), synced)
        yield "contents", picture(self.tree("synced"), written)
        yield "all", picture(self.tree("names"), written)
        for unit in [4096, 512]:
            chance = random.Random("%s %d" % (seed, unit))
            names = chance.choice(self.journal)
            yield "parts-%d" % unit, picture(names, lambda file: file.in_parts(unit, chance))


def picture(tree, content, prefix=""):
    """The picture of a tree of names with these contents; a file with two names has one content."""
    found, contents = Picture(), {}

    def add(tree, prefix):
        for name, (node, children) in sorted(tree.items()):
            if children is None:
                if node not in contents:
                    contents[node] = content(node)
                found[prefix + name] = (node.mode, contents[node])
            else:
                found[prefix + name] = (node.mode, None)
                add(children, prefix + name + "/")

    add(tree, prefix)
    return found
