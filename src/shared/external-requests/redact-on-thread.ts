import type { Task } from '../platform/threads/task.ts';
import type { Threads } from '../platform/threads/threads.ts';
import { createRedactor } from './redact.ts';

type Input = { text: string; secrets: readonly string[] };

/** Hides secrets in the whole body of an account's response; undefined where that takes too long. */
export type RedactBody = (accountId: string, input: Input) => Promise<string | undefined>;

/** What is done where that is quick. */
export const redactBody = ({ text, secrets }: Input): string => createRedactor(secrets).redact(text);

/** Redacts in this thread, for those who have a process to themselves. */
export const redactHere: RedactBody = async (_accountId, input) => redactBody(input);

const task: Task<Input, string> = { module: import.meta.url, name: 'redactBody', waitsAlways: true };

/** As many characters are searched at once. */
const quickLength = 65_536;

/** Redacts long bodies on a thread: 1 MiB takes some 50 ms, in which nobody else would be answered. */
export const createRedactOnThread =
  (threads: Threads): RedactBody =>
  async (accountId, input) => {
    if (input.text.length <= quickLength || input.secrets.length === 0) return redactBody(input);
    const done = await threads.run(accountId, task, input);
    return done.type === 'done' ? done.output : undefined;
  };
