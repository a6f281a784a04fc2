import { showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import type { SigningSecrets } from '../signing/secrets.ts';
import { checkSignature } from '../webhooks/check-signature.ts';
import { openSigningSecrets } from '../webhooks/signing-secrets.ts';
import { listSigners } from './queries.ts';
import type { Verification } from './schema.ts';

/** A request as far as its signatures go; `url` is the account's address. */
type Signed = {
  accountId: string;
  url: string;
  body: string;
  serviceSignature: string | undefined;
  standardSignature: string | undefined;
  id: string | undefined;
  timestamp: string | undefined;
};

/** What is told of a request whose signatures nobody checks. */
export const unverified = (result: Verification['result'], message: string | null = null): Verification => ({
  result,
  service_signature: 'missing',
  standard_signature: 'missing',
  secret: null,
  webhook_id: null,
  message,
});

/** Checks the signatures of a request with the secrets of the account's webhooks that have this address. It is valid when each that it has is. */
export const verifyRequest = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  signed: Signed,
): Promise<Verification> => {
  const { accountId, url, serviceSignature, standardSignature } = signed;
  if (serviceSignature === undefined && standardSignature === undefined) return unverified('unsigned');
  const signers = await listSigners(sql, accountId, url);
  let first: Verification | undefined;
  for (const signer of signers) {
    const checked = check(openSigningSecrets(secrets, { ...signer, accountId }), signed);
    if (checked.result === 'valid') return { ...checked, webhook_id: showId('webhook', signer.webhookId) };
    first ??= checked;
  }
  return first ?? unverified('no_webhook', 'No webhook of this account has this address.');
};

const check = (secrets: SigningSecrets, signed: Signed): Omit<Verification, 'webhook_id'> & { webhook_id: null } => {
  const { body, serviceSignature, standardSignature, id, timestamp } = signed;
  const one = (signature: string | undefined) =>
    signature === undefined ? undefined : checkSignature(secrets, { body, signature, id, timestamp });
  const service = one(serviceSignature);
  const standard = one(standardSignature);
  const both = [service, standard].filter((checked) => checked !== undefined);
  const wrong = both.find(({ valid }) => !valid);
  return {
    result: wrong ? 'invalid' : 'valid',
    service_signature: sayResult(service),
    standard_signature: sayResult(standard),
    secret: wrong ? null : (both[0]?.secret ?? null),
    webhook_id: null,
    message: wrong?.problems[0]?.message ?? null,
  };
};

const sayResult = (checked: { valid: boolean } | undefined): 'valid' | 'invalid' | 'missing' =>
  checked === undefined ? 'missing' : checked.valid ? 'valid' : 'invalid';
