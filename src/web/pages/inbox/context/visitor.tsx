import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { Facts } from '../../../parts/facts.tsx';
import { OutLink } from '../../../parts/out-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { words as all } from '../words.ts';

const words = all.visitor;

/** A text of the visitor's page, marked as one for which nobody vouches. */
const unverified = (text: string | null, shown: ReactNode = text) =>
  text === null ? null : (
    <>
      {shown}{' '}
      <Text span size="xs" c="dimmed">
        ({words.unverified})
      </Text>
    </>
  );

/** Who chats: for whom the account's server vouches, and what the page says. */
export const VisitorOfConversation = ({ id }: { id: string }) => {
  const { data } = api.useQuery('get', '/conversations/{id}/visitor', { params: { path: { id } } });
  if (!data) return null;
  return (
    <Section title={words.title}>
      <Facts
        facts={[
          [words.identity, data.identified_as ?? words.anonymous],
          [words.name, unverified(data.name)],
          [words.email, unverified(data.email)],
          [words.page, unverified(data.url, <OutLink href={data.url ?? ''}>{data.title ?? data.url}</OutLink>)],
          [words.referrer, unverified(data.referrer, <OutLink href={data.referrer ?? ''}>{data.referrer}</OutLink>)],
        ]}
      />
    </Section>
  );
};
