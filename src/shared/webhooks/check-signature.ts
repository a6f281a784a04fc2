import type { KeyObject } from 'node:crypto';
import { parseJson } from '../platform/json/parse-json.ts';
import { equalSecrets } from '../platform/secrets/tokens.ts';
import type { SignatureCheck, SignatureProblem, SignatureToCheck } from './schema.ts';
import { serviceSignature, standardKey, standardSignature } from '../signing/signature.ts';
import type { SigningSecrets } from '../signing/secrets.ts';

/** A body or key that may have been signed, and what is wrong with the one that was given. */
type Body = { bytes: Buffer; problems: readonly SignatureProblem[] };
type Key = { key: KeyObject | string; secret: 'present' | 'previous'; problems: readonly SignatureProblem[] };

/**
 * Says whether a signature is right, and otherwise what is wrong with it. It knows the usual mistakes of receivers: it makes them, too, and
 * compares. Nothing that it answers tells a signature or a secret.
 */
export const checkSignature = (secrets: SigningSecrets, given: SignatureToCheck): SignatureCheck =>
  /\bv1,/.test(given.signature) ? checkStandard(secrets, given) : checkService(secrets, given);

const checkService = (secrets: SigningSecrets, { body, signature }: SignatureToCheck): SignatureCheck => {
  const header = 'X-Service-Signature';
  const read = readHex(signature);
  if (!read) return { valid: false, header: null, secret: null, problems: [notASignature(signature)] };
  const decoded = standardKey(secrets.secret);
  const keys: Key[] = [
    ...keysOf(secrets, (secret) => secret),
    ...(decoded === secrets.secret ? [] : [{ key: decoded, secret: 'present' as const, problems: [decodedKey] }]),
  ];
  const match = findMatch(bodiesOf(body), keys, ({ key }, bytes) =>
    equalSecrets(serviceSignature(key, bytes), read.hex),
  );
  return answer(header, match, read.problems);
};

const checkStandard = (
  secrets: SigningSecrets,
  { body, signature, id, timestamp }: SignatureToCheck,
): SignatureCheck => {
  const header = 'webhook-signature';
  if (id === undefined || timestamp === undefined)
    return { valid: false, header, secret: null, problems: [needsIdAndTimestamp] };
  const signatures = Array.from(signature.matchAll(/\bv1,([A-Za-z0-9+/]{43}=)/g), ([, value = '']) => value);
  const keys: Key[] = [
    ...keysOf(secrets, standardKey),
    ...(standardKey(secrets.secret) === secrets.secret
      ? []
      : [{ key: secrets.secret, secret: 'present' as const, problems: [wholeKey] }]),
  ];
  const match = findMatch(bodiesOf(body), keys, ({ key }, bytes) => {
    const expected = standardSignature(key, { id, timestamp, body: bytes });
    return signatures.some((value) => equalSecrets(expected, value));
  });
  return answer(header, match, []);
};

const keysOf = ({ secret, previousSecret }: SigningSecrets, keyOf: (secret: string) => KeyObject | string): Key[] => [
  { key: keyOf(secret), secret: 'present', problems: [] },
  ...(previousSecret === undefined ? [] : [{ key: keyOf(previousSecret), secret: 'previous' as const, problems: [] }]),
];

/** The body as it is given, and what it may have been before somebody changed it: deliveries are JSON without white space. */
const bodiesOf = (body: string): Body[] => {
  const trimmed = body.trim();
  const compact = compactJson(body);
  return [
    { bytes: Buffer.from(body), problems: [] },
    ...(trimmed === body ? [] : [{ bytes: Buffer.from(trimmed), problems: [bodySurrounded] }]),
    ...(compact === undefined || compact === trimmed
      ? []
      : [{ bytes: Buffer.from(compact), problems: [bodyReformatted] }]),
  ];
};

const compactJson = (text: string): string | undefined => {
  try {
    return JSON.stringify(parseJson(text));
  } catch {
    return undefined;
  }
};

const findMatch = (
  bodies: readonly Body[],
  keys: readonly Key[],
  isMade: (key: Key, bytes: Buffer) => boolean,
): Pick<Key, 'secret' | 'problems'> | undefined => {
  for (const { bytes, problems } of bodies) {
    const key = keys.find((one) => isMade(one, bytes));
    if (key) return { secret: key.secret, problems: [...problems, ...key.problems] };
  }
  return undefined;
};

const answer = (
  header: NonNullable<SignatureCheck['header']>,
  match: Pick<Key, 'secret' | 'problems'> | undefined,
  ofSignature: readonly SignatureProblem[],
): SignatureCheck => {
  if (!match) return { valid: false, header, secret: null, problems: [...ofSignature, mismatch] };
  const problems = [...ofSignature, ...match.problems];
  return { valid: problems.length === 0, header, secret: match.secret, problems };
};

/** The signature in lowercase hex, and how it is written otherwise. Undefined when it is nothing of the kind. */
const readHex = (given: string): { hex: string; problems: SignatureProblem[] } | undefined => {
  const [, name = '', value = ''] = /^(?:([\w-]{1,30})[:=])?\s*["']?([^\s"']+)["']?$/.exec(given.trim()) ?? [];
  const around = name !== '' || value !== given ? [surrounded] : [];
  if (/^[0-9a-f]{64}$/i.test(value)) {
    const hex = value.toLowerCase();
    return { hex, problems: [...around, ...(hex === value ? [] : [upperCase])] };
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(value))
    return { hex: Buffer.from(value, 'base64').toString('hex'), problems: [...around, base64] };
  return undefined;
};

const problem = (code: SignatureProblem['code'], message: string): SignatureProblem => ({ code, message });

const notASignature = (given: string): SignatureProblem =>
  problem('not_a_signature', `X-Service-Signature has 64 characters of 0-9 and a-f; this has ${given.trim().length}.`);
const needsIdAndTimestamp = problem(
  'needs_id_and_timestamp',
  'This is webhook-signature, not X-Service-Signature. It also covers webhook-id and webhook-timestamp: give both.',
);
const surrounded = problem('surrounded', 'There is something around it. Only the 64 characters count.');
const upperCase = problem('upper_case', 'It is in upper case. X-Service-Signature is in lower case.');
const base64 = problem('base64', 'It is in base64. X-Service-Signature is in hex.');
const bodySurrounded = problem(
  'body_surrounded',
  'There is white space around the body, such as a newline at its end, that was not sent.',
);
const bodyReformatted = problem(
  'body_reformatted',
  'The body was parsed and written anew. Verify the bytes as they arrive, before anything parses them.',
);
const decodedKey = problem(
  'decoded_key',
  'It was made with the decoded secret. The key of X-Service-Signature is the whole text, whsec_ included.',
);
const wholeKey = problem(
  'whole_key',
  'It was made with the whole secret. The key of webhook-signature is what follows whsec_, decoded from base64.',
);
const mismatch = problem(
  'mismatch',
  'It is not of this body and the secret of this webhook. One of the two is another.',
);
