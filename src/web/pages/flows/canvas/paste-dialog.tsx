import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { commonWords } from '../../../words/common.ts';
import type { Missing } from './missing.ts';
import { words } from './words.ts';

type Props = { missing: readonly Missing[]; paste: () => void; close: () => void };

/** Tells what pasted blocks need that is not here, before they are pasted. */
export const PasteDialog = ({ missing, paste, close }: Props) => {
  useFocusBack();
  return (
    <Modal opened onClose={close} title={words.paste.title}>
      <Stack gap="sm">
        <div>
          <Text fw={600} size="sm">
            {words.paste.missing}
          </Text>
          <Text size="sm" c="dimmed">
            {words.paste.missingHint}
          </Text>
        </div>
        <Stack component="ul" gap={6} m={0} p={0} mah="40vh" style={{ listStyle: 'none', overflowY: 'auto' }}>
          {missing.map(({ type, name }) => (
            <Group key={`${type} ${name}`} component="li" gap="xs" wrap="nowrap">
              <Badge variant="light" className="status" data-tone="waiting" flex="none">
                {words.paste.kinds[type]}
              </Badge>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
            </Group>
          ))}
        </Stack>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {commonWords.cancel}
          </Button>
          <Button onClick={paste}>{words.paste.action}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
