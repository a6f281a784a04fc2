import { Button, Group, Menu, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { client, type Schemas } from '../../../api/client.ts';
import { invalidate } from '../../../api/query-client.ts';
import { mayAs } from '../../../api/session.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { FormModal } from '../../../parts/form-modal.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import { Section } from '../../../parts/section.tsx';
import { useApiForm } from '../../../parts/use-api-form.ts';
import { useNow } from '../../../parts/use-now.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { AutomationState } from './automation-state.tsx';
import { Enroll } from './enroll.tsx';
import { words } from './words.ts';

const hourMs = 3_600_000;

const pauses = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, month: 720 * hourMs } as const;

/** Whether flows may talk to the contact, and the way into one. */
export const Automation = ({ contact }: { contact: Schemas['Contact'] }) => {
  const { id, automation_paused_until: until } = contact;
  const mayEnroll = mayAs('editor', useSignedIn());
  const [isEnrolling, enrolling] = useDisclosure();
  const [isChoosing, choosing] = useDisclosure();
  const nowMs = useNow();
  const isPaused = until !== null && Date.parse(until) > nowMs;

  const pauseUntil = async (time: string | null): Promise<void> => {
    await client.PATCH('/contacts/{id}', { params: { path: { id } }, body: { automation_paused_until: time } });
    await invalidate('/contacts', '/runs');
  };
  const pauseWithUndo = async (time: string | null): Promise<void> => {
    await pauseUntil(time);
    showDone({ message: time === null ? words.resumed : words.nowPaused, undo: () => pauseUntil(until) });
  };
  return (
    <Section title={words.automation}>
      <AutomationState contact={contact} isPaused={isPaused} />
      <Group gap="xs">
        {isPaused ? (
          <Button variant="default" size="xs" onClick={() => void pauseWithUndo(null).catch(showFailure)}>
            {words.resume}
          </Button>
        ) : (
          <Menu>
            <Menu.Target>
              <Button variant="default" size="xs">
                {words.pause}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {(['hour', 'day', 'week', 'month'] as const).map((length) => (
                <Menu.Item
                  key={length}
                  onClick={() =>
                    void pauseWithUndo(new Date(Date.now() + pauses[length]).toISOString()).catch(showFailure)
                  }
                >
                  {words.pauses[length]}
                </Menu.Item>
              ))}
              <Menu.Item onClick={choosing.open}>{words.pauseUntil}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {mayEnroll && (
          <Button variant="default" size="xs" onClick={enrolling.open}>
            {words.enroll}
          </Button>
        )}
      </Group>
      {isEnrolling && <Enroll contactId={id} close={enrolling.close} />}
      {isChoosing && <PauseTime close={choosing.close} pauseUntil={pauseWithUndo} />}
    </Section>
  );
};

const PauseTime = ({ close, pauseUntil }: { close: () => void; pauseUntil: (time: string) => Promise<void> }) => {
  const { form, ...state } = useApiForm({
    initialValues: { automation_paused_until: '' },
    onSubmit: async ({ automation_paused_until: time }) => {
      await pauseUntil(new Date(time).toISOString());
      close();
    },
  });
  return (
    <FormModal {...state} close={close} title={words.pause} action={words.pause}>
      <TextInput
        type="datetime-local"
        label={words.pauseTime}
        description={words.pauseTimeHint}
        required
        {...form.getInputProps('automation_paused_until')}
      />
    </FormModal>
  );
};
