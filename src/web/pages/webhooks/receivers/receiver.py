# A receiver of Parley's webhooks for Python 3.9 or newer, without packages. It stands behind a server that speaks HTTPS.
#   WEBHOOK_SECRET=... PORT=8000 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import queue
import re
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
PORT = int(os.environ.get("PORT", "8000"))
# With an empty key anybody can sign.
if SECRET == "":
    raise SystemExit("Set WEBHOOK_SECRET.")

TOLERANCE_SECONDS = 300
LARGEST_BYTES = 1_000_000

# The key of webhook-signature is what follows whsec_, decoded. A secret of another form is its own key.
ENCODED = re.fullmatch(
    r"whsec_(?=.)((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)", SECRET
)
KEY = base64.b64decode(ENCODED[1]) if ENCODED else SECRET.encode()


# In constant time: how long it takes tells nothing of how much of a guess is right.
def is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


# The body is what came over the line: JSON that was parsed and written anew has other bytes.
def is_from_parley(headers, body: bytes) -> bool:
    delivery_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{delivery_id}.{timestamp}.".encode() + body
    of_all = base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    if not any(is_same(signature, f"v1,{of_all}") for signature in signatures):
        return False
    # For a day after the secret was changed there are two, one by each secret. X-Service-Signature is by the new one.
    of_body = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    if len(signatures) == 1 and not is_same(headers.get("x-service-signature", ""), of_body):
        return False
    # Each attempt is signed anew. What is older was recorded by somebody.
    return re.fullmatch("[0-9]+", timestamp) is not None and abs(time.time() - int(timestamp)) <= TOLERANCE_SECONDS


# The ids that were taken. Several processes need one place for them, such as a table where the id is unique.
taken = OrderedDict()
MOST_TAKEN = 100_000
taking = threading.Lock()
waiting = queue.Queue()


# A delivery can come more than once. Where no event may be lost, store it here, and work on what is stored.
def take(delivery_id: str, event: dict) -> None:
    with taking:
        if delivery_id in taken:
            return
        taken[delivery_id] = True
        if len(taken) > MOST_TAKEN:
            taken.popitem(last=False)
    waiting.put((delivery_id, event))


# Here your work begins, after the answer.
def work() -> None:
    while True:
        delivery_id, event = waiting.get()
        print("received", delivery_id, event["event"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > LARGEST_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_from_parley(self.headers, body):
            return self.answer(401)
        event = json.loads(body)
        # Only for a dashboard webhook: a challenge asks whether you want events here. Its value goes back.
        if isinstance(event.get("challenge"), str):
            return self.answer(200, event["challenge"])
        # End of the challenge.
        # What has no event only asks whether this is healthy.
        if "event" in event:
            take(self.headers["webhook-id"], event)
        self.answer(200)

    def answer(self, status: int, text: str = "") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_) -> None:
        pass


threading.Thread(target=work, daemon=True).start()
print(f"listening on http://127.0.0.1:{PORT}/", flush=True)
ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
