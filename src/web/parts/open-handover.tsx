import { Box, Button, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { handoverResolution } from '../../shared/handovers/schema.ts';
import { client, type Schemas } from '../api/client.ts';
import { invalidate } from '../api/query-client.ts';
import { handoverWords } from '../words/handovers.ts';
import { checkedAs } from './checked-as.ts';
import { Facts } from './facts.tsx';
import { showFailure } from './failure.tsx';
import { FormModal } from './form-modal.tsx';
import { Section } from './section.tsx';
import { showDone } from './show-done.tsx';
import { useUsers } from './use-users.ts';
import { Time } from './time.tsx';
import { useApiForm } from './use-api-form.ts';
import { useList } from './use-list.ts';
import { nobody, UserSelect } from './user-select.tsx';

/** Asks again for all that shows handovers. */
const refresh = (): Promise<void> => invalidate('/handovers', '/conversations', '/contacts', '/overview');

/** The open handover of a contact, if there is one. */
export const useOpenHandover = (contactId: string) => {
  const { rows } = useList('/handovers', { query: { contact_id: contactId, status: 'open' }, limit: 1 });
  return { handover: rows?.[0], isLoading: rows === undefined };
};

/** The open handover of a contact: who has asked for a person and why, who has taken it, and its end. Nothing where there is none. */
export const OpenHandover = ({ contactId }: { contactId: string }) => {
  const { handover } = useOpenHandover(contactId);
  const { sayUser } = useUsers();
  const [isResolving, { open, close }] = useDisclosure();
  if (!handover) return null;

  const assign = async (user: string | null): Promise<void> => {
    await client.PATCH('/handovers/{id}', { params: { path: { id: handover.id } }, body: { assigned_to: user } });
    await refresh();
  };
  const assignWithUndo = async (user: string | null): Promise<void> => {
    await assign(user);
    const message = user === null ? handoverWords.givenBack : handoverWords.taken(sayUser(user));
    showDone({ message, undo: () => assign(handover.assigned_to) });
  };
  return (
    <Section
      title={handoverWords.title}
      description={handoverWords.silence}
      actions={
        <Button size="xs" onClick={open}>
          {handoverWords.resolve}
        </Button>
      }
    >
      <Facts
        facts={[
          [handoverWords.by, handoverWords.requesters[handover.requested_by]],
          [handoverWords.reason, <Reason key="reason">{handover.reason}</Reason>],
          [handoverWords.since, <Time key="since" at={handover.created_at} />],
          [handoverWords.expires, <Time key="expires" at={handover.expires_at} />],
        ]}
      />
      <Box maw={320}>
        <UserSelect
          label={handoverWords.takenBy}
          value={handover.assigned_to ?? nobody}
          onChange={(user) => void assignWithUndo(user === nobody ? null : user).catch(showFailure)}
        />
      </Box>
      {isResolving && <Resolve handover={handover} close={close} />}
    </Section>
  );
};

/** What somebody has written, line by line. */
const Reason = ({ children }: { children: string }) => (
  <Text span size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {children}
  </Text>
);

type Written = { outcome: string };

const readOutcome = ({ outcome }: Written) => (outcome.trim() === '' ? {} : { outcome });

const Resolve = ({ handover: { id }, close }: { handover: Schemas['Handover']; close: () => void }) => {
  const { form, ...state } = useApiForm<Written>({
    initialValues: { outcome: '' },
    schema: checkedAs(handoverResolution, readOutcome),
    onSubmit: async (written) => {
      await client.POST('/handovers/{id}/resolve', { params: { path: { id } }, body: readOutcome(written) });
      await refresh();
      close();
    },
  });
  return (
    <FormModal {...state} close={close} title={handoverWords.resolve} action={handoverWords.resolve}>
      <Textarea
        label={handoverWords.outcomeOptional}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
        {...form.getInputProps('outcome')}
      />
    </FormModal>
  );
};
