#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an export as 1Password makes it: make-1pux.py FILE"""
import json
import sys
import zipfile

login = {
    "uuid": "a", "favIndex": 1, "createdAt": 1, "updatedAt": 2, "state": "active", "categoryUuid": "001",
    "details": {
        "loginFields": [
            {"value": "ada", "id": "", "name": "u", "fieldType": "T", "designation": "username"},
            {"value": "s3cret", "id": "", "name": "p", "fieldType": "P", "designation": "password"},
            {"value": "blue", "id": "", "name": "colour", "fieldType": "T"}],
        "notesPlain": "a note",
        "sections": [{"title": "More", "name": "s", "fields": [
            {"title": "PIN", "id": "1", "value": {"concealed": "4711"}},
            {"title": "code", "id": "2", "value": {"totp": "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"}},
            {"title": "since", "id": "3", "value": {"date": 1614298956}},
            {"title": "mail", "id": "4", "value": {"email": {"email_address": "ada@example.org", "provider": None}}},
            {"title": "scan", "id": "5", "value": {"file": {
                "fileName": "scan.txt", "documentId": "doc1", "decryptedSize": 4}}}]}],
        "passwordHistory": [{"value": "old", "time": 3}]},
    "overview": {
        "subtitle": "ada", "title": "Site", "url": "https://site.example/in", "tags": ["red", "a/b"],
        "urls": [{"label": "website", "url": "https://site.example/in"}, {"label": "", "url": "https://other.example"}]}}
card = {
    "uuid": "b", "state": "archived", "categoryUuid": "002", "overview": {"title": "Visa"},
    "details": {"sections": [{"title": "", "fields": [
        {"title": "number", "id": "ccnum", "value": {"creditCardNumber": "4111111111111111"}},
        {"title": "verification number", "id": "cvv", "value": {"concealed": "123"}},
        {"title": "expiry date", "id": "expiry", "value": {"monthYear": 203012}}]}]}}
gone = {"uuid": "c", "trashed": True, "categoryUuid": "001", "overview": {"title": "Gone"}, "details": {"password": "x"}}
lost = {
    "uuid": "d", "categoryUuid": "006", "overview": {"title": "Paper"},
    "details": {"documentAttributes": {"fileName": "lost.pdf", "documentId": "doc9", "decryptedSize": 4}}}
account = {"attrs": {"name": "Ada"}, "vaults": [{"attrs": {"name": "Private"}, "items": [login, card, gone, lost]}]}
with zipfile.ZipFile(sys.argv[1], "w") as zip:
    def write(name, content, method):
        zip.writestr(zipfile.ZipInfo(name, (2026, 11, 24, 0, 0, 0)), content, method)
    write("export.attributes", '{"version":3}', zipfile.ZIP_STORED)
    write("export.data", json.dumps({"accounts": [account]}), zipfile.ZIP_DEFLATED)
    write("files/doc1__scan.txt", "scan", zipfile.ZIP_STORED)
    write("files/doc7__orphan.txt", "orphan", zipfile.ZIP_DEFLATED)
