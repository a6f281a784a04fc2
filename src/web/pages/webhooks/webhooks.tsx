import { Accordion, Alert, Button } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ByApi } from './by-api.tsx';
import { Count } from './count.tsx';
import { Events } from './events.tsx';
import { HealthCell } from './health.tsx';
import { Register } from './register.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import { To } from '../../parts/to.tsx';
import { words } from './words.ts';

/** Settings, Webhooks: the registrations of both variants (specification 1.6). */
export const Page = () => {
  const { account } = useSignedIn();
  const list = useList('/webhooks');
  const [isRegistering, { open, close }] = useDisclosure();
  const add = account.webhooks_allowed && <Button onClick={open}>{words.add}</Button>;

  return (
    <Frame title={words.title} description={words.description} actions={add}>
      {!account.webhooks_allowed && (
        <Alert color="yellow" title={words.planTitle}>
          {words.planHint} {list.rows && list.rows.length > 0 && words.planLapsed}
        </Alert>
      )}
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/settings/webhooks/${id}`}
        counted={words.counted}
        minWidth={940}
        columns={[
          {
            heading: words.url,
            show: ({ id, url }) => <To to={`/settings/webhooks/${id}`}>{url}</To>,
          },
          { heading: words.status, card: 'line', show: (webhook) => <WebhookStatus webhook={webhook} />, width: 190 },
          { heading: words.lastDay, card: 'hidden', show: ({ health }) => <HealthCell health={health} />, width: 150 },
          { heading: words.variant, card: 'hidden', show: ({ variant }) => words.variants[variant], width: 120 },
          { heading: words.events, card: 'hidden', show: ({ events }) => <Events names={events} />, width: 240 },
          {
            heading: words.parked,
            card: 'end',
            cardHeading: true,
            align: 'right',
            show: ({ backlog }) => <Count count={backlog.parked} of="list" />,
            width: 90,
          },
        ]}
        empty={
          <Empty icon={IconWebhook} title={words.empty} action={add}>
            {account.webhooks_allowed && words.emptyHint}
          </Empty>
        }
      />
      {account.webhooks_allowed && (
        <Accordion variant="separated">
          <Accordion.Item value="api">
            <Accordion.Control>{words.byApi}</Accordion.Control>
            <Accordion.Panel>
              <ByApi />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
      {isRegistering && <Register close={close} />}
    </Frame>
  );
};
