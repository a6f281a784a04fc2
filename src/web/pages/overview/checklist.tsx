import { Anchor, Button, Group, List, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import { useMayOpen } from '../../parts/use-may-open.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

type Steps = Schemas['Overview']['checklist'];

/** Where each step is taken, in their order. */
const places = [
  ['webhook', '/settings/webhooks'],
  ['channel', '/settings/channels'],
  ['api_key', '/settings/api'],
  ['message', '/settings/channels'],
  ['delivery', '/settings/logs/delivery?status=all'],
] as const satisfies readonly (readonly [keyof Steps, string])[];

/** The first steps of an account: on the page that takes them by clicks, or else as a list of what is done. */
export const Checklist = ({ steps }: { steps: Steps }) => {
  const { installation } = useSignedIn();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {words.checklist}
      </Title>
      {installation.test_endpoint ? (
        <Group justify="space-between" gap="sm">
          <Text size="sm">{words.checklistLead}</Text>
          <Button component={Link} to="/first-steps">
            {words.checklistStart}
          </Button>
        </Group>
      ) : (
        <Steps steps={steps} />
      )}
    </Stack>
  );
};

const Steps = ({ steps }: { steps: Steps }) => {
  const mayOpen = useMayOpen();
  return (
    <>
      <Text c="dimmed" size="sm">
        {words.checklistHint}
      </Text>
      <List spacing="xs" center>
        {places.map(([step, to]) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon size={22} radius="xl" color={steps[step] ? 'brand' : 'gray'} variant="light">
                {steps[step] ? <IconCheck size={14} aria-hidden /> : <IconCircleDashed size={14} aria-hidden />}
              </ThemeIcon>
            }
          >
            <VisuallyHidden>{steps[step] ? words.done : words.toDo}: </VisuallyHidden>
            {steps[step] || !mayOpen(to) ? (
              words.steps[step]
            ) : (
              <Anchor component={Link} to={to}>
                {words.steps[step]}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </>
  );
};
