import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';

type FlowState = Schemas['Flow']['status'];

const tones: Readonly<Record<FlowState, Tone>> = { draft: 'off', live: 'good', paused: 'waiting', archived: 'off' };

/** The state of a flow, and what it means when it is pointed at. */
export const FlowStatus = ({ status }: { status: FlowState }) => {
  const { t } = useTranslation('flows');
  return (
    <Tooltip label={t(`statusHints.${status}`)} multiline maw={280}>
      <span tabIndex={0}>
        <Status tone={tones[status]}>{t(`statuses.${status}`)}</Status>
      </span>
    </Tooltip>
  );
};
