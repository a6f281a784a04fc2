import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useClipboard, useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../api/client.ts';
import { asCurl } from './as-curl.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

/** In the place of an address that is gone. */
const example = 'https://example.com/hook';

/** Copies the request of a delivery as a command to try an endpoint with, and shows it. */
export const CurlButton = ({
  delivery: { id, webhook_id, variant, body },
}: {
  delivery: Schemas['DeliveryDetail'];
}) => {
  const [isOpen, { open, close }] = useDisclosure();
  const { list, isKnown } = useWebhooks();
  const url = list.find((webhook) => webhook.id === webhook_id)?.url;
  const clipboard = useClipboard({ timeout: 60_000 });
  if (body === null) return null;
  const command = asCurl({ id, url: url ?? example, body });
  const copyAndShow = (): void => {
    clipboard.copy(command);
    open();
  };
  return (
    <>
      {/* The address comes with the list of webhooks, and a command that is copied before would have another one. */}
      <Button variant="default" onClick={copyAndShow} disabled={!isKnown}>
        {words.curl}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.curlTitle} size="xl">
        <Stack gap="sm">
          <Group justify="space-between">
            <Text size="sm" fw={600} role="status">
              {clipboard.copied ? words.curlCopied : clipboard.error ? words.curlNotCopied : ''}
            </Text>
            <Button variant="default" onClick={() => clipboard.copy(command)}>
              {commonWords.copy}
            </Button>
          </Group>
          <Text size="sm">
            {words.curlHint} {words.curlSecret[variant]}
          </Text>
          {isKnown && url === undefined && <Text size="sm">{words.curlGone}</Text>}
          <Code block mah={360} style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label={words.curlTitle}>
            {command}
          </Code>
        </Stack>
      </Modal>
    </>
  );
};
