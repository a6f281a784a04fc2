import { Text, Title } from '@mantine/core';
import { memo } from 'react';
import { ContactSelect } from '../../../parts/contact-select.tsx';
import { useBuilder, type Builder } from '../builder/builder-context.ts';
import { words } from './words.ts';

/** The contact whose values stand beside the names that placeholders propose. The phone and tests of requests take the same one. */
export const SampleContact = () => {
  const { contactId, setContactId } = useBuilder();
  return <ChosenContact contactId={contactId} setContactId={setContactId} />;
};

const ChosenContact = memo(({ contactId, setContactId }: Pick<Builder, 'contactId' | 'setContactId'>) => (
  <section className="panel-part" aria-label={words.sample.title}>
    <Title order={3} size="h6">
      {words.sample.title}
    </Title>
    <Text size="xs" c="dimmed">
      {words.sample.hint}
    </Text>
    <ContactSelect value={contactId} onChange={(id) => setContactId(id ?? undefined)} placeholder={words.sample.none} />
  </section>
));
ChosenContact.displayName = 'ChosenContact';
