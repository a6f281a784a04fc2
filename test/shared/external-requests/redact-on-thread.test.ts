import { onTestFinished, expect, test } from 'vitest';
import { createRedactOnThread, redactBody } from '../../../src/shared/external-requests/redact-on-thread.ts';
import { createThreads } from '../../../src/shared/platform/threads/threads.ts';

const secrets = Array.from({ length: 10 }, (_, index) => `sk_live_${'a'.repeat(30)}${index}`);

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

test('a response of 1 MiB is redacted on a thread, and takes little time of the thread that answers', async () => {
  const threads = createThreads();
  onTestFinished(threads.stop);
  const redact = createRedactOnThread(threads);
  const text = `${'{"a":"b"},'.repeat(100_000)}${secrets[3]}`;
  // A thread starts with its first task.
  await redact('account', { text, secrets });
  const begun = cpuMs();
  const redacted = await redact('account', { text, secrets });
  const took = cpuMs() - begun;
  const before = cpuMs();
  expect(redacted).toBe(redactBody({ text, secrets }));
  expect(took).toBeLessThan((cpuMs() - before) / 2);
  expect(redacted?.endsWith('[redacted]')).toBe(true);
});

test('a short response is redacted at once', async () => {
  const threads = createThreads();
  onTestFinished(threads.stop);
  const redacted = await createRedactOnThread(threads)('account', { text: `a ${secrets[0]} b`, secrets });
  expect(redacted).toBe('a [redacted] b');
});
