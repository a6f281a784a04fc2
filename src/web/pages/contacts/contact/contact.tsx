import { Grid, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from 'react-router';
import { api, client } from '../../../api/client.ts';
import { askForContact } from '../../../api/contact-names.ts';
import { invalidate } from '../../../api/query-client.ts';
import { Avatar } from '../../../parts/avatar.tsx';
import { sayContact } from '../../../parts/contact-link.tsx';
import { LoadingPage } from '../../../parts/loading-page.tsx';
import { OpenHandover } from '../../../parts/open-handover.tsx';
import { readingOf } from '../../../parts/freshness.tsx';
import { Page as Frame } from '../../../parts/page.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { ContactForm, type ContactFields } from '../contact-form.tsx';
import { words as contactWords } from '../words.ts';
import { ContactActions } from './actions.tsx';
import { Automation } from './automation.tsx';
import { Conversations } from './conversations.tsx';
import { CustomFields } from './custom-fields.tsx';
import { Orders } from './orders.tsx';
import { Profile } from './profile.tsx';
import { Runs } from './runs.tsx';
import { Tags } from './tags.tsx';
import { Timeline } from './timeline.tsx';
import { words } from './words.ts';

const tabs = { timeline: Timeline, runs: Runs, orders: Orders, conversations: Conversations } as const;

const tabNames = ['timeline', 'runs', 'orders', 'conversations'] as const;

/** One contact: who it is, and what happens with it. */
export const Page = () => {
  const { id = '' } = useParams();
  const path = { id };
  const asked = api.useQuery('get', '/contacts/{id}', { params: { path } });
  const { data: contact, error, refetch } = asked;
  const [isEditing, { open, close }] = useDisclosure();
  const { filters, setFilters } = useFilters(['tab']);
  const tab = tabNames.find((name) => name === filters.tab) ?? 'timeline';
  const above = [{ title: contactWords.title, to: '/contacts' }];

  const save = async (body: ContactFields): Promise<void> => {
    await client.PATCH('/contacts/{id}', { params: { path }, body });
    askForContact(id);
    await invalidate('/contacts');
    close();
  };

  if (!contact)
    return <LoadingPage title={contactWords.title} above={above} error={error} retry={() => void refetch()} />;
  return (
    <Frame
      reading={readingOf(asked)}
      title={sayContact(contact)}
      mark={<Avatar id={id} name={sayContact(contact)} size={44} />}
      above={above}
      actions={<ContactActions contact={contact} edit={open} />}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 1, md: 2 }}>
          <Stack gap="md">
            <OpenHandover contactId={id} />
            <Profile contact={contact} />
            <Tags contact={contact} />
            <CustomFields contact={contact} />
            <Automation contact={contact} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 2, md: 1 }}>
          <Tabs
            value={tab}
            onChange={(name) => setFilters({ tab: name === 'timeline' ? null : name })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              {tabNames.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {words.tabs[name]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {tabNames.map((name) => {
              const Shown = tabs[name];
              return (
                <Tabs.Panel key={name} value={name}>
                  <Shown contactId={id} />
                </Tabs.Panel>
              );
            })}
          </Tabs>
        </Grid.Col>
      </Grid>
      {isEditing && <ContactForm close={close} contact={contact} save={save} />}
    </Frame>
  );
};
