import type { CurlRequest } from './compose.ts';
import type { Findings } from './findings.ts';
import type { Option } from './read-options.ts';

type Settings = Pick<CurlRequest, 'timeout_ms' | 'attempts' | 'follow_redirects'>;

/** What bounds one attempt, in ms, and how many attempts a block makes at most. */
const bounds = { shortestMs: 1_000, longestMs: 120_000, usualMs: 10_000, attempts: 5 } as const;

/** How long a request may take, how often it is tried, and whether redirects are followed. */
export const readSettings = (options: readonly Option[], findings: Findings): Settings => {
  const last = (wanted: string): Option | undefined => options.findLast(({ name }) => name === wanted);
  const follows = options.some(({ name }) => name === 'location' || name === 'location-trusted');
  const timeoutMs = readTimeout(last('max-time'), last('connect-timeout'), findings);
  const attempts = readAttempts(last('retry'), findings);
  return {
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(attempts !== undefined && { attempts }),
    ...(follows && { follow_redirects: true }),
  };
};

const readTimeout = (
  maxTime: Option | undefined,
  connect: Option | undefined,
  findings: Findings,
): number | undefined => {
  const longest = maxTime && readMs(maxTime, findings);
  if (longest !== undefined && maxTime) {
    const ms = Math.min(Math.max(longest, bounds.shortestMs), bounds.longestMs);
    if (ms !== longest) findings.note(maxTime.written, `becomes ${ms / 1_000} s: a request may take from 1 to 120 s`);
    return ms;
  }
  const connecting = connect && readMs(connect, findings);
  if (connecting === undefined || !connect) return undefined;
  findings.note(connect.written, 'counts for the whole request, which has one limit of time');
  return connecting > bounds.usualMs ? Math.min(connecting, bounds.longestMs) : undefined;
};

/** Seconds as milliseconds; undefined for 0, which sets no limit. */
const readMs = ({ value, written, at }: Option, findings: Findings): number | undefined => {
  if (!/^\d{1,9}(?:\.\d{0,9})?$/.test(value)) {
    findings.problem(at, `has ${written} without a number of seconds`);
    return undefined;
  }
  const ms = Math.round(Number(value) * 1_000);
  return ms === 0 ? undefined : ms;
};

const readAttempts = (retry: Option | undefined, findings: Findings): number | undefined => {
  if (!retry) return undefined;
  if (!/^\d{1,9}$/.test(retry.value)) {
    findings.problem(retry.at, `has ${retry.written} without a number`);
    return undefined;
  }
  const asked = Number(retry.value) + 1;
  if (asked > bounds.attempts)
    findings.note(retry.written, `becomes ${bounds.attempts} attempts, the most that a block makes`);
  return Math.min(asked, bounds.attempts);
};
