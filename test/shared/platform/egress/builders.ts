import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { parseEgressAllow } from '../../../../src/shared/platform/egress/addresses.ts';
import { createEgress, type Egress, type EgressOptions } from '../../../../src/shared/platform/egress/client.ts';
import type { Exchange } from '../../../../src/shared/platform/egress/exchange.ts';
import type { Lookup } from '../../../../src/shared/platform/egress/lookup.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from '../../../helpers/receiver.ts';
import { testCa } from '../../../helpers/tls.ts';

/** A deadline that a test waits for: long enough for a loaded machine to connect over TLS. */
export const timeoutMs = 1_000;

/** A deadline that no test waits for. */
const plentyMs = 15_000;

export async function aReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** An egress that trusts the test authority and lets nothing through but what `allow` says. */
export function anEgress({
  allow = '',
  ...options
}: Partial<Omit<EgressOptions, 'allow'>> & { allow?: string } = {}): Egress {
  const egress = createEgress({ allow: parseEgressAllow(allow), extraCa: testCa().certPem, ...options });
  onTestFinished(() => egress.close());
  return egress;
}

/** A name server that gives every name these addresses, and counts the questions. */
export function namesAt(...addresses: string[]): Lookup & { asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = async (hostname) => {
    asked.push(hostname);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(lookup, { asked });
}

/** POSTs, and fails when that goes on after the deadline. */
export function post(
  egress: Egress,
  url: string,
  options: { accountId?: string; timeoutMs?: number; maxBodyBytes?: number; signal?: AbortSignal } = {},
): Promise<Exchange> {
  const deadlineMs = options.timeoutMs ?? plentyMs;
  const exchange = egress.post({
    accountId: 'acme',
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"n":1}'),
    timeoutMs: deadlineMs,
    maxBodyBytes: 16_384,
    ...options,
  });
  // A timer that is set with it, not a clock: what makes one late makes the other late.
  const tooLate = sleep(deadlineMs + 500, undefined, { ref: false }).then(() => {
    throw new Error(`goes on after its deadline of ${deadlineMs} ms`);
  });
  return Promise.race([exchange, tooLate]);
}
