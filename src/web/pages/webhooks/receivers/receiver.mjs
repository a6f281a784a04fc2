// A receiver of Parley's webhooks for Node 20 or newer, without packages. It stands behind a server that speaks HTTPS.
//   WEBHOOK_SECRET=... PORT=8000 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const { WEBHOOK_SECRET: secret = '', PORT = '8000' } = process.env;
// With an empty key anybody can sign.
if (secret === '') throw new Error('Set WEBHOOK_SECRET.');

const toleranceSeconds = 300;
const largestBytes = 1_000_000;

// The key of webhook-signature is what follows whsec_, decoded. A secret of another form is its own key.
const base64 = /^whsec_(?=.)((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const [, encoded] = base64.exec(secret) ?? [];
const key = encoded === undefined ? secret : Buffer.from(encoded, 'base64');

// In constant time: how long it takes tells nothing of how much of a guess is right.
const isSame = (given, expected) => {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

// The body is what came over the line: JSON that was parsed and written anew has other bytes.
const isFromParley = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given = '' } = headers;
  const ofAll = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const signatures = given.split(' ');
  if (!signatures.some((signature) => isSame(signature, `v1,${ofAll}`))) return false;
  // For a day after the secret was changed there are two, one by each secret. X-Service-Signature is by the new one.
  const ofBody = createHmac('sha256', secret).update(body).digest('hex');
  if (signatures.length === 1 && !isSame(headers['x-service-signature'], ofBody)) return false;
  // Each attempt is signed anew. What is older was recorded by somebody.
  return /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds;
};

// The ids that were taken. Several processes need one place for them, such as a table where the id is unique.
const taken = new Set();
const mostTaken = 100_000;

// A delivery can come more than once. Where no event may be lost, store it here, and work on what is stored.
const take = (id, event) => {
  if (taken.has(id)) return;
  taken.add(id);
  if (taken.size > mostTaken) taken.delete(taken.values().next().value);
  setImmediate(() => work(id, event));
};

// Here your work begins, after the answer.
const work = (id, event) => console.log('received', id, event.event);

const receive = async (request, response) => {
  if (request.method !== 'POST') return answer(response, 405);
  if (!(Number(request.headers['content-length']) <= largestBytes)) return answer(response, 413);
  const body = await buffer(request);
  if (!isFromParley(request.headers, body)) return answer(response, 401);
  const event = JSON.parse(String(body));
  // Only for a dashboard webhook: a challenge asks whether you want events here. Its value goes back.
  if (typeof event.challenge === 'string') return answer(response, 200, event.challenge);
  // End of the challenge.
  // What has no event only asks whether this is healthy.
  if (event.event !== undefined) take(request.headers['webhook-id'], event);
  return answer(response, 200);
};

const answer = (response, status, text = '') => response.writeHead(status).end(text);

// A sender that goes away in the middle of its body ends no more than its own request.
createServer((request, response) => {
  receive(request, response).catch(() => answer(response, 500));
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}/`));
