import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

/** A process of the bench's own that answers questions, one at a time. */
export type Child = {
  pid: number;
  /** Rejects when the process ends instead of answering. */
  ask: <Schema extends z.ZodType>(question: object, answer: Schema) => Promise<z.infer<Schema>>;
  stop: () => Promise<void>;
};

/** Starts a file of this folder as a process of its own; it ends with this one, however that ends. */
export const startChild = (file: string, args: readonly string[] = []): Child => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: [] });
  const ended = once(child, 'exit');
  const endedEarly = ended.then(([code, signal]) => {
    throw new Error(`bench/${file} has ended by itself (${signal ?? `exit code ${code}`})`);
  });
  // Only who waits for an answer is told.
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

/** The child's side: answers questions until the parent has gone. */
export const answerQuestions = (answer: (question: unknown) => Promise<object>): void => {
  process.on('message', (question) => {
    void answer(question).then((message) => process.send?.(message));
  });
  process.on('disconnect', () => process.exit());
};
