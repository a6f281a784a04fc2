import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from './words.ts';

/** How long the secret before a rotation signs beside the new one, in ms. */
const previousSignsMs = 24 * 3_600_000;

/** Settings, API, Webhook Secret: what signs for dashboard webhooks is shown on request, and rotated (specification 5.5). */
export const WebhookSecret = () => {
  // Kept by this part alone, and gone with it.
  const [secret, setSecret] = useState<string>();
  const [previousUntil, setPreviousUntil] = useState<string>();
  const show = async (): Promise<void> => {
    const { data } = await client.GET('/webhook-secret');
    setSecret(data?.secret);
  };
  const rotate = (): void =>
    confirm({
      title: words.secret.rotateTitle,
      children: words.secret.rotateText,
      action: words.secret.rotate,
      isDangerous: true,
      onConfirm: async () => {
        const { data } = await client.POST('/webhook-secret/rotate');
        setSecret(data?.secret);
        setPreviousUntil(new Date(Date.now() + previousSignsMs).toISOString());
      },
    });
  return (
    <Section title={words.secret.title} description={words.secret.description}>
      {secret === undefined ? (
        <Text ff="monospace" aria-label={words.secret.hidden}>
          whsec_••••••••
        </Text>
      ) : (
        <Copyable value={secret} label={words.secret.title} />
      )}
      {previousUntil !== undefined && (
        <Alert color="teal" variant="light" role="status" title={words.secret.rotated}>
          {words.secret.previousUntil} <Time at={previousUntil} format="exact" />.
        </Alert>
      )}
      <Group gap="xs">
        {secret === undefined ? (
          <Button variant="default" onClick={() => void show().catch(showFailure)}>
            {words.secret.show}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setSecret(undefined)}>
            {words.secret.hide}
          </Button>
        )}
        <Button variant="default" onClick={rotate}>
          {words.secret.rotate}
        </Button>
      </Group>
    </Section>
  );
};
