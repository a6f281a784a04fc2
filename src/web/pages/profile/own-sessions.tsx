import { Button, Group, Text, Tooltip } from '@mantine/core';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { RowAction, rowActions } from '../../parts/row-action.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { readUserAgent } from './read-user-agent.ts';
import { words } from './words.ts';

type Entry = Schemas['SessionEntry'];

/** Where the user is signed in, and the way to end it there. */
export const OwnSessions = () => {
  const list = useList('/sessions');

  const sayBrowser = ({ user_agent }: Entry): string => {
    const { browser = words.unknownBrowser, system } = readUserAgent(user_agent ?? '');
    return system === undefined ? browser : words.browserOn({ browser, system });
  };
  const end = (entry: Entry): void =>
    confirm({
      title: words.endTitle(sayBrowser(entry)),
      children: words.endText,
      action: words.end,
      onConfirm: async () => {
        await client.DELETE('/sessions/{id}', { params: { path: { id: entry.id } } });
        await invalidate('/sessions');
      },
    });
  const endOthers = (): void =>
    confirm({
      title: words.endOthersTitle,
      children: words.endOthersText,
      action: words.endOthers,
      onConfirm: async () => {
        const { data } = await client.DELETE('/sessions', { params: { query: { which: 'others' } } });
        await invalidate('/sessions');
        showDone({ message: words.othersEnded(data?.ended ?? 0) });
      },
    });
  const hasOthers = list.rows?.some(({ is_current }) => !is_current) === true;

  return (
    <Section
      title={words.sessions}
      description={words.sessionsText}
      actions={
        hasOthers && (
          <Button size="xs" variant="default" onClick={endOthers}>
            {words.endOthers}
          </Button>
        )
      }
    >
      <DataTable
        label={words.sessions}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: words.browser,
            show: (entry) => (
              <Group gap="xs">
                <Tooltip label={entry.user_agent} disabled={entry.user_agent === null} multiline maw={360}>
                  <Text size="sm" component="span" tabIndex={0}>
                    {sayBrowser(entry)}
                  </Text>
                </Tooltip>
                {entry.is_current && <Status tone="good">{words.thisSession}</Status>}
              </Group>
            ),
          },
          { heading: words.address, card: 'line', show: ({ address }) => address },
          { heading: words.lastUsed, card: 'aside', show: ({ last_used_at }) => <Time at={last_used_at} /> },
          { heading: words.began, card: 'hidden', show: ({ created_at }) => <Time at={created_at} /> },
          { heading: words.ends, card: 'end', cardHeading: true, show: ({ expires_at }) => <Time at={expires_at} /> },
          rowActions((entry: Entry) =>
            entry.is_current ? null : (
              <RowAction label={words.endTitle(sayBrowser(entry))} onClick={() => end(entry)}>
                {words.end}
              </RowAction>
            ),
          ),
        ]}
        empty={<Empty title={words.sessions} />}
        minWidth={860}
      />
    </Section>
  );
};
