import { useDebouncedValue } from '@mantine/hooks';
import { defaultPace } from '../../../shared/replays/schema.ts';
import { api, type Schemas } from '../../api/client.ts';
import { BulkEstimate } from '../../parts/bulk-work.tsx';
import { Failure } from '../../parts/failure.tsx';
import { words } from './words.ts';

type Props = {
  filter: { webhook_id?: string; since?: string; until?: string; status: Schemas['Replay']['filter']['status'] };
  pace: number;
};

/** How many deliveries a replay would send now, and how long it takes to begin them at this pace. */
export const ReplayCount = ({ filter, pace }: Props) => {
  const asked = JSON.stringify(filter);
  const [settled] = useDebouncedValue(asked, 250);
  const { data, error } = api.useQuery(
    'post',
    '/replays/preview',
    { body: { ...filter, pace: defaultPace } },
    { enabled: settled === asked },
  );
  if (error) return <Failure error={error} />;
  return <SayReplayCount found={data} pace={pace} />;
};

/** So many deliveries, and how long it takes to begin them at this pace. `found` is undefined while they are being counted. */
export const SayReplayCount = ({ found, pace }: { found: Schemas['ReplayPreview'] | undefined; pace: number }) => (
  <BulkEstimate
    found={found}
    pace={pace}
    sayFound={{ none: words.wouldSendNone, all: words.wouldSend, more: words.wouldSendMore }}
  />
);
