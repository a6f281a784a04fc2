import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { CodeLines } from '../../parts/copy.tsx';
import { asCurl } from './as-curl.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';

/** In the place of an address that is gone. */
const example = 'https://example.com/hook';

/** Shows the request of a delivery as a command to try an endpoint with. */
export const CurlButton = ({
  delivery: { id, webhook_id, variant, body },
}: {
  delivery: Schemas['DeliveryDetail'];
}) => {
  const { t } = useTranslation('deliveries');
  const [isOpen, { open, close }] = useDisclosure();
  const { list, isKnown } = useWebhooks();
  const url = list.find((webhook) => webhook.id === webhook_id)?.url;
  if (body === null) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('curl')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('curlTitle')} size="xl">
        <Stack gap="sm">
          <Text size="sm">
            {t('curlHint')} {t(`curlSecret.${variant}`)}
          </Text>
          {isKnown && url === undefined && <Text size="sm">{t('curlGone')}</Text>}
          <CodeLines value={asCurl({ id, url: url ?? example, body })} label={t('curlTitle')} />
        </Stack>
      </Modal>
    </>
  );
};
