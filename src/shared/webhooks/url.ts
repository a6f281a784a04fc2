import { z } from 'zod';
import { RequestError, type Problem } from '../errors.ts';
import { parseEgressAllow } from '../platform/egress/addresses.ts';
import type { Egress } from '../platform/egress/client.ts';
import { findMisreading } from '../platform/egress/misread-urls.ts';
import { checkUrlLiteral } from '../platform/egress/urls.ts';
import { webhookUrl } from './schema.ts';

/** Which addresses may be called is the installation's setting, asked by `checkUrl`; here is what never may be. */
const anyAddress = parseEgressAllow('0.0.0.0/0, [::]/0');

/** What is wrong with a webhook's url, without asking anybody; undefined when nothing is. */
export const findUrlFault = (text: string): string | undefined => {
  const check = checkUrlLiteral(text, anyAddress);
  if (!check.ok) return check.message;
  return findMisreading(text) ?? (text.includes('#') ? 'must not contain a fragment' : undefined);
};

type Wanted = { accountId: string; url: string };

/** What is wrong with a url, and whether its host may be called. Throws `unavailable` when too many are looked up. */
export const findUrlProblems = async (egress: Egress, wanted: Wanted): Promise<Problem[]> => {
  const fault = findUrlFault(wanted.url);
  if (fault !== undefined) return [problem(fault)];
  const check = await egress.checkUrl(wanted);
  if (check.ok) return [];
  if (check.reason !== 'busy') return [problem(check.message)];
  throw new RequestError('unavailable', 'Too many urls are being checked. Try again in a moment.');
};

/**
 * What no schema sees of the url in a body, so that it is told with what a schema sees. In a body that is refused already its
 * host is looked up, too; nothing is said of it when too many are under way.
 */
export const findUrlProblemsOfBody = async (
  egress: Egress,
  { accountId, body, isRefused }: { accountId: string; body: unknown; isRefused: boolean },
): Promise<Problem[]> => {
  const { data } = withUrl.safeParse(body);
  if (!data) return [];
  const fault = findUrlFault(data.url);
  if (fault !== undefined) return [problem(fault)];
  if (!isRefused || !webhookUrl.safeParse(data.url).success) return [];
  const check = await egress.checkUrl({ accountId, url: data.url });
  return check.ok || check.reason === 'busy' ? [] : [problem(check.message)];
};

const withUrl = z.object({ url: z.string() });

const problem = (message: string): Problem => ({ path: 'url', message });
