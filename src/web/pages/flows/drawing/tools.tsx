import { ActionIcon, Stack, Tooltip } from '@mantine/core';
import { IconFocusCentered, IconHome, IconMinus, IconPlus, type Icon } from '@tabler/icons-react';
import { useReactFlow } from '@xyflow/react';
import { words } from './words.ts';

/** Buttons that make a drawing larger and smaller, and show all of it or its beginning. */
export const Tools = ({ showBeginning, showAll }: { showBeginning: () => void; showAll: () => void }) => {
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <Stack gap={4}>
      <Tool label={words.zoomIn} icon={IconPlus} onClick={() => void zoomIn()} />
      <Tool label={words.zoomOut} icon={IconMinus} onClick={() => void zoomOut()} />
      <Tool label={words.fit} icon={IconFocusCentered} onClick={showAll} />
      <Tool label={words.beginning} icon={IconHome} onClick={showBeginning} />
    </Stack>
  );
};

const Tool = ({ label, icon: Shown, onClick }: { label: string; icon: Icon; onClick: () => void }) => (
  <Tooltip label={label} position="left">
    <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
      <Shown size={18} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
