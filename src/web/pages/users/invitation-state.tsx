import { Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { words } from './words.ts';

type Invitation = Schemas['Invitation'];

const tones: Record<Invitation['state'], Tone> = { sending: 'busy', sent: 'good', expired: 'off', failed: 'bad' };

/** What has come of an invitation's mail and link, and what to do. */
export const InvitationState = ({ invitation: { state, expires_at: until } }: { invitation: Invitation }) => {
  const { installation } = useSignedIn();
  const isMailed = installation.sends_mail;
  const isExpired = state === 'expired';
  const hint = {
    sending: undefined,
    sent: isMailed ? undefined : words.notMailedText,
    expired: isMailed ? words.expiredText : words.expiredLinkText,
    failed: words.failedText,
  }[state];
  return (
    <Stack gap={2} align="flex-start">
      <Status tone={isMailed || isExpired ? tones[state] : 'waiting'}>
        {isMailed || isExpired ? words.states[state] : words.notMailed}
      </Status>
      <Text size="xs" c="dimmed">
        {hint ??
          (until !== null && (
            <>
              {words.until} <Time at={until} />
            </>
          ))}
      </Text>
    </Stack>
  );
};
