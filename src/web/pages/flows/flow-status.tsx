import { Tooltip } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { words } from './words.ts';

type FlowState = Schemas['Flow']['status'];

const tones: Readonly<Record<FlowState, Tone>> = { draft: 'off', live: 'good', paused: 'waiting', archived: 'off' };

/** The state of a flow, and what it means when it is pointed at. */
export const FlowStatus = ({ status }: { status: FlowState }) => (
  <Tooltip label={words.statusHints[status]} multiline maw={280}>
    <span tabIndex={0}>
      <Status tone={tones[status]}>{words.statuses[status]}</Status>
    </span>
  </Tooltip>
);
