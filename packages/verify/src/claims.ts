import { WebhookVerificationError } from './errors.ts';
import { findHeader, getHeader, malformedHeader, type WebhookRequest } from './request.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** The claim of a header: one of `signatures` is the HMAC-SHA256 of `message`, keyed with one of `keys`. */
export type Claim = { header: string; keys: readonly Bytes[]; message: Bytes; signatures: readonly Bytes[] };

/**
 * A request that is read but not verified. Its body may be parsed once every claim of one of `proofs` holds and `checkAge` has not thrown.
 */
export type UnverifiedWebhook = { body: Bytes; proofs: readonly (readonly Claim[])[]; checkAge: () => void };

const encoder = new TextEncoder();
const hexSha256 = /^[0-9a-f]{64}$/;
/** The canonical base64 of 32 bytes. The last digit has two unused bits, which must be zero. */
const standardV1 = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const standardPrefix = 'whsec_';

/** Everything that must hold before a request is accepted. Throws when a header is missing or malformed. */
export const readUnverified = (request: WebhookRequest): UnverifiedWebhook => {
  const secrets = [request.secrets].flat();
  // An unset variable would become an empty key, which HMAC accepts and anybody can sign with.
  if (secrets.length === 0 || secrets.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('secrets must be a secret or several, none of them empty');
  const body = bytesOf(request.body);
  const service = serviceClaim(request, secrets, body);
  // For a day after a rotation the new secret alone makes X-Service-Signature, and both secrets make webhook-signature.
  const rotating = countStandard(request) > 1;
  if (request.toleranceSeconds === undefined) {
    const standard = rotating ? [[standardClaim({ ...request, toleranceSeconds: Infinity }, secrets, body).claim]] : [];
    return { body, proofs: [[service], ...standard], checkAge: () => {} };
  }
  const { claim, checkAge } = standardClaim({ ...request, toleranceSeconds: request.toleranceSeconds }, secrets, body);
  return { body, proofs: [rotating ? [claim] : [service, claim]], checkAge };
};

/** The number of Standard Webhooks signatures of a request. */
const countStandard = ({ headers }: WebhookRequest): number => {
  const value = findHeader(headers, 'webhook-signature') ?? '';
  return value.split(' ').filter((signature) => standardV1.test(signature)).length;
};

/** The error for a claim that does not hold. */
export const mismatch = ({ header }: Claim): WebhookVerificationError =>
  new WebhookVerificationError(
    'signature_mismatch',
    `${header} does not match: another secret, or the body is not the bytes that were sent`,
  );

/** Our own signature: lowercase hex HMAC-SHA256 of the body, keyed with the whole secret (specification 5.6). */
const serviceClaim = ({ headers }: WebhookRequest, secrets: readonly string[], body: Bytes): Claim => {
  const header = 'x-service-signature';
  const value = getHeader(headers, header);
  if (!hexSha256.test(value)) throw malformedHeader(header, 'not 64 lowercase hexadecimal digits');
  const signature = Uint8Array.from(value.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  return { header, keys: secrets.map((secret) => encoder.encode(secret)), message: body, signatures: [signature] };
};

/** Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. There may be several, separated by spaces. */
const standardClaim = (
  { headers, toleranceSeconds }: WebhookRequest & { toleranceSeconds: number },
  secrets: readonly string[],
  body: Bytes,
): { claim: Claim; checkAge: () => void } => {
  // No number is greater than NaN, so it would switch the check off.
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be 0 or more');
  const header = 'webhook-signature';
  const id = getHeader(headers, 'webhook-id');
  const timestamp = getHeader(headers, 'webhook-timestamp');
  // A full stop separates the signed parts. One inside the id would let the parts change places.
  if (id.includes('.')) throw malformedHeader('webhook-id', 'a full stop in it');
  if (!/^\d{1,12}$/.test(timestamp)) throw malformedHeader('webhook-timestamp', 'not a time in Unix seconds');
  const signatures = getHeader(headers, header)
    .split(' ')
    .flatMap((signature) => standardV1.exec(signature)?.[1] ?? [])
    .map(decodeBase64);
  if (signatures.length === 0) throw malformedHeader(header, 'no "v1," followed by 32 bytes in base64');
  const message = concat(encoder.encode(`${id}.${timestamp}.`), body);
  return {
    claim: { header, keys: secrets.map(standardKey), message, signatures },
    checkAge: () => checkAge(Number(timestamp), toleranceSeconds),
  };
};

const checkAge = (signedAtSeconds: number, toleranceSeconds: number): void => {
  const ageSeconds = Math.round(Date.now() / 1000 - signedAtSeconds);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const [code, when] = ageSeconds > 0 ? (['too_old', 'ago'] as const) : (['too_new', 'ahead of this clock'] as const);
  throw new WebhookVerificationError(
    code,
    `webhook-timestamp is ${Math.abs(ageSeconds)} s ${when}, more than the ${toleranceSeconds} s tolerated`,
  );
};

/** The key of a secret: after `whsec_` its base64-decoded rest, otherwise its UTF-8 bytes. */
const standardKey = (secret: string): Bytes => {
  const encoded = secret.startsWith(standardPrefix) ? secret.slice(standardPrefix.length) : '';
  return encoded !== '' && base64.test(encoded) ? decodeBase64(encoded) : encoder.encode(secret);
};

/** A copy of the bytes, so that the bytes that are parsed are those that were verified. */
const bytesOf = (body: WebhookRequest['body']): Bytes => {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  throw new TypeError('body must be the raw bytes or text of the request: has a JSON parser been there before?');
};

const concat = (head: Bytes, tail: Bytes): Bytes => {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
};

const decodeBase64 = (encoded: string): Bytes =>
  Uint8Array.from(atob(encoded), (character) => character.codePointAt(0) ?? 0);
