import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeLines } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';

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
export const Exchange = ({ url, at, status, latencyMs, address, cause, answer }: Props) => {
  const { t } = useTranslation('webhooks');
  return (
    <Stack gap="xs">
      <Facts
        facts={[
          [t('asked'), url],
          [t('askedAt'), at && <Time key="at" at={at} />],
          [t('answerStatus'), status],
          [t('cause'), cause],
          [t('latency'), t('ms', { ms: latencyMs.toLocaleString() })],
          [t('address'), address],
          [t('answer'), answer === '' ? t('emptyAnswer') : null],
        ]}
      />
      {answer && <CodeLines value={answer} label={t('answer')} maxHeight={200} />}
    </Stack>
  );
};
