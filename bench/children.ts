import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

/** A child process of the bench that answers one question at a time. */
export type Child = {
  pid: number;
  /** Rejects when the process ends instead of answering. */
  ask: <Schema extends z.ZodType>(question: object, answer: Schema) => Promise<z.infer<Schema>>;
  stop: () => Promise<void>;
};

/** Starts a file of this folder as a child process, which ends with this process in any case. */
export const startChild = (file: string, args: readonly string[] = []): Child => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: [] });
  const ended = once(child, 'exit');
  const endedEarly = ended.then(([code, signal]) => {
    throw new Error(`bench/${file} has ended by itself (${signal ?? `exit code ${code}`})`);
  });
  // A failure is reported only to a caller that waits for an answer.
  endedEarly.catch(() => {});
  return {
    pid: child.pid ?? 0,
    ask: async (question, answer) => {
      const answered = once(child, 'message');
      child.send(question);
      const [message] = await Promise.race([answered, endedEarly]);
      return answer.parse(message);
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};

/** The child's side: answers questions until the parent has ended. */
export const answerQuestions = (answer: (question: unknown) => Promise<object>): void => {
  process.on('message', (question) => {
    void answer(question).then((message) => process.send?.(message));
  });
  process.on('disconnect', () => process.exit());
};
