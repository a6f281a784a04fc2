import { Alert, Paper, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { mayAs } from '../api/session.ts';
import { useSignedIn } from '../shell/session-context.ts';
import { bulkWorkWords as words } from '../words/bulk-work.ts';
import { temporalWords } from '../words/temporal.ts';
import { BulkProgress, BulkStatus, type State } from './bulk-work.tsx';
import { Copyable } from './copy.tsx';
import { Facts } from './facts.tsx';
import { Failure } from './failure.tsx';
import { readingOf } from './freshness.tsx';
import { OutLink } from './out-link.tsx';
import { Page } from './page.tsx';
import { Time } from './time.tsx';

/** What the API says of any bulk work. */
type BulkWork = {
  id: string;
  status: State;
  total: number;
  more_than_total: boolean;
  pace: number;
  created_at: string;
  finished_at: string | null;
  workflow_url: string | null;
};

/** Running bulk work goes on every second: its page asks every so many ms. */
const askAgainMs = 2_000;

/** The option of a query that asks again while bulk work runs. */
export const whileRunning = {
  refetchInterval: ({ state }: { state: { data: { status: State } | undefined } }) =>
    state.data?.status === 'running' ? askAgainMs : false,
} as const;

type PageProps<Work> = {
  asked: Parameters<typeof readingOf>[0] & { data: Work | undefined; error: unknown; refetch: () => Promise<unknown> };
  title: string;
  above: { title: string; to: string };
  /** What editors can do with it. */
  actions: (work: Work) => ReactNode;
  children: (work: Work) => ReactNode;
};

/** The page of one bulk work. */
export const BulkPage = <Work,>({ asked, title, above, actions, children }: PageProps<Work>) => {
  const mayChange = mayAs('editor', useSignedIn());
  const { data, error, refetch } = asked;
  return (
    <Page reading={readingOf(asked)} title={title} above={[above]} actions={data && mayChange && actions(data)}>
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? children(data) : !error && <Skeleton height={240} />}
    </Page>
  );
};

type AboutProps = {
  work: BulkWork;
  done: number;
  /** Why it stopped, where it did by itself. */
  stopped: string | null;
  /** What it takes, and what has become of it. */
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** A link to what it takes. */
  children: ReactNode;
};

/** How far bulk work is, and what it is about. */
export const BulkAbout = ({ work, done, stopped, facts, children }: AboutProps) => (
  <Stack gap="md">
    {stopped !== null && <Alert color="yellow">{stopped}</Alert>}
    <BulkProgress done={done} total={work.total} isMore={work.more_than_total} />
    <Paper withBorder p="md">
      <Facts
        facts={[
          [words.status, <BulkStatus key="status" status={work.status} />],
          ...facts,
          [words.paceName, words.paceOf(work.pace)],
          [words.created, <Time key="created" at={work.created_at} />],
          [words.finished, work.finished_at && <Time key="finished" at={work.finished_at} />],
          [
            temporalWords.workflow,
            work.workflow_url && (
              <OutLink key="workflow" href={work.workflow_url}>
                {temporalWords.open}
              </OutLink>
            ),
          ],
          [words.id, <Copyable key="id" value={work.id} label={words.id} />],
        ]}
      />
    </Paper>
    {children}
  </Stack>
);
