import { Stack } from '@mantine/core';
import { CodeLines } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { sayNumber } from '../../words/numbers.ts';
import { words } from './words.ts';

type Props = {
  url?: string;
  /** When, in ISO 8601. */
  at?: string;
  /** Of the answer; null when there was none. */
  status: number | null;
  latencyMs: number;
  /** The one that its name resolved to. */
  address: string | null;
  /** Why there was no answer. */
  cause: string | null;
  /** The beginning of the answer's body; null when there was none. */
  answer: string | null;
};

/** One POST to an endpoint: where it went, and what came back, as text. */
export const Exchange = ({ url, at, status, latencyMs, address, cause, answer }: Props) => (
  <Stack gap="xs">
    <Facts
      facts={[
        [words.asked, url],
        [words.askedAt, at && <Time key="at" at={at} format="exact" />],
        [words.answerStatus, status],
        [words.cause, cause],
        [words.latency, words.ms(sayNumber(latencyMs))],
        [words.address, address],
        [words.answer, answer === '' ? words.emptyAnswer : null],
      ]}
    />
    {answer && <CodeLines value={answer} label={words.answer} maxHeight={200} />}
  </Stack>
);
