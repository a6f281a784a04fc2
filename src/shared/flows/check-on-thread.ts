import { invalid, RequestError } from '../errors.ts';
import { parseEgressAllow, showEgressRule, type EgressRule } from '../platform/egress/addresses.ts';
import type { FindOwnEndpoint } from '../platform/egress/own-endpoint.ts';
import { refuseUrl } from '../platform/egress/urls.ts';
import { parseJson } from '../platform/json/parse-json.ts';
import type { Task } from '../platform/threads/task.ts';
import type { Threads } from '../platform/threads/threads.ts';
import { unreachable } from '../unreachable.ts';
import { checkDraft, type CheckDraft, type CheckedDraft } from './check.ts';
import type { AccountHas } from './known.ts';

/**
 * What can be cloned: the definition as JSON, because a clone of an `ExactNumber` has no digits, and `allow` as in EGRESS_ALLOW, because rules have
 * methods.
 */
type Input = { definition: string; has: AccountHas; allow: string; ownOrigin: string | undefined };

/** What the thread does. */
export const check = ({ definition, has, allow, ownOrigin }: Input): CheckedDraft => {
  const rules = parseEgressAllow(allow);
  const own = ownOrigin === undefined ? undefined : { origin: ownOrigin };
  return checkDraft(parseJson(definition), { ...has, refuseUrl: (url) => refuseUrl(url, rules, own) });
};

const task: Task<Input, CheckedDraft> = { module: import.meta.url, name: 'check' };

/**
 * Checks drafts on threads; `rules` and `findOwn` are what flows may call beside public addresses. An issue says of a draft that it takes too long. Throws `unavailable`
 * while the account has too many that wait.
 */
export const createCheckOnThread = (
  threads: Threads,
  rules: readonly EgressRule[],
  findOwn: FindOwnEndpoint = () => undefined,
): CheckDraft => {
  const allow = rules.map(showEgressRule).join(',');
  return async (accountId, { definition, has }) => {
    const ownOrigin = findOwn()?.origin;
    const done = await threads.run(accountId, task, { definition: JSON.stringify(definition), has, allow, ownOrigin });
    switch (done.type) {
      case 'done':
        return done.output;
      case 'over':
        return { uses: undefined, issues: [tooCostly], publishable: null };
      case 'busy':
        throw new RequestError('unavailable', 'This account has too many flows being checked. Try again in a moment.');
      default:
        return unreachable(done);
    }
  };
};

const tooCostly = {
  severity: 'error',
  code: 'too_costly',
  block_id: null,
  path: '',
  message: 'takes more than a second to check: it has too many regular expressions, paths or placeholders',
  hint: 'Divide the flow, or have fewer of them.',
} as const;

/** What a draft needs. Throws `invalid_request` for one that takes too long to check: nobody could tell what it needs. */
export const requireUses = ({ uses }: CheckedDraft): string[] => {
  if (uses) return uses;
  throw invalid({ path: 'definition', message: tooCostly.message });
};
