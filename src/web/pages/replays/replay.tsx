import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { BulkAbout, BulkPage, whileRunning } from '../../parts/bulk-page.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { deliveryWords } from '../../words/deliveries.ts';
import { ReplayActions } from './replay-actions.tsx';
import { words } from './words.ts';

type Replay = Schemas['Replay'];

/** The part of the log that a replay goes through. */
const logOf = ({ webhook_id, status, since, until }: Replay['filter']): string => {
  const query = new URLSearchParams({ status: status.join(',') });
  for (const [name, value] of Object.entries({ webhook_id, since, until })) if (value) query.set(name, value);
  return `/settings/logs/delivery?${query}`;
};

/** The last success of a webhook that is re-enabled; null of one that never had any, where the API has the beginning of time. */
const sinceASuccess = ({ lost_since: at }: Replay['filter']): string | null => (at && Date.parse(at) > 0 ? at : null);

/** One bulk replay: how far it is, and what can be done with it. */
export const Page = () => {
  const { id = '' } = useParams();
  const asked = api.useQuery('get', '/replays/{id}', { params: { path: { id } } }, whileRunning);
  return (
    <BulkPage
      asked={asked}
      title={words.one}
      above={{ title: words.title, to: '/settings/logs/replays' }}
      actions={(replay) => <ReplayActions replay={replay} />}
    >
      {(replay) => <About replay={replay} />}
    </BulkPage>
  );
};

const About = ({ replay }: { replay: Replay }) => {
  const { sayWebhook } = useWebhooks();
  const { filter, stop_reason: reason, replayed, skipped } = replay;
  const lostSince = sinceASuccess(filter);
  return (
    <BulkAbout
      work={replay}
      done={replayed + skipped}
      stopped={reason && words.stopped[reason]}
      facts={[
        [words.webhook, filter.webhook_id === null ? words.allWebhooks : sayWebhook(filter.webhook_id)],
        [words.deliveries, filter.status.map((one) => deliveryWords.statuses[one]).join(', ')],
        [words.since, filter.since && <Time key="since" at={filter.since} format="exact" />],
        [words.until, filter.until && <Time key="until" at={filter.until} format="exact" />],
        [words.lostSince, lostSince && <Time key="lost" at={lostSince} format="exact" />],
        [words.replayed, replayed],
        [words.skipped, skipped > 0 ? `${skipped}: ${words.skippedHint}` : 0],
      ]}
    >
      <To to={logOf(filter)}>{words.seeDeliveries}</To>
    </BulkAbout>
  );
};
