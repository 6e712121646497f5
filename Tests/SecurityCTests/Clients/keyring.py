# SPDX-License-Identifier: Apache-2.0
"""The calls that Python programs make by ctypes, as keyring's module for the Mac does: names are looked up as data, a
dictionary is made of C arrays, a truth value is the number 1, and a password is a string."""
import ctypes
import sys

security = ctypes.CDLL("libSecurity.so")
foundation = ctypes.CDLL("libFoundation.so")
POINTER = ctypes.c_void_p

foundation.CFDictionaryCreate.restype = POINTER
foundation.CFDictionaryCreate.argtypes = [POINTER, POINTER, POINTER, ctypes.c_long, POINTER, POINTER]
foundation.CFStringCreateWithCString.restype = POINTER
foundation.CFStringCreateWithCString.argtypes = [POINTER, ctypes.c_char_p, ctypes.c_uint32]
foundation.CFNumberCreate.restype = POINTER
foundation.CFNumberCreate.argtypes = [POINTER, ctypes.c_long, POINTER]
foundation.CFDataGetBytePtr.restype = POINTER
foundation.CFDataGetBytePtr.argtypes = [POINTER]
foundation.CFDataGetLength.restype = ctypes.c_long
foundation.CFDataGetLength.argtypes = [POINTER]
foundation.CFRelease.argtypes = [POINTER]
for function in (security.SecItemAdd, security.SecItemCopyMatching):
    function.argtypes = [POINTER, ctypes.POINTER(POINTER)]
security.SecItemDelete.argtypes = [POINTER]

UTF8, INT = 0x08000100, 9
SUCCESS, NOT_FOUND, DUPLICATE = 0, -25300, -25299


def name(text):
    return POINTER.in_dll(security, text)


def string(text):
    return POINTER(foundation.CFStringCreateWithCString(None, text.encode(), UTF8))


def one():
    return POINTER(foundation.CFNumberCreate(None, INT, ctypes.byref(ctypes.c_int(1))))


def dictionary(**entries):
    keys = (POINTER * len(entries))(*[name(key) for key in entries])
    values = (POINTER * len(entries))(*entries.values())
    callbacks = [
        ctypes.byref(ctypes.c_char.in_dll(foundation, f"kCFTypeDictionary{part}CallBacks")) for part in ("Key", "Value")
    ]
    return foundation.CFDictionaryCreate(None, keys, values, len(entries), *callbacks)


def password(service, account):
    return dict(kSecClass=name("kSecClassGenericPassword"), kSecAttrService=string(service), kSecAttrAccount=string(account))


def find(service, account):
    found = POINTER()
    query = dictionary(kSecMatchLimit=name("kSecMatchLimitOne"), kSecReturnData=one(), **password(service, account))
    status = security.SecItemCopyMatching(query, ctypes.byref(found))
    foundation.CFRelease(query)
    if status != SUCCESS:
        return status, None
    text = ctypes.string_at(foundation.CFDataGetBytePtr(found), foundation.CFDataGetLength(found)).decode()
    foundation.CFRelease(found)
    return status, text


held = 0
item = dictionary(kSecValueData=string("päss"), **password("python", "ada"))
for expected, answer in (
    ((NOT_FOUND, None), find("python", "ada")),
    (SUCCESS, security.SecItemAdd(item, None)),
    (DUPLICATE, security.SecItemAdd(item, None)),
    ((SUCCESS, "päss"), find("python", "ada")),
    (SUCCESS, security.SecItemDelete(dictionary(**password("python", "ada")))),
    (NOT_FOUND, security.SecItemDelete(dictionary(**password("python", "ada")))),
):
    if expected != answer:
        sys.exit(f"{answer} instead of {expected}")
    held += 1
print(f"{held} held, 0 failed")
