import { expect, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import type { Installation } from './installation.ts';
import type { Tally } from './ledger.ts';
import { readMessageId } from '../helpers/mail-server.ts';
import type { Site } from './site.ts';
import { makeLastAttemptDue } from '../helpers/states/deliveries.ts';
import { patienceMs } from './patience.ts';

/**
 * Brings a site's only delivery to its sixth and last attempt within seconds. The first one fails for real; then its workflow
 * is terminated, four more are counted as made, and the sweep resumes it where it is due now.
 */
export const hastenLastAttempt = async ({ db, temporalClient }: Installation, site: Site): Promise<void> => {
  const failed = async () => {
    const [row] = await db<{ id: string }[]>`
      select id from deliveries where account_id = ${site.accountId} and attempts_made = 1`;
    return row;
  };
  const { id } = await vi.waitUntil(failed, { timeout: patienceMs, interval: 20 });
  // The workflow begins after the first attempt.
  const terminated = () =>
    temporalClient.workflow
      .getHandle(`delivery/${showId('delivery', id)}`)
      .terminate('hastened by the suite')
      .then(
        () => true,
        () => false,
      );
  await vi.waitUntil(terminated, { timeout: patienceMs, interval: 20 });
  await makeLastAttemptDue(db, id);
};

/** What is stored of the site's webhook and of the mails about it. */
export const findDisabling = async ({ db }: Installation, { accountId }: Site) => {
  const [webhook] = await db<{ status: string; disabledReason: string | null }[]>`
    select status, disabled_reason from webhooks where account_id = ${accountId}`;
  const mails = await db<{ status: string }[]>`select status from mails where account_id = ${accountId}`;
  return { webhook: { ...webhook }, mails: mails.map(({ status }) => status) };
};

/** Resolves when the site's webhook is disabled and the one mail about it sent. */
export const untilDisabled = async (installation: Installation, site: Site, timeoutMs = patienceMs): Promise<void> => {
  const disabled = { webhook: { status: 'disabled', disabledReason: 'failures' }, mails: ['sent'] };
  await expect.poll(() => findDisabling(installation, site), { timeout: timeoutMs, interval: 50 }).toEqual(disabled);
};

/** What came of the one mail to the site's owner; it is the same mail as long as its Message-ID is. */
export const tallyMails = ({ mailServer }: Installation, { ownerEmail }: Site): Tally => {
  const received = mailServer.received.filter(({ to }) => to === ownerEmail);
  const delivered = new Set(received.map(readMessageId)).size;
  return {
    accepted: 1,
    delivered,
    lost: 1 - delivered,
    sentAgain: received.length - delivered,
    lastAtMs: received.at(-1)?.receivedAtMs ?? 0,
  };
};
