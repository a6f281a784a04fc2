import { SimpleGrid } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { sayNumber } from '../../words/numbers.ts';
import { saySpan } from './say-span.ts';
import { changeOf, Tile } from './tile.tsx';
import { words } from './words.ts';

type Statistics = Schemas['Statistics'];
type Tally = Statistics['total'];

/** The share of the runs that ended which reached the end; null where none has ended. */
const completionOf = ({ activity }: Tally): number | null => {
  if (!activity) return null;
  const { completed, failed, cancelled } = activity.runs;
  const ended = completed + failed + cancelled;
  return ended === 0 ? null : completed / ended;
};

const messagesOf = ({ activity }: Tally): number =>
  activity ? activity.messages.received + activity.messages.sent : 0;

/** What the account lives by: messages, contacts, how fast they are answered, and whether flows get to their end. */
export const ActivityTiles = ({ statistics: { points, total, before } }: { statistics: Statistics }) => {
  const earlier = before?.total;
  const { messages, runs, first_answers: answers, new_contacts: contacts = 0 } = total.activity ?? {};
  const completion = completionOf(total);
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
      <Tile
        name={words.messages}
        figure={sayNumber(messagesOf(total))}
        note={words.receivedAndSent(sayNumber(messages?.received ?? 0), sayNumber(messages?.sent ?? 0))}
        change={changeOf(messagesOf(total), earlier && messagesOf(earlier))}
        values={points.map(messagesOf)}
        to="/conversations"
      />
      <Tile
        name={words.newContacts}
        figure={sayNumber(contacts)}
        change={changeOf(contacts, earlier?.activity?.new_contacts, 'more')}
        values={points.map(({ activity }) => activity?.new_contacts ?? 0)}
        to="/contacts"
      />
      <Tile
        name={words.firstAnswer}
        figure={answers ? saySpan(answers.median_ms) : '–'}
        note={answers ? words.answered(answers.count) : words.noneAnswered}
        change={changeOf(answers?.median_ms, earlier?.activity?.first_answers?.median_ms, 'less')}
        values={points.map(({ activity }) => activity?.first_answers?.median_ms ?? null)}
        to="/conversations"
      />
      <Tile
        name={words.completion}
        figure={completion === null ? '–' : words.share(completion)}
        note={words.runsOf(runs?.started ?? 0, runs?.failed ?? 0)}
        change={changeOf(completion, earlier && completionOf(earlier), 'more')}
        values={points.map(completionOf)}
        to="/runs"
      />
    </SimpleGrid>
  );
};

/** How events reach the endpoints of the account. */
export const DeliveryTiles = ({ statistics: { points, total, before } }: { statistics: Statistics }) => {
  const earlier = before?.total;
  const lostOf = ({ deliveries: { failed, dropped } }: Tally): number => failed + dropped;
  const latency = total.latency_ms;
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
      <Tile
        name={words.events}
        figure={sayNumber(total.events ?? 0)}
        change={changeOf(total.events, earlier?.events)}
        values={points.map(({ events }) => events ?? 0)}
        to="/settings/logs/events"
      />
      <Tile
        name={words.delivered}
        figure={sayNumber(total.deliveries.delivered)}
        note={words.failedAttemptsOf(total.attempts.failed)}
        change={changeOf(total.deliveries.delivered, earlier?.deliveries.delivered)}
        values={points.map(({ deliveries }) => deliveries.delivered)}
        to="/settings/logs/delivery?status=all"
      />
      <Tile
        name={words.failedOrDropped}
        figure={sayNumber(lostOf(total))}
        change={changeOf(lostOf(total), earlier && lostOf(earlier), 'less')}
        values={points.map(lostOf)}
        to="/settings/logs/delivery?status=failed,dropped"
      />
      <Tile
        name={words.latency95}
        figure={latency ? words.ms(latency.p95) : '–'}
        note={latency ? words.halfWithin(latency.p50) : undefined}
        change={changeOf(latency?.p95, earlier?.latency_ms?.p95, 'less')}
        values={points.map(({ latency_ms }) => latency_ms?.p95 ?? null)}
        to="/settings/webhooks"
      />
    </SimpleGrid>
  );
};
