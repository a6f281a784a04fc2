import { isIP } from 'node:net';
import { type EgressRule, refusalReason } from './addresses.ts';
import { leadsToOwn, type OwnEndpoint } from './own-endpoint.ts';
import type { Resolve } from './resolve.ts';

export type UrlCheck =
  | { ok: true }
  | { ok: false; reason: 'invalid' | 'scheme' | 'credentials' | 'refused_address' | 'dns' | 'busy'; message: string };

/** For whoever runs the installation. It names no address. */
const howAllowed = 'an operator can let it through with EGRESS_ALLOW';

type Scheme = 'http:' | 'https:';

/** A url, and the account for which its host is looked up. Only https unless told otherwise. */
export type UrlToCheck = { url: string; accountId: string; schemes?: Scheme[] };

/**
 * Checks a url without asking anybody: its scheme, that it holds no credentials, and that its host is no refused IP literal. The URL
 * parser has turned decimal, octal, hex and short forms (`2130706433`, `0177.1`, `0x7f.1`) into the address that they mean.
 */
export function checkUrlLiteral(text: string, allow: EgressRule[], schemes: Scheme[] = ['https:']): UrlCheck {
  const url = URL.parse(text);
  if (!url) return refuse('invalid', 'is not a url');
  if (!schemes.some((scheme) => scheme === url.protocol)) {
    return refuse('scheme', `must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
  }
  if (url.username !== '' || url.password !== '')
    return refuse('credentials', 'must not contain a user name or password');
  const host = hostOf(url);
  if (isIP(host)) {
    const reason = refusalReason(host, portOf(url), allow);
    return reason === undefined
      ? { ok: true }
      : refuse('refused_address', `must be publicly reachable: its address is refused (${reason}); ${howAllowed}`);
  }
  return isName(host) && url.port !== '0' ? { ok: true } : refuse('invalid', 'has no valid host');
}

/** Why a http or https url may not be called, as far as `checkUrlLiteral` sees it; undefined when nothing is plain to see. */
export function refuseUrl(text: string, allow: EgressRule[], own?: Pick<OwnEndpoint, 'origin'>): string | undefined {
  if (leadsToOwn(own, text)) return undefined;
  const check = checkUrlLiteral(text, allow, ['http:', 'https:']);
  return check.ok ? undefined : check.message;
}

/**
 * Checks a url as `checkUrlLiteral` does, and that its host resolves to an address that may be dialled. Dialling checks again. `busy`
 * says nothing of the url: nobody was asked.
 */
export async function checkUrl(
  deps: { allow: EgressRule[]; resolve: Resolve },
  { url: text, accountId, schemes }: UrlToCheck,
): Promise<UrlCheck> {
  const literal = checkUrlLiteral(text, deps.allow, schemes);
  if (!literal.ok) return literal;
  const url = new URL(text);
  const resolution = await deps.resolve(hostOf(url), portOf(url), accountId);
  if (resolution.type === 'allowed') return { ok: true };
  if (resolution.reason === 'busy') return refuse('busy', resolution.message);
  const { reason, message } = resolution;
  const more = reason === 'refused_address' ? `; ${howAllowed}` : '';
  return refuse(reason, `must be publicly reachable: ${message}${more}`);
}

/** A url's host without the brackets around an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port that a http or https url means. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80));
}

/** Whether this can be a host's name: it has no empty label but the one after a trailing dot. */
function isName(host: string): boolean {
  return host.length <= 254 && /^(?:[^.]{1,63}\.)*[^.]{1,63}\.?$/.test(host);
}

function refuse(reason: Extract<UrlCheck, { ok: false }>['reason'], message: string): UrlCheck {
  return { ok: false, reason, message };
}
