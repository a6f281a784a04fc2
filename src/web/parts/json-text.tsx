import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { commonWords } from '../words/common.ts';
import { CodeLines } from './copy.tsx';
import { formatJson } from './format-json.ts';

/** A text that may be JSON, easy to read at first, and exactly as it is when asked for. */
export const JsonText = ({ value, label, maxHeight }: { value: string; label: string; maxHeight?: number }) => {
  const [shown, setShown] = useState('formatted');
  const formatted = formatJson(value);
  const lines = shown === 'formatted' ? (formatted ?? value) : value;
  return (
    <Stack gap="xs" align="stretch">
      {formatted !== undefined && formatted !== value && (
        <SegmentedControl
          size="xs"
          value={shown}
          onChange={setShown}
          aria-label={label}
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'formatted', label: commonWords.formatted },
            { value: 'exact', label: commonWords.exact },
          ]}
        />
      )}
      <CodeLines value={lines} label={label} {...(maxHeight !== undefined && { maxHeight })} />
    </Stack>
  );
};
