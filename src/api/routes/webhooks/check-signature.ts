import { found } from '../../../shared/errors.ts';
import { checkSignature } from '../../../shared/webhooks/check-signature.ts';
import { getWebhook } from '../../../shared/webhooks/manage.ts';
import { findSealedSecrets } from '../../../shared/webhooks/queries.ts';
import { signatureCheckBody, signatureToCheck, signatureToCheckLimit } from '../../../shared/webhooks/schema.ts';
import { openSigningSecrets } from '../../../shared/webhooks/signing-secrets.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

/** Checks a signature for whoever writes a receiver. The secret of variant A is never shown, so it is compared here. */
export const addSignatureChecks = (webhooks: Resource, { db, secrets }: ApiDeps): void =>
  endpoint(
    webhooks,
    {
      id: 'checkSignature',
      method: 'post',
      path: '/webhooks/:id/check-signature',
      summary: 'Check a signature',
      description:
        'Says whether a signature is right for a body, by the secret of the webhook or the previous one, which also signs for 24 hours, and otherwise what is wrong. Changes nothing.',
      role: 'editor',
      noun: 'webhook',
      body: signatureToCheck,
      bodyLimit: signatureToCheckLimit,
      answers: { 200: signatureCheckBody },
    },
    async ({ scope, id, body }) => {
      const { accountId } = await getWebhook(db, scope, id);
      const sealed = found('webhook', await findSealedSecrets(db, id));
      return checkSignature(openSigningSecrets(secrets, { ...sealed, accountId, webhookId: id }), body);
    },
  );
