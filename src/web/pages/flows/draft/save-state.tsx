import { Group, Text, Tooltip } from '@mantine/core';
import { memo } from 'react';
import { Status, type Tone } from '../../../parts/status.tsx';
import type { Saving } from './session.ts';
import { words } from './words.ts';

const tones: Readonly<Record<Saving['is'], Tone>> = {
  saved: 'good',
  saving: 'busy',
  offline: 'waiting',
  conflict: 'bad',
  no_json: 'waiting',
  refused: 'bad',
  ended: 'off',
};

/** How a draft is stored, told to screen readers as well. */
export const SaveState = memo(({ saving, isKept }: { saving: Saving; isKept: boolean }) => {
  const said = saving.is === 'offline' && !isKept ? words.saving.offlineNotKept : words.saving[saving.is];
  return (
    <Group gap="xs" wrap="nowrap" role="status" aria-label={words.state}>
      <Status tone={tones[saving.is]}>{said}</Status>
      {saving.is === 'refused' && (
        <Tooltip label={words.refusedHint}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {saving.why}
          </Text>
        </Tooltip>
      )}
    </Group>
  );
});
SaveState.displayName = 'SaveState';
