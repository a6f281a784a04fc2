import { Stack, Text } from '@mantine/core';
import { sayFailure, sayRefusal } from '../../../shared/credentials/oauth2/say.ts';
import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { capitalized } from './capitalized.ts';
import { words } from './words.ts';

type Client = Schemas['OAuth2Client'];

const tones: Record<Client['state'], Tone> = {
  waiting: 'off',
  connected: 'good',
  failing: 'waiting',
  reconnect: 'bad',
};

/** Whether a credential of type oauth2 has an access token, until when it is good, and why it gets none. */
export const OAuth2State = ({ client: { state, reason, expires_at } }: { client: Client }) => (
  <Stack gap={2} align="flex-start">
    <Status tone={tones[state]}>{words.states[state]}</Status>
    {state === 'connected' && expires_at && (
      <Text size="sm" c="dimmed">
        {words.expires} <Time at={expires_at} />
      </Text>
    )}
    {reason !== null && (
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'normal' }}>
        {capitalized(state === 'reconnect' ? sayRefusal(reason) : sayFailure(reason))}
      </Text>
    )}
  </Stack>
);
