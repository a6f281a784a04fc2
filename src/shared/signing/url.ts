import { z } from 'zod';
import { RequestError, type Problem } from '../errors.ts';
import { parseEgressAllow } from '../platform/egress/addresses.ts';
import type { Egress } from '../platform/egress/client.ts';
import { findMisreading } from '../platform/egress/misread-urls.ts';
import { checkUrlLiteral } from '../platform/egress/urls.ts';
import { endpointUrl } from './endpoint-url.ts';

/** Allows every address here, because `checkUrl` decides by the installation's settings which may be called. */
const anyAddress = parseEgressAllow('0.0.0.0/0, [::]/0');

/** The problem of an endpoint's url that is found without a look-up, or undefined. */
export const findUrlFault = (text: string): string | undefined => {
  const check = checkUrlLiteral(text, anyAddress);
  if (!check.ok) return check.message;
  return findMisreading(text) ?? (text.includes('#') ? 'must not contain a fragment' : undefined);
};

/** `path` is where it stands in the request: `url` unless told. */
type Wanted = { accountId: string; url: string; path?: string };

/** The problems of a url, also that its host may not be called. Throws `unavailable` when too many look-ups are under way. */
export const findUrlProblems = async (egress: Egress, wanted: Wanted): Promise<Problem[]> => {
  const { accountId, url, path = 'url' } = wanted;
  const fault = findUrlFault(url);
  if (fault !== undefined) return [{ path, message: fault }];
  const check = await egress.checkUrl({ accountId, url });
  if (check.ok) return [];
  if (check.reason !== 'busy') return [{ path, message: check.message }];
  throw new RequestError('unavailable', 'Too many URLs are being checked. Try again in a moment.');
};

/**
 * The problems of the url in a body that no schema finds, to be named with those that a schema finds. The host is also looked up when the body is
 * refused already; it is left out when too many look-ups are under way.
 */
export const findUrlProblemsOfBody = async (
  egress: Egress,
  { accountId, body, isRefused, path = 'url' }: { accountId: string; body: unknown; isRefused: boolean; path?: string },
): Promise<Problem[]> => {
  const url = z.record(z.string(), z.unknown()).safeParse(body).data?.[path];
  if (typeof url !== 'string') return [];
  const fault = findUrlFault(url);
  if (fault !== undefined) return [{ path, message: fault }];
  if (!isRefused || !endpointUrl.safeParse(url).success) return [];
  const check = await egress.checkUrl({ accountId, url });
  return check.ok || check.reason === 'busy' ? [] : [{ path, message: check.message }];
};
