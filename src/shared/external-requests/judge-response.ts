import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { holdsOf, sayRule, type SuccessRule } from '../flows/blocks/success-when.ts';
import { newBudget } from '../flows/templating/budget.ts';
import type { ResponseSource } from './response-source.ts';

/** A response that is no success, by its rules: a word for operators, and the same in a sentence. Neither has anything of the response. */
export type Unmet = { reason: `success_when_${number}` | 'success_when'; detail: string };

/** Whether a response is a success. `unmet` is there where rules decide it. */
export type Judged = { isSuccess: boolean; unmet?: Unmet };

/** Whether a status alone is a success. */
export const isGoodStatus = (status: number): boolean => status >= 200 && status < 300;

/** Decides whether a response is a success: by the rules of its block, which then decide alone, else by its status. */
export const judge = (
  { success_when: successWhen }: Pick<ExternalRequest, 'success_when'>,
  { status, source, timeZone = 'UTC' }: { status: number; source: ResponseSource; timeZone: string | undefined },
): Judged => {
  if (!successWhen) return { isSuccess: isGoodStatus(status) };
  const { match, rules } = successWhen;
  const budget = newBudget();
  for (const [index, rule] of rules.entries()) {
    const found = source.find(rule.path, { asJson: false, takesAll: rule.op === 'contains' });
    const holds = found.ok ? holdsOf(rule, found.value, { budget, timeZone }) : false;
    if (holds === undefined) return { isSuccess: false, unmet: notMet(index, rule, 'takes too long to compare') };
    if (holds && match === 'any') return { isSuccess: true };
    if (!holds && match === 'all')
      return { isSuccess: false, unmet: notMet(index, rule, found.ok ? 'does not hold' : found.problem) };
  }
  if (match === 'all') return { isSuccess: true };
  return { isSuccess: false, unmet: { reason: 'success_when', detail: `success_when: none of its rules holds` } };
};

const notMet = (index: number, rule: SuccessRule, why: string): Unmet => ({
  reason: `success_when_${index + 1}`,
  detail: `success_when: rule ${index + 1} (${sayRule(rule)}) ${why}`,
});

/** What is said of a response that nobody could judge in time. */
export const unjudged: Unmet = { reason: 'success_when', detail: 'success_when: takes more than a second to decide' };
