"""Verifies the signature of a request of the shop with Python's standard library alone (3.9 or newer).

    printf %s "$BODY" | SECRETS='whsec_new,whsec_old' python3 verify.py "$ID" "$TIMESTAMP" "$SIGNATURE"
"""
import base64
import hashlib
import hmac
import os
import re
import sys
import time

TOLERANCE_SECONDS = 300


def is_signed(secrets, message_id, timestamp, signature, raw_body, now=None):
    """secrets: every one that is good now. raw_body: the bytes as they came. now: seconds, for tests."""
    if not message_id or not re.fullmatch(r"[0-9]{9,11}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    text = f"{message_id}.{timestamp}.".encode() + raw_body
    given = [one[3:].encode() for one in signature.split(" ") if one.startswith("v1,")]
    found = False
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        expected = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest())
        for one in given:
            # In constant time, and without leaving early: the time says nothing about which one fits.
            found |= hmac.compare_digest(expected, one)
    return found


if __name__ == "__main__":
    message_id, timestamp, signature = sys.argv[1:4]
    now = float(sys.argv[4]) if len(sys.argv) > 4 else None
    ok = is_signed(os.environ["SECRETS"].split(","), message_id, timestamp, signature, sys.stdin.buffer.read(), now)
    print("signed" if ok else "refused")
    sys.exit(0 if ok else 1)
