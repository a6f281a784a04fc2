import { z } from 'zod';
import type { BlockProblem } from './block.ts';
import { durationMs } from './durations.ts';
import { duration } from './schemas.ts';

/** What a block retries by, where it does not say otherwise; waits in ms. */
const usual = { firstMs: 1_000, longestMs: 300_000, statuses: [408, 425, 429, 500, 502, 503, 504] } as const;

/** The statuses that say that nothing was done: also a POST is retried then. */
const nothingDone: ReadonlySet<number> = new Set([429, 503]);

/** The longest wait between two attempts, in ms, also where `Retry-After` asks for a longer one. */
export const longestWaitMs = 300_000;

const wait = duration.refine((iso) => (durationMs(iso) ?? 0) <= longestWaitMs, { error: 'must be from PT1S to PT5M' });

/** How often a request is retried, and after how long. */
export const retrySchema = z.strictObject({
  first_wait: wait.default('PT1S').meta({
    format: 'duration',
    description: 'The wait before the second attempt, from PT1S to PT5M. Each further wait is twice as long.',
    examples: ['PT1S', 'PT30S'],
  }),
  longest_wait: wait.default('PT5M').meta({
    format: 'duration',
    description:
      'The longest that a wait becomes by that, from PT1S to PT5M. `Retry-After` may ask for more, up to PT5M.',
    examples: ['PT30S', 'PT5M'],
  }),
  statuses: z
    .array(z.int().min(200).max(599))
    .max(50)
    .optional()
    .meta({ description: `Which statuses are retried, in place of ${usual.statuses.join(', ')}.` }),
});

type Retry = z.output<typeof retrySchema>;

/** What of a block says what is retried. */
export type Repeatable = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  safe_to_repeat: boolean;
  retry?: Retry | undefined;
};

/** Whether a repetition does no harm whatever became of the request: by its method (RFC 9110), or because its author says so. */
export const isSafeToRepeat = ({ method, safe_to_repeat: isSafe }: Repeatable): boolean =>
  isSafe || method === 'GET' || method === 'PUT' || method === 'DELETE';

/** Whether a response with this status, which is no success, is retried. */
export const retriesStatus = (block: Repeatable, status: number): boolean =>
  statusesOf(block).includes(status) && mayRepeat(block, status);

const statusesOf = ({ retry }: Repeatable): readonly number[] => retry?.statuses ?? usual.statuses;

/** What others than GET, PUT and DELETE ask for is repeated only where the response says that nothing was done. */
const mayRepeat = (block: Repeatable, status: number): boolean => isSafeToRepeat(block) || nothingDone.has(status);

/** The wait after the attempt of this number, counted from 1, in ms. */
export const waitAfter = ({ retry }: Pick<Repeatable, 'retry'>, number: number): number => {
  const { firstMs, longestMs } = retry ? waitsOf(retry) : usual;
  return Math.min(firstMs * 2 ** (number - 1), longestMs);
};

const waitsOf = ({ first_wait: first, longest_wait: longest }: Retry) => ({
  firstMs: durationMs(first) ?? usual.firstMs,
  longestMs: durationMs(longest) ?? usual.longestMs,
});

/** What is wrong with how a block retries, and which of its statuses it never retries. */
export const findRetryProblems = (block: Repeatable & { success_when?: unknown }): BlockProblem[] => {
  const { retry, method } = block;
  if (!retry) return [];
  const { firstMs, longestMs } = waitsOf(retry);
  const never = (statuses: readonly number[], why: string, hint: string): BlockProblem[] => {
    const message = `has ${statuses.join(', ')}, ${why}`;
    const problem = { code: 'never_retried', severity: 'warning', path: 'retry.statuses', message, hint } as const;
    return statuses.length === 0 ? [] : [problem];
  };
  const statuses = retry.statuses ?? [];
  const isSuccess = (status: number): boolean => status < 300 && !block.success_when;
  const message = `is longer than longest_wait, ${retry.longest_wait}`;
  return [
    ...(firstMs > longestMs ? [{ code: 'invalid_value', path: 'retry.first_wait', message }] : []),
    ...never(
      statuses.filter(isSuccess),
      'which is a success, and never retried',
      'Say in success_when which responses are a success.',
    ),
    ...never(
      statuses.filter((status) => !isSuccess(status) && !mayRepeat(block, status)),
      `after which a ${method} is not retried`,
      'Set safe_to_repeat where doing it twice does no harm.',
    ),
  ];
};
